import { gzipSync } from "node:zlib";
import { answer, head, successText } from "./answers.ts";
import { testFaults } from "./faults.ts";
import { answering, sends, sendsThenEnds } from "./peers.ts";

const html = ["Content-Type: text/html"];
const gzip = "Transfer-Encoding: gzip, chunked";
const chunked = "Transfer-Encoding: chunked";
const upgrade = ["Connection: upgrade", "Upgrade: h2c"];
const twoChallenges = ["WWW-Authenticate: WSSE", "WWW-Authenticate: Basic"];
const page = "<html><head><title>Forbidden</title></head></html>";
const pageSeen = "403 with a web page";
const refusal = JSON.stringify({ code: 401, message: "Authentication failed" });
const noLength = "401 with no body and no length";
const chunk = (body: string, extension = ""): string =>
  `${body.length.toString(16)}${extension}\r\n${body}\r\n`;
const last = "0\r\n\r\n";
const ok = (...lines: readonly string[]): string => head("HTTP/1.1 200 OK", ...lines);
const refused = (...lines: readonly string[]): string => head("HTTP/1.1 401 No", ...lines);
const success = answer("200 OK", successText);
const proceed = head("HTTP/1.1 100 Continue");
const early = head("HTTP/1.1 103 Early Hints");

const sent =
  (...parts: ReadonlyArray<string | Uint8Array>) =>
  () =>
    answering(sends(...parts));
const sentToTheEnd = (text: string) => () => answering(sendsThenEnds(text));
const asChild = true;

// test/check/judge.test.ts has the table of the judgement. These rows show that what it needs arrives in real messages.
testFaults("an answer", [
  ["`code` 401 with status 200", 6, "contradicts itself", sent(answer("200 OK", refusal)), { asChild }],
  ["100 and no more", 7, "ended before the head of the response was complete", sentToTheEnd(proceed)],
  ["100 and 101", 6, "Status 101", sent(proceed, head("HTTP/1.1 101 Other"))],
  ["gzip", 6, "gzip", sent(answer("200 OK", gzipSync(successText), ["Content-Encoding: gzip"]))],
  ["gzip by the transfer", 6, "gzip", sent(ok(gzip), chunk(successText), last)],
  ["426 with an upgrade", 6, "", sent(answer("426 Upgrade", refusal, upgrade))],
  ["403 as a web page", 6, pageSeen, sent(answer("403 No", page, html)), { asChild }],
  ["401, WSSE beside Basic", 6, "", sent(answer("401 No", "", twoChallenges))],
  ["401 without a length", 6, noLength, sentToTheEnd(refused())],
  ["401 with JSON", 4, "", sent(answer("401 Unauthorized", refusal)), { asChild }],
  ["401 with an empty body", 4, "", sent(answer("401 Unauthorized"))],
  ["401 with an empty body in chunks", 4, "", sent(refused(chunked), last)],
  ["a far Retry-After", 5, "", sent(answer("503 Busy", "", ["Retry-After: 99999999999"])), { asChild }],
]);

const trailer = "Trailer: X-Sum";
// Unusual responses that HTTP allows (RFC 9112): none of them is a fault.
testFaults("valid oddities", [
  ["103 before 200", 0, "", sent(early, success), { asChild }],
  ["100, 103, 100 and 200", 0, "", sent(proceed + early, proceed, success)],
  ["100 before 401", 4, "", sent(proceed, answer("401 Unauthorized", refusal))],
  [
    "no reason phrase",
    0,
    "",
    sent(head("HTTP/1.1 200", `Content-Length: ${successText.length}`), successText),
  ],
  ["an extension", 0, "", sent(ok(chunked), chunk(successText, ';a="b"'), last)],
  ["a trailer", 0, "", sent(ok(chunked, trailer), chunk(successText), "0\r\nX-Sum: 1\r\n\r\n"), { asChild }],
  ["chunks of one byte", 0, "", sent(ok(chunked), ...[...successText].map((byte) => chunk(byte)), last)],
  ["a header of Latin-1", 0, "", sent(answer("200 OK", successText, ["X-Note: caf\xe9"]))],
  ["an offer to upgrade", 0, "", sent(answer("200 OK", successText, upgrade))],
  ["HTTP/1.0", 0, "", sentToTheEnd(head("HTTP/1.0 200 OK") + successText), { asChild }],
  ["[::1]", 0, "", () => answering(sends(success), "::1"), { asChild }],
]);
