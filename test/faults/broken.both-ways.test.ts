import { answer, head, successText } from "./answers.ts";
import { type Fault, testFaults } from "./faults.ts";
import { absent, accepting, answering, sends, sendsThenEnds, sendsThenResets } from "./peers.ts";

const asChild = true;
const unreached = { connections: 0, requests: 0, asChild };
const refused = (host: string) => `${host} port 1 refused the connection (ECONNREFUSED)`;

testFaults("name and TCP", [
  // A machine without a network may be slow to say so.
  ["no such name", 7, "x.invalid", () => absent("https://x.invalid", ["--timeout", "25"]), unreached],
  ["a closed port", 7, refused("127.0.0.1"), () => absent("http://127.0.0.1:1"), unreached],
  ["one at an IPv6 address", 7, refused("[::1]"), () => absent("http://[::1]:1"), unreached],
  ["an end at once", 7, "", () => accepting("http", (socket) => socket.end()), { requests: 0 }],
  ["a reset at once", 7, "", () => accepting("http", (socket) => socket.resetAndDestroy()), { requests: 0 }],
]);

const ok = "HTTP/1.1 200 OK";
const length = `Content-Length: ${successText.length}`;
const chunked = "Transfer-Encoding: chunked";
const half = successText.slice(0, 20);
const oneChunk = `${successText.length.toString(16)}\r\n${successText}\r\n`;
const before = "ended before the response";
const inHead = "ended before the head of the response was complete";
const within = "ended in the middle of the response";

/** Responses that stop too early, each with the part that is sent. */
const beginnings: ReadonlyArray<readonly [where: string, text: string, says: string]> = [
  ["before headers", "", before],
  ["inside headers", `${ok}\r\n${length}\r\nConte`, inHead],
  ["after an interim answer", head("HTTP/1.1 103 Early Hints"), inHead],
  [
    "mid-body",
    head(ok, length, "Connection: close") + half,
    `${within} (CODE): 20 of ${successText.length} bytes came`,
  ],
  ["mid-chunk", `${head(ok, chunked)}40\r\n${half}`, within],
  ["before the last chunk", head(ok, chunked, "Connection: close") + oneChunk, within],
];

const saysWith = (says: string, code: string): string =>
  says.includes("(CODE)") ? says.replace("CODE", code) : `${says} (${code})`;

const fin = (text: string) => () => answering(sendsThenEnds(text));
const rst = (text: string) => () => answering(sendsThenResets(text));

testFaults(
  "a connection that is over",
  beginnings.flatMap(([where, text, says]): readonly Fault[] => [
    [`an end (FIN) ${where}`, 7, saysWith(says, "EOF"), fin(text), { asChild: where === "mid-body" }],
    [
      `a reset (RST) ${where}`,
      7,
      saysWith(says, "ECONNRESET"),
      rst(text),
      { asChild: where === "mid-chunk" },
    ],
  ]),
);

// FIN would end this body, which has no length.
testFaults("a reset (RST)", [
  ["after a whole body", 7, `${within} (ECONNRESET)`, rst(head(ok) + successText)],
]);

/** Responses that are not HTTP, and HTTP that breaks its rules (RFC 9112), each with a success as its body. */
const malformed: ReadonlyArray<
  readonly [title: string, rule: string, text: string | Uint8Array, special?: Fault[4]]
> = [
  ["an SSH banner", "Expected HTTP/", "SSH-2.0-OpenSSH_9.6\r\n", { asChild }],
  ["HTTP/2", "HTTP/2 instead of HTTP/1.1", Buffer.from("000006040000000000000300000064", "hex")],
  ["a TLS alert", "TLS instead of HTTP/1.1", Buffer.from("15030100020246", "hex")],
  ["HTTP/9.9", "Invalid HTTP version", head("HTTP/9.9 200 OK", length) + successText],
  ["status 099", "Status 99", answer("099 Low", successText), { asChild }],
  ["NUL in a header's value", "Invalid header value char", answer("200 OK", successText, ["X-Note: a\0b"])],
  ["a folded header", "Unexpected whitespace", answer("200 OK", successText, ["X-Note: a", " b"])],
  ["lines that end in LF alone", "Missing expected CR", `${ok}\n${length}\n\n${successText}`],
  ["101 with an upgrade", "Status 101", head("HTTP/1.1 101 S", "Connection: upgrade", "Upgrade: a")],
  [
    "1 MB of headers",
    "Headers too large",
    answer("200 OK", successText, [`X-Note: ${"a".repeat(1_000_000)}`]),
  ],
  ["a length and chunks", "Contradictory lengths", `${head(ok, length, chunked)}${oneChunk}0\r\n\r\n`],
  ["a longer chunk", "Expected LF", `${head(ok, chunked)}2\r\n${successText}\r\n0\r\n\r\n`],
];

testFaults(
  "malformed HTTP",
  malformed.flatMap(([title, rule, text, special]): readonly Fault[] => {
    const says = `is not valid HTTP (${rule}`;
    return [
      [title, 6, says, () => answering(sends(text)), special],
      [`${title}, and then the connection's end,`, 6, says, () => answering((socket) => socket.end(text))],
    ];
  }),
);
