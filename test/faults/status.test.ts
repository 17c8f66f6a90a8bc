import { describe, expect, test } from "vitest";
import { leaks } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { answer, head } from "./answers.ts";
import { aMoment, check, type Fault, methods, testFaults } from "./faults.ts";
import { answering, sends } from "./peers.ts";

const refusal = JSON.stringify({ code: 401, message: "Authentication failed" });
const page = "<html><head><title>Forbidden</title></head></html>";
const type = "Content-Type: application/json";
const html = "Content-Type: text/html";

const text = "Content-Type: text/plain";
const challenge = (...fields: readonly string[]): readonly string[] => [
  type,
  ...fields.map((field) => `WWW-Authenticate: ${field}`),
];
const notBlamed = "nothing shows that the API itself answered, so this proves nothing about the credential";
const chunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

type Row = readonly [title: string, exit: 4 | 5 | 6, bytes: Uint8Array, says?: string];

const rows: readonly Row[] = [
  ["404", 6, answer("404 Not Found", '{"code":404,"message":"No"}'), "there is nothing at this address"],
  ["405", 6, answer("405 Method Not Allowed", refusal), "(405)"],
  ["407 from the origin", 6, answer("407 Proxy Authentication Required", refusal), "(407)"],
  ["400", 6, answer("400 Bad Request", refusal), "(400)"],
  ["418", 6, answer("418 I'm a teapot", refusal), "(418)"],
  ["426 with an upgrade", 6, answer("426 Upgrade", refusal, ["Connection: upgrade", "Upgrade: h2c"])],
  [
    "403 as a web page",
    6,
    answer("403 Forbidden", page, [html]),
    `403 with a web page titled "Forbidden": ${notBlamed}`,
  ],
  ["401 as a web page", 6, answer("401 Unauthorized", page, [html]), "401 with a web page"],
  ["401 as a web page that says it is JSON", 6, answer("401 No", page), "401 with a web page"],
  ["403 as XHTML", 6, answer("403 No", `<?xml version="1.0"?>\n${page}`, [type]), "403 with a web page"],
  [
    "403 as a page of type XHTML",
    6,
    answer("403 No", "No", ["Content-Type: application/xhtml+xml"]),
    "a web page",
  ],
  [
    "403 as a page in Latin-1",
    6,
    answer("403 No", Buffer.from("<html><title>Gesperrt für alle", "latin1"), [html]),
    "403 with a web page titled",
  ],
  [
    "403 as a page that begins with a heading",
    6,
    answer("403 No", "<h1>Forbidden</h1>", [text]),
    "a web page",
  ],
  [
    "403 as a page that begins with its title",
    6,
    answer("403 No", "<title>No</title>", [text]),
    'titled "No"',
  ],
  [
    "403 as plain text of a CDN",
    6,
    answer("403 No", "error code: 1020", [text]),
    `403 with plain text: ${notBlamed}`,
  ],
  ["401 as XML", 6, answer("401 No", "<error/>", ["Content-Type: text/xml"]), "401 with XML"],
  ["401 as a JSON array", 6, answer("401 No", `[${refusal}]`), "401 with JSON that is not an object"],
  ["401 as a JSON text", 6, answer("401 No", '"No"'), "401 with JSON that is not an object"],
  [
    "401 as JSON that ends early",
    6,
    answer("401 No", refusal.slice(0, -1)),
    "401 with a body that is not JSON",
  ],
  [
    "401 in gzip, by a second field",
    6,
    answer("401 No", refusal, [type, "Content-Encoding: identity", "Content-Encoding: gzip"]),
    "gzip",
  ],
  [
    "401 in gzip, by a list",
    6,
    answer("401 No", refusal, [type, "Content-Encoding: identity, gzip"]),
    "gzip",
  ],
  [
    "401 in gzip, by the transfer",
    6,
    Buffer.from(`${head("HTTP/1.1 401 No", type, "Transfer-Encoding: gzip, chunked")}${chunk(refusal)}`),
    "gzip",
  ],
  ...["DPoP", "Mutual", "OAuth", "PrivateToken", "AWS4-HMAC-SHA256"].map(
    (scheme): Row => [
      `401 with a ${scheme} challenge`,
      6,
      answer("401 No", refusal, challenge(`${scheme} realm="x"`)),
      scheme.toLowerCase(),
    ],
  ),
  ["401 with WSSE beside Basic", 6, answer("401 No", refusal, challenge("WSSE", "Basic")), "(basic)"],
  [
    "401 with a challenge that HTTP forbids",
    6,
    answer("401 No", refusal, challenge('WSSE realm="x')),
    notBlamed,
  ],
  ["401 with a Basic challenge", 6, answer("401 No", refusal, [type, 'WWW-Authenticate: Basic realm="x"'])],
  ["401 with a Negotiate challenge", 6, answer("401 No", "", ["WWW-Authenticate: Negotiate"])],
  ["401 with a proxy's challenge", 6, answer("401 No", refusal, ["Proxy-Authenticate: NTLM"])],
  ["401 with JSON", 4, answer("401 Unauthorized", refusal)],
  ["401 with an empty body", 4, answer("401 Unauthorized")],
  ["401 with a WSSE challenge", 4, answer("401 No", "", ['WWW-Authenticate: WSSE realm="x", profile="y"'])],
  ["401 with a Token challenge and a web page", 4, answer("401 No", page, challenge("token"))],
  [
    "401 with a challenge of each kind of the API's own",
    4,
    answer("401 No", "No", challenge('UsernameToken realm="Basic, x"', "X-Auth-Token, , WSSE a=b")),
  ],
  [
    "401 with JSON in chunks",
    4,
    Buffer.from(`${head("HTTP/1.1 401 No", type, "Transfer-Encoding: chunked")}${chunk(refusal)}`),
  ],
  ["403 with JSON", 4, answer("403 Forbidden", refusal)],
  ["403 with an empty body", 4, answer("403 Forbidden")],
  ["429", 5, answer("429 Too Many Requests", refusal, ["Retry-After: 1"])],
  ["500", 5, answer("500 Internal Server Error", refusal)],
  ["502 as a web page", 5, answer("502 Bad Gateway", page, [html])],
  ["503 with a far Retry-After", 5, answer("503 Busy", "", ["Retry-After: 99999999999"])],
  ["503 with a Retry-After of no sense", 5, answer("503 Busy", "", ["Retry-After: soon"])],
  ["599", 5, answer("599 What", "")],
];

const alsoAsChild = new Set([
  "404",
  "401 with JSON",
  "403 as a web page",
  "403 as plain text of a CDN",
  "503 with a far Retry-After",
]);

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
