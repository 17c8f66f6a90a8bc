import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { processorTime } from "../support/processor-time.ts";
import { runInProcess } from "../support/run.ts";
import { answer, head, successText } from "./answers.ts";
import { type Fault, type Runner, testFaults } from "./faults.ts";
import { answering, sends, sendsThenEnds } from "./peers.ts";

const type = "Content-Type: application/json";
const html = ["Content-Type: text/html"];
const gzip = "Transfer-Encoding: gzip, chunked";
const page = "<html><head><title>Forbidden</title></head></html>";
const refusal = JSON.stringify({ code: 401, message: "Authentication failed" });
const chunk = (body: string, parameters = ""): string =>
  `${body.length.toString(16)}${parameters}\r\n${body}\r\n`;
const last = "0\r\n\r\n";
const ok = (...lines: readonly string[]): string => head("HTTP/1.1 200 OK", ...lines);
const refused = (...lines: readonly string[]): string => head("HTTP/1.1 401 No", ...lines);
const asChild = true;

type Row = readonly [
  title: string,
  exit: Fault[1],
  bytes: string | Uint8Array,
  says?: string,
  special?: Fault[4],
];
const faultOf = ([title, exit, bytes, says = "", special]: Row): Fault => {
  return [title, exit, says, () => answering(sends(bytes)), special];
};
const noLength = "401 without a body, and the response has no length";

// test/check/judge.test.ts has the table of the judgement. These rows show that what it needs arrives in real messages.
const judged: readonly Row[] = [
  ["a web page", 6, answer("200 OK", page, html), "a web page answered", { asChild }],
  ["`code` 401 with status 200", 6, answer("200 OK", refusal), "contradicts itself", { asChild }],
  ["204", 6, head("HTTP/1.1 204 No Content"), "(204)"],
  ["gzip", 6, answer("200 OK", gzipSync(successText), [type, "Content-Encoding: gzip"]), "gzip"],
  ["gzip by the transfer", 6, ok(type, gzip) + chunk(successText) + last, "gzip"],
  ["a redirect", 6, answer("302 Found", "", ["Location: /elsewhere"]), "redirects", { asChild }],
  ["404", 6, answer("404 Not Found", "{}"), "nothing at this address"],
  ["426 with an upgrade", 6, answer("426 Upgrade", refusal, ["Connection: upgrade", "Upgrade: h2c"])],
  [
    "403 as a web page",
    6,
    answer("403 No", page, html),
    '403 with a web page titled "Forbidden"',
    { asChild },
  ],
  ["401 in gzip by the transfer", 6, refused(type, gzip) + chunk(refusal) + last, "gzip"],
  ["401, WSSE beside Basic", 6, answer("401 No", "", ["WWW-Authenticate: WSSE", "WWW-Authenticate: Basic"])],
  ["401 with JSON", 4, answer("401 Unauthorized", refusal), "", { asChild }],
  ["401 with an empty body", 4, answer("401 Unauthorized")],
  ["401 with an empty body in chunks", 4, refused(type, "Transfer-Encoding: chunked") + last],
  ["429", 5, answer("429 Too Many Requests", refusal, ["Retry-After: 1"])],
  ["503 with a far Retry-After", 5, answer("503 Busy", "", ["Retry-After: 99999999999"]), "", { asChild }],
];
testFaults("an answer", [
  ...judged.map(faultOf),
  ["401 without a length", 6, noLength, () => answering(sendsThenEnds(refused(type)))],
]);

/** Unusual responses that HTTP allows (RFC 9112): none of them is a fault. */
const odd: readonly Row[] = [
  [
    "103 before 200",
    0,
    `${head("HTTP/1.1 103 Early Hints")}${answer("200 OK", successText)}`,
    "",
    { asChild },
  ],
  ["no reason phrase", 0, head("HTTP/1.1 200", `Content-Length: ${successText.length}`) + successText],
  [
    "chunks with extensions and trailers",
    0,
    `${ok("Transfer-Encoding: chunked", "Trailer: X-Sum")}${chunk(successText, ';a="b"')}0\r\nX-Sum: 1\r\n\r\n`,
    "",
    { asChild },
  ],
  [
    "chunks of one byte",
    0,
    [ok("Transfer-Encoding: chunked"), ...[...successText].map((byte) => chunk(byte)), last].join(""),
  ],
  ["no content type", 0, answer("200 OK", successText, [])],
  ["a header of Latin-1", 0, answer("200 OK", successText, ["X-Note: caf\xe9"])],
  ["an offer to upgrade", 0, answer("200 OK", successText, ["Connection: upgrade", "Upgrade: h2c"])],
];
testFaults("valid oddities", [
  ...odd.map(faultOf),
  ["HTTP/1.0", 0, "", () => answering(sendsThenEnds(head("HTTP/1.0 200 OK") + successText)), { asChild }],
  ["a body that the connection's end delimits", 0, "", () => answering(sendsThenEnds(ok() + successText))],
  ["[::1]", 0, "", () => answering(sends(answer("200 OK", successText)), "::1"), { asChild }],
]);

/** Responses on which a backtracking regular expression would be slow. The challenge is just under the bound of header fields. */
const hostile: readonly Row[] = [
  ["a page of comments", 6, answer("200 OK", `${"<!---->".repeat(29)}x`)],
  ["titles that never end", 6, answer("200 OK", `<html>${"<title".repeat(40_000)}`)],
  ["quotes that never end", 6, answer("401 No", "", [`WWW-Authenticate: ${'"\\'.repeat(8_000)}`])],
];

/** Runs in process and measures the time: the deadline cannot end a loop that never yields. */
const quick: Runner = async (args, given) => {
  const { value, milliseconds } = await processorTime(() => runInProcess(args, given));
  expect(milliseconds).toBeLessThan(5_000);
  return value;
};

testFaults("hostile text", hostile.map(faultOf), { inProcess: quick });
