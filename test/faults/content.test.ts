import { gzipSync } from "node:zlib";
import { answer, head, successText } from "./answers.ts";
import { type Fault, testFaults } from "./faults.ts";
import { answering, sends } from "./peers.ts";

const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body></body></html>";
const type = "Content-Type: application/json";
const bom = Buffer.from("efbbbf", "hex");
const json = (value: unknown): Buffer => answer("200 OK", JSON.stringify(value));

/** Answers that are not the specified success (section 2); test/check/judge.test.ts has the whole table. */
const answers: ReadonlyArray<readonly [title: string, bytes: Uint8Array, says: string]> = [
  ["a web page", answer("200 OK", page, ["Content-Type: text/html"]), "a web page answered"],
  ["a web page that says it is JSON", answer("200 OK", page), "a web page answered"],
  ["invalid UTF-8", answer("200 OK", Buffer.from('{"code":200,"message":"\xff"}', "latin1")), "not JSON"],
  ["UTF-16", answer("200 OK", Buffer.from(`\uFEFF${successText}`, "utf16le")), "not JSON"],
  ["invalid JSON", answer("200 OK", successText.slice(0, -1)), "not JSON"],
  ["a BOM", answer("200 OK", Buffer.concat([bom, Buffer.from(successText)])), "not JSON"],
  ["an array", json([{ code: 200, message: "Hello" }]), "not an object"],
  ["an empty object", json({}), "its code is missing"],
  ["`code` as a string", json({ code: "200", message: "Hello" }), "its code is missing or not an integer"],
  ["`code` 401 with status 200", json({ code: 401, message: "No" }), "contradicts itself"],
  ["no message", json({ code: 200 }), "its message"],
  ["an empty body", answer("200 OK"), "empty"],
  ["204", Buffer.from("HTTP/1.1 204 No Content\r\n\r\n"), "(204)"],
  ["a success in gzip", answer("200 OK", gzipSync(successText), [type, "Content-Encoding: gzip"]), "gzip"],
  [
    "a success in gzip, by a second field",
    answer("200 OK", successText, [type, "Content-Encoding: identity", "Content-Encoding: gzip"]),
    "gzip",
  ],
  [
    "a success in gzip, by the transfer",
    Buffer.from(
      `${head("HTTP/1.1 200 OK", type, "Transfer-Encoding: gzip, chunked")}${successText.length.toString(16)}\r\n${successText}\r\n0\r\n\r\n`,
    ),
    "gzip",
  ],
];

const alsoAsChild = new Set(["a web page", "`code` 401 with status 200", "a BOM"]);

const faults: readonly Fault[] = answers.map(([title, bytes, says]) => ({
  title,
  serve: () => answering(sends(bytes)),
  exit: 6,
  says,
  asChild: alsoAsChild.has(title),
}));

testFaults("content", faults);
