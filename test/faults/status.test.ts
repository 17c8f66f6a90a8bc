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
const answers: ReadonlyArray<
  readonly [title: string, exit: Fault["exit"], bytes: string | Uint8Array, says?: string]
> = [
  ["404", 6, answer("404 Not Found", "{}"), "nothing at this address"],
  ["426 with an upgrade", 6, answer("426 Upgrade", refusal, ["Connection: upgrade", "Upgrade: h2c"])],
  [
    "403 as a web page",
    6,
    answer("403 Forbidden", page, ["Content-Type: text/html"]),
    '403 with a web page titled "Forbidden": nothing shows that the API itself answered',
  ],
  [
    "401 in gzip, by the transfer",
    6,
    `${refused("Transfer-Encoding: gzip, chunked")}${chunk(refusal)}`,
    "gzip",
  ],
  [
    "401 with WSSE beside Basic",
    6,
    answer("401 No", "", ["WWW-Authenticate: WSSE", "WWW-Authenticate: Basic"]),
  ],
  ["401 with JSON", 4, answer("401 Unauthorized", refusal)],
  ["401 with an empty body", 4, answer("401 Unauthorized")],
  ["401 with JSON in chunks", 4, `${refused("Transfer-Encoding: chunked")}${chunk(refusal)}`],
  ["401 with an empty body in chunks", 4, `${refused("Transfer-Encoding: chunked")}0\r\n\r\n`],
  ["429", 5, answer("429 Too Many Requests", refusal, ["Retry-After: 1"])],
  ["503 with a far Retry-After", 5, answer("503 Busy", "", ["Retry-After: 99999999999"])],
];
const alsoAsChild = new Set(["404", "403 as a web page", "401 with JSON", "503 with a far Retry-After"]);

testFaults("status", [
  ...answers.map(([title, exit, bytes, says = ""]): Fault => {
    const asChild = alsoAsChild.has(title);
    return { title, exit, says, asChild, serve: () => answering(sends(bytes)) };
  }),
  ...["HTTP/1.1", "HTTP/1.0"].map(
    (version): Fault => ({
      title: `401 of ${version} without a length`,
      serve: () => answering(sendsThenEnds(head(`${version} 401 No`, type))),
      exit: 6,
      says: /401 without a body, and the response has no length/,
    }),
  ),
]);

const redirects = ["301 Moved Permanently", "302 Found", "307 Temporary"];

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
