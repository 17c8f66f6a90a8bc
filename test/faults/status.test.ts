import { describe, expect, test } from "vitest";
import { leaks } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { answer } from "./answers.ts";
import { aMoment, check, type Fault, methods, testFaults } from "./faults.ts";
import { answering, sends } from "./peers.ts";

const refusal = JSON.stringify({ code: 401, message: "Authentication failed" });
const page = "<html><head><title>Forbidden</title></head></html>";
const type = "Content-Type: application/json";
const html = "Content-Type: text/html";

type Row = readonly [title: string, exit: 4 | 5 | 6, bytes: Uint8Array, says?: string];

const rows: readonly Row[] = [
  ["404", 6, answer("404 Not Found", '{"code":404,"message":"No"}'), "nothing is at this address"],
  ["405", 6, answer("405 Method Not Allowed", refusal), "(405)"],
  ["407 from the origin", 6, answer("407 Proxy Authentication Required", refusal), "(407)"],
  ["400", 6, answer("400 Bad Request", refusal), "(400)"],
  ["418", 6, answer("418 I'm a teapot", refusal), "(418)"],
  ["426 with an upgrade", 6, answer("426 Upgrade", refusal, ["Connection: upgrade", "Upgrade: h2c"])],
  ["403 as a web page", 6, answer("403 Forbidden", page, [html]), "a web page"],
  ["401 as a web page", 6, answer("401 Unauthorized", page, [html]), "a web page"],
  ["401 with a Basic challenge", 6, answer("401 No", refusal, [type, 'WWW-Authenticate: Basic realm="x"'])],
  ["401 with a Negotiate challenge", 6, answer("401 No", "", ["WWW-Authenticate: Negotiate"])],
  ["401 with a proxy's challenge", 6, answer("401 No", refusal, ["Proxy-Authenticate: NTLM"])],
  ["401 with JSON", 4, answer("401 Unauthorized", refusal)],
  ["401 with an empty body", 4, answer("401 Unauthorized")],
  ["401 with a WSSE challenge", 4, answer("401 No", "", ['WWW-Authenticate: WSSE realm="x", profile="y"'])],
  ["403 with JSON", 4, answer("403 Forbidden", refusal)],
  ["403 with an empty body", 4, answer("403 Forbidden")],
  ["429", 5, answer("429 Too Many Requests", refusal, ["Retry-After: 1"])],
  ["500", 5, answer("500 Internal Server Error", refusal)],
  ["502 as a web page", 5, answer("502 Bad Gateway", page, [html])],
  ["503 with a far Retry-After", 5, answer("503 Busy", "", ["Retry-After: 99999999999"])],
  ["503 with a Retry-After of no sense", 5, answer("503 Busy", "", ["Retry-After: soon"])],
  ["599", 5, answer("599 What", "")],
];

const alsoAsChild = new Set(["404", "401 with JSON", "403 as a web page", "503 with a far Retry-After"]);

testFaults(
  "status",
  rows.map(
    ([title, exit, bytes, says = ""]): Fault => ({
      title,
      serve: () => answering(sends(bytes)),
      exit,
      says,
      asChild: alsoAsChild.has(title),
    }),
  ),
);

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
  test.each(redirects)("%s exits 6, and nothing goes there", async (status) => {
    const other = await answering(sends(answer("200 OK", refusal)));
    const peer = await answering(sends(answer(status, "", [`Location: ${other.url}/test-authentication`])));

    const result = await check(peer, method, runInProcess);

    expect(result).toMatchObject({ exitCode: 6, stderr: "" });
    expect(result.stdout).toContain("the credential was not sent on");
    expect(leaks(result.everything)).toEqual([]);
    await aMoment();
    expect([peer.connections(), other.connections()]).toEqual([1, 0]);
  });
});
