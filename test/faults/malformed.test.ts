import { answer, head, successText } from "./answers.ts";
import { type Fault, testFaults } from "./faults.ts";
import { answering, sends } from "./peers.ts";

const length = `Content-Length: ${successText.length}`;
const chunked = "Transfer-Encoding: chunked";
const oneChunk = `${successText.length.toString(16)}\r\n${successText}\r\n0\r\n\r\n`;

/** Responses that are not HTTP, and HTTP that breaks its rules (RFC 9112), each with a success as its body. */
const answers: ReadonlyArray<readonly [title: string, text: string | Uint8Array]> = [
  ["a status line with no number", head("HTTP/1.1 2x0 OK", length) + successText],
  ["an SSH banner", "SSH-2.0-OpenSSH_9.6\r\n"],
  ["an SMTP greeting", "220 mail.example.com ESMTP\r\n"],
  ["a TLS alert", Buffer.from("15030100020246", "hex")],
  ["an HTTP/2 SETTINGS frame", Buffer.from("000006040000000000000300000064", "hex")],
  ["HTTP/0.9", successText],
  ["HTTP/9.9", head("HTTP/9.9 200 OK", length) + successText],
  ["status 099", answer("099 Low", successText)],
  ["status 999", answer("999 High", successText)],
  ["status 2000", answer("2000 OK", successText)],
  ["NUL in a header's value", answer("200 OK", successText, ["X-Note: a\0b"])],
  ["a header without a colon", answer("200 OK", successText, ["X-Note"])],
  ["a folded header", answer("200 OK", successText, ["X-Note: a", " b"])],
  ["lines that end in LF alone", Buffer.from(answer("200 OK", successText).toString().replaceAll("\r", ""))],
  ["101 with an upgrade", head("HTTP/1.1 101 Switch", "Connection: upgrade", "Upgrade: websocket")],
  ["101 without an upgrade", head("HTTP/1.1 101 Switching Protocols")],
  [
    "101 before a success",
    head("HTTP/1.1 101 Switching Protocols") + answer("200 OK", successText).toString(),
  ],
  ["1 MB of headers", answer("200 OK", successText, [`X-Note: ${"a".repeat(1_000_000)}`])],
  ["20,000 headers", answer("200 OK", successText, Array<string>(20_000).fill("X-Note: a"))],
  ["two different lengths", answer("200 OK", successText, ["Content-Length: 5"])],
  ["a length with a list", head("HTTP/1.1 200 OK", `${length}, 5`) + successText],
  ["a negative length", head("HTTP/1.1 200 OK", "Content-Length: -5") + successText],
  ["a length and chunks", head("HTTP/1.1 200 OK", length, chunked) + oneChunk],
  ["a chunk's size that is no number", `${head("HTTP/1.1 200 OK", chunked)}xyz\r\n${successText}`],
  ["a chunk longer than its size", `${head("HTTP/1.1 200 OK", chunked)}2\r\n${successText}\r\n0\r\n\r\n`],
];

/** The parser that undici has complains inside of socket callbacks; these did not come out as an ordinary error. */
const alsoAsChild = new Set(["status 099", "101 without an upgrade", "20,000 headers", "an SSH banner"]);

const faults: readonly Fault[] = answers.flatMap(([title, text]) => [
  {
    title,
    serve: () => answering(sends(text)),
    exit: 6,
    asChild: alsoAsChild.has(title),
  },
  {
    title: `${title}, and then the connection's end,`,
    serve: () => answering((socket) => socket.end(text)),
    exit: 6,
  },
]);

testFaults("malformed HTTP", faults);
