import { answer, head, successText } from "./answers.ts";
import { testFaults } from "./faults.ts";
import { answering, sends, sendsThenEnds } from "./peers.ts";

const length = `Content-Length: ${successText.length}`;
const size = successText.length.toString(16);

/** Unusual responses that HTTP allows (RFC 9112): none of them is a fault. */
const answers: ReadonlyArray<readonly [title: string, text: string | Uint8Array]> = [
  ["103 before 200", head("HTTP/1.1 103 Early Hints", "Link: </a>") + answer("200 OK", successText)],
  ["no reason phrase", head("HTTP/1.1 200", length) + successText],
  [
    "chunks with extensions and trailers",
    `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Trailer: X-Sum")}${size};a="b"\r\n${successText}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  ],
  [
    "chunks of one byte",
    `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}${[...successText].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`,
  ],
  [
    "duplicate harmless headers",
    answer("200 OK", successText, ["Vary: Accept", "Vary: Origin", "Set-Cookie: a=1", "Set-Cookie: b=2"]),
  ],
  ["a charset", answer("200 OK", successText, ["Content-Type: application/json; charset=utf-8"])],
  ["no content type", answer("200 OK", successText, [])],
  ["a header of Latin-1", answer("200 OK", successText, ["X-Note: caf\xe9"])],
  ["Content-Encoding: identity", answer("200 OK", successText, ["Content-Encoding: identity"])],
  ["an offer to upgrade", answer("200 OK", successText, ["Connection: upgrade", "Upgrade: h2c"])],
  ["white space around the JSON", answer("200 OK", `\r\n\t ${successText}\n`)],
];

testFaults("valid oddities", [
  ...answers.map(([title, text]) => ({
    title,
    serve: () => answering(sends(text)),
    exit: 0 as const,
    asChild: title === "103 before 200" || title === "chunks with extensions and trailers",
  })),
  {
    title: "HTTP/1.0",
    serve: () => answering(sendsThenEnds(head("HTTP/1.0 200 OK") + successText)),
    exit: 0,
    asChild: true,
  },
  {
    title: "a body that the connection's end delimits",
    serve: () => answering(sendsThenEnds(head("HTTP/1.1 200 OK", "Connection: close") + successText)),
    exit: 0,
  },
  {
    title: "an answer in single bytes",
    serve: () =>
      answering(async (socket) => {
        for (const byte of answer("200 OK", successText)) {
          await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
        }
      }),
    exit: 0,
  },
  {
    title: "[::1]",
    serve: () => answering(sends(answer("200 OK", successText)), "::1"),
    exit: 0,
    asChild: true,
  },
]);
