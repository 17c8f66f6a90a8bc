import { describe, expect, test } from "vitest";
import { leaks } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { answer, head } from "./answers.ts";
import { aMoment, check, type Fault, methods, testFaults } from "./faults.ts";
import { answering, sends, sendsThenEnds } from "./peers.ts";

const refusal = JSON.stringify({ code: 401, message: "Authentication failed" });
const page = "<html><head><title>Forbidden</title></head></html>";
const type = "Content-Type: application/json";
const chunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const refused = (...fields: readonly string[]): string => head("HTTP/1.1 401 No", type, ...fields);

// test/check/judge.test.ts has the table of the judgement. These rows show that what it needs arrives in real messages.
const faults: readonly Fault[] = [
  {
    title: "404",
    exit: 6,
    bytes: answer("404 Not Found", "{}"),
    says: "nothing at this address",
    asChild: true,
  },
  {
    title: "426 with an upgrade",
    exit: 6,
    bytes: answer("426 Upgrade", refusal, ["Connection: upgrade", "Upgrade: h2c"]),
  },
  {
    title: "403 as a web page",
    exit: 6,
    bytes: answer("403 Forbidden", page, ["Content-Type: text/html"]),
    says: `403 with a web page titled "Forbidden": nothing shows that the API itself answered`,
    asChild: true,
  },
  {
    title: "401 in gzip, by the transfer",
    exit: 6,
    bytes: `${refused("Transfer-Encoding: gzip, chunked")}${chunk(refusal)}`,
    says: "gzip",
  },
  {
    title: "401 with WSSE beside Basic",
    exit: 6,
    bytes: answer("401 No", "", ["WWW-Authenticate: WSSE", "WWW-Authenticate: Basic"]),
  },
  { title: "401 with JSON", exit: 4, bytes: answer("401 Unauthorized", refusal), asChild: true },
  { title: "401 with an empty body", exit: 4, bytes: answer("401 Unauthorized") },
  {
    title: "401 with JSON in chunks",
    exit: 4,
    bytes: `${refused("Transfer-Encoding: chunked")}${chunk(refusal)}`,
  },
  {
    title: "401 with an empty body in chunks",
    exit: 4,
    bytes: `${refused("Transfer-Encoding: chunked")}0\r\n\r\n`,
  },
  { title: "429", exit: 5, bytes: answer("429 Too Many Requests", refusal, ["Retry-After: 1"]) },
  {
    title: "503 with a far Retry-After",
    exit: 5,
    bytes: answer("503 Busy", "", ["Retry-After: 99999999999"]),
    asChild: true,
  },
].map(({ bytes, ...fault }) => ({ ...fault, serve: () => answering(sends(bytes)) }) as Fault);

testFaults("status", [
  ...faults,
  ...["HTTP/1.1", "HTTP/1.0"].map(
    (version): Fault => ({
      title: `401 of ${version} without a length`,
      serve: () => answering(sendsThenEnds(head(`${version} 401 No`, type))),
      exit: 6,
      says: /401 without a body, and the response has no length/,
    }),
  ),
]);

testFaults("patience, with --retry,", [
  {
    title: "a Retry-After beyond the deadline",
    serve: async () => ({
      ...(await answering(sends(answer("503 Busy", "", ["Retry-After: 99999999999"])))),
      args: ["--retry", "3"],
    }),
    exit: 5,
    asChild: true,
  },
]);

const redirects = ["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"];

testFaults(
  "redirect to the same origin",
  redirects.map((status) => ({
    title: status,
    serve: () => answering(sends(answer(status, "", ["Location: /elsewhere/test-authentication"]))),
    exit: 6,
    says: "redirects",
    asChild: status === "302 Found",
  })),
);

describe.each(methods)("redirect to another origin, %s:", (method) => {
  test.each(redirects)("%s exits 6, and nothing is sent there", async (status) => {
    const other = await answering(sends(answer("200 OK", refusal)));
    const peer = await answering(sends(answer(status, "", [`Location: ${other.url}/test-authentication`])));

    const result = await check(peer, method, runInProcess);

    expect(result).toMatchObject({ exitCode: 6, stderr: "" });
    expect(result.stdout).toContain("the credential was not sent to the new address");
    expect(leaks(result.everything)).toEqual([]);
    await aMoment();
    expect([peer.connections(), other.connections()]).toEqual([1, 0]);
  });
});
