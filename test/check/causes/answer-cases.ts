import { accountLocked } from "../../../src/check/changes.ts";
import { nothingToTry, stopped } from "../../../src/check/diagnose/conclusions.ts";
import type { UnexpectedReason } from "../../../src/check/outcome.ts";
import { type Finding, measured } from "../../../src/check/result.ts";
import { redactorOf } from "../../../src/redaction/redact.ts";
import type { Fix } from "../../../src/settings/fix.ts";
import { type AnswerParts, failed, replied } from "../../support/exchanges.ts";
import { outcomeOf } from "../../support/outcomes.ts";
import { each } from "../../support/texts.ts";
import { accepted, answered, type Cases, dated, page, rejected } from "./exchanges.ts";
import { type Case, token, wsse } from "./found.ts";

const typed = (type: string | readonly string[]): Pick<AnswerParts, "headers"> => ({
  headers: { "content-type": type },
});

/** Responses for each reason why one is not this API's. */
const reasons = {
  malformed: [{ status: 999 }],
  "too-large": [{ truncated: true }],
  encoded: [
    { headers: { "content-encoding": "gzip" } },
    ...["x-gzip", "zstd", "compress", "UTF-8", "none", "gzip2", "my-gzip"].map((coding) => ({
      headers: { "content-encoding": coding },
    })),
    { headers: { "transfer-encoding": "utf-8" } },
  ],
  redirect: [{ status: 301 }, { status: 302, headers: { location: "/login?next=/v1" } }],
  "web-page": [
    page("Sign in"),
    { body: "<html>" },
    { status: 404, ...page("Not Found") },
    { status: 404, ...page("Request Header Or Cookie Too Large") },
    page("Guest WiFi"),
    { status: 403, ...page("Guest WiFi") },
    { status: 400, ...page("Bad Request") },
    { status: 400, ...page("400 The plain HTTP request was sent to HTTPS port") },
    { status: 400, body: "<html>Reason: You're speaking plain HTTP to an SSL-enabled server port.<br />" },
    { status: 426, ...page("400 The plain HTTP request was sent to HTTPS port") },
    { status: 400, body: "<html>No required SSL certificate was sent" },
  ],
  locked: [{ status: 423 }, { status: 423, body: "{}" }, { status: 423, ...page("Locked") }],
  "foreign-challenge": [{ status: 401, headers: { "www-authenticate": 'Basic realm="x"' } }],
  "no-evidence": [
    { status: 403, body: "No", ...typed("text/plain") },
    { status: 403, body: "Blocked by rule 1020" },
    { status: 403, body: "Account locked" },
    { status: 403, body: "Blocked by FortiGuard" },
  ],
  gateway: [
    { status: 403, body: "{}", headers: { "x-kong-response-latency": "1" } },
    { status: 403, body: "{}", headers: { "x-amzn-errortype": "ForbiddenException" } },
  ],
  "no-length": [{ status: 401, bodyEnd: "connection" }],
  cached: [{ status: 401, headers: { age: "2" } }],
  contradiction: [{ body: '{"code":401}' }, { body: '{"code":403}' }, { body: '{"code":404}' }],
  "not-found": [
    { status: 404 },
    { status: 404, body: '{"error":"locked"}' },
    { status: 404, body: "No such app" },
  ],
  "network-login": [{ status: 511 }],
  status: [
    { status: 304 },
    ...[402, 405, 407, 410, 426, 431, 451, 464].map((status) => ({ status })),
    { status: 418, body: "{}" },
    { status: 418, body: "No", ...typed("text/csv") },
    { status: 418, body: "No", ...typed("text/jsonp") },
    { status: 418, body: "No", ...typed([]) },
    { status: 418, body: '{"code":418}', ...typed([]) },
    { status: 418, body: "No", ...typed("application/json") },
    { status: 418, body: "No", ...typed("application/problem+json") },
    { status: 400, body: '{"message":"Too many failed logins"}' },
  ],
  empty: [{}],
  "not-json": [
    { body: '{"code":200,"message":"a' },
    { body: '{"code":200,"message":"a', bodyEnd: "connection" },
    { body: "{'code':200}" },
    {
      body: Buffer.from('{"message":"Gr\xfc\xdfe"}', "latin1"),
      ...typed("application/json; charset=ISO-8859-1"),
    },
    { body: "\0{", ...typed('application/json; charset="utf-16"') },
    { body: Buffer.from([0x1f, 0x8b, 8, 0]) },
    { body: "no", ...typed("text/plain; charset=UTF-8") },
    { body: "No", ...typed("text/csv") },
    { body: "No", ...typed([]) },
  ],
  "wrong-shape": [{ body: "[]" }, { body: '{"code":"401"}' }],
  // A diagnosis finds that the server accepts a request without credentials, not the judgement of one response.
} as const satisfies Record<
  Exclude<UnexpectedReason["kind"], "no-authentication">,
  readonly [AnswerParts, ...AnswerParts[]]
>;

/** Answers that are the API's. */
const ofTheApi: readonly AnswerParts[] = [
  { status: 401 },
  { status: 401, headers: { age: "0" } },
  { status: 401, headers: { "www-authenticate": 'WSSE realm="x"' } },
  { status: 401, body: '{"error":"blocked"}' },
  { status: 403 },
  { status: 403, body: '{"code":403,"message":"No"}' },
  { status: 403, body: '{"code":403,"message":"No"}', headers: { "x-amzn-requestid": "1", "cf-ray": "1" } },
  { status: 403, body: '{"message":"A client certificate is required"}' },
  { status: 403, body: '{"error":"Too many logins"}', headers: { "retry-after": "900" } },
  { status: 429 },
  { status: 429, headers: { "retry-after": "7" } },
  { status: 429, headers: { "retry-after": "soon" } },
  { status: 408 },
  { status: 503, headers: { "retry-after": "2m" } },
  { status: 500 },
  { status: 500, headers: { "x-amzn-errortype": "InternalServerErrorException" } },
  { status: 503 },
  { status: 503, headers: { "retry-after": "3600" } },
  { status: 503, headers: { age: "2" } },
  { status: 599 },
];

/** Words of a lock, wherever a server writes them, and others that are none. */
const locks: readonly object[] = [
  { error: "ACCOUNT_LOCKED" },
  { error: "TooManyAttempts" },
  { message: "too-many-attempts" },
  { message: "Lock out" },
  { error: { title: "UserLockedOut" } },
  { errors: ["Account locked"] },
  { message: "Unauthorized", errors: [{ detail: "Account locked" }] },
  { fault: { faultstring: "Too many failed logins" } },
  { message: "blocked, UNBLOCKED, deadlocked", errors: [{ detail: "No" }] },
];

/** What a 403 says that a firewall may have sent; the last ones are others. */
const blocks = [
  ...["Blocked", "We block this", "WAF rule 7", "Firewall", "Denied by policy", "not allowed from here"],
  ...[
    "Your IP is 192.0.2.1",
    "No allowlist has it",
    "Not in the white list",
    "white-listed",
    "No whitelister",
  ],
  ...["Your IP address is 192.0.2.1", "Unblocked users only", "blocks", "waffle", "not allowed"],
];

const malformed = (problem: string, text = ""): Case => ({
  exchange: {
    kind: "malformed",
    broken: { problem, bytes: Buffer.from(text, "latin1") },
    trace: replied({}).trace,
  },
});

const nowhere = { exchange: failed({ step: "lookup" }) };
const ruledOut: Finding<Fix> = measured("ruled-out", "ruled out: all", ["Compare"]);
const suffixGiven = { suffixGiven: true };
const busy = { status: 503, headers: { "retry-after": "30" } };

export const unexpected: Cases = each(Object.values(reasons).flat() as readonly AnswerParts[], (parts) =>
  answered(parts),
);

export const answers: Cases = {
  ...each(ofTheApi, (parts) => answered(parts)),
  ...each(locks, (body) => answered({ status: 401, body: JSON.stringify(body) })),
  ...each(blocks, (message) => answered({ status: 403, body: JSON.stringify({ message }) })),
  // What a gateway says where the server behind it fails, and what a firewall says for itself.
  ...each(
    [501, 502, 503, 504, 519, 520, 521],
    (status) => answered({ status, ...page("Cloudflare Ray ID: 1") }),
    (status) => `a firewall's page with ${status}`,
  ),
  ...each(["Zscaler", "Service unavailable: down for maintenance"], (words) =>
    answered({ status: 502, ...page(words) }),
  ),
  ...each(["could not be satisfied", "unable to", "time-out", "timeout", "error 503", "error 513"], (words) =>
    answered({ status: 503, ...page(`${words}, Cloudflare Ray ID: 1`) }),
  ),
  ...each(
    [
      ...[
        "Your IP address is not known",
        "Unauthorised IP",
        "Unauthorized IP",
        "Blocked",
        "IP 192.0.2.1 blocked",
      ],
      ...["IP addresses", "Unknown IPs"],
    ],
    (message) => answered({ status: 401, body: JSON.stringify({ message }) }),
    (message) => `401 ${message}`,
  ),
  "words of a block with another status": answered({ status: 400, body: '{"message":"Blocked"}' }),
  "words of a block that say more": answered({
    status: 403,
    body: '{"message":"Account suspended, blocked"}',
  }),
  accepted: { exchange: accepted() },
  ...each(
    [
      ["Contradictory lengths", "HTTP/1.1 200 OK\r\nContent-Length: 91\r\nContent-Length: 91\r\n\r\n{}"],
      ["Contradictory lengths", "HTTP/1.1 200 OK\r\nContent-Length: 91\r\nExpires : 0\r\n\r\n{}"],
      ["Contradictory lengths", "HTTP/1.1 200 OK\r\nContent-Length: 91\r\nContent-Length: 5\r\n\r\n{}"],
      ["Missing expected CR", "HTTP/1.1 200 OK\nContent-Length: 91\n\n{}"],
      ["Headers too large", "HTTP/1.1 200 OK\r\nA: aaa"],
      ["Expected HTTP/", "SSH-2.0-OpenSSH_9.6\r\n"],
    ] as const,
    ([problem, text]) => malformed(problem, text),
  ),
  "HTTP/2": malformed("HTTP/2 instead of HTTP/1.1"),
  "TLS in place of HTTP": malformed("TLS instead of HTTP/1.1"),
  ...each(["/v1/v1", "/api/v1/api/v1/x", "/v1/v10"], (path) =>
    answered({ status: 404 }, { baseUrl: `https://api.example.com${path}` }),
  ),
  "404 at a base URL without a path": answered({ status: 404 }, { baseUrl: "https://api.example.com" }),
  "404 at a path with the endpoint's": answered(
    { status: 404 },
    { baseUrl: "https://api.example.com/test-authentication/v1" },
  ),
  "busy, and not retried": answered(busy, { notRetried: "not retried: why" }),
  ...each(
    [{}, { address: "192.0.2.7" }],
    (more) => answered({ status: 421 }, more),
    (more) => `421, ${JSON.stringify(more)}`,
  ),
  "not sent": { ...nowhere, outcome: { kind: "unavailable", response: null } },
  "not checked": { ...nowhere, outcome: outcomeOf["not-checked"] },
  "a bug": { ...nowhere, outcome: outcomeOf.failed },
  "accepts everybody": {
    ...nowhere,
    outcome: { ...outcomeOf.unexpected, reason: { kind: "no-authentication" } },
  },
  "the endpoint in the base URL": { exchange: accepted(), hints: suffixGiven },
  "the endpoint in the base URL, refused": { exchange: rejected(), hints: suffixGiven },
  "a diagnosis that ruled out all": {
    exchange: rejected(dated(400)),
    credential: wsse({ username: "me" }),
    hints: suffixGiven,
    diagnosed: [ruledOut],
  },
  "a diagnosis that a lock ended": {
    exchange: rejected(),
    credential: token("a-short-one"),
    diagnosed: [stopped("the request ended", ""), accountLocked(null)],
  },
  "a diagnosis with nothing to try": answered(
    { status: 503 },
    { diagnosed: [nothingToTry("only a refusal counts")] },
  ),
  "locked, with a token of another shape": answered(
    { status: 401, body: '{"error":"account_locked"}' },
    { credential: token("a-short-one") },
  ),
};

const [https, http] = ["https://api.example.com/v1", "http://api.example.com/v1"];
const endpoint = `${https}/test-authentication`;
const leading = (baseUrl: string, location: string, redact = redactorOf([])): Case => ({
  ...answered({ status: 302, headers: { location } }),
  baseUrl,
  redact,
});

/** Where an address leads. The last ones name a host that is a secret in base64, as servers and browsers read it. */
export const redirects: Cases = {
  ...each(
    [
      "/v2/test-authentication?key=x#y",
      "../../v2/",
      "/sign-in",
      "/v1/test-authentication/",
      "https://api.example.com/v2",
      "https://api.example.com:8443/v2/test-authentication/?key=x",
      "http://api.example.com/v2",
      "http://api.example.com/v1/test-authentication//",
      "http://api.example.com/v1/test-authentication",
      "/v1/test-authentication",
      "?lang=en",
      "https://u:p@www.example.com/v2?key=x",
      "http://www.example.com/v2",
      "https://www.example.com/v1/test-authentication",
      "/users/sign_in?next=x",
      "https://sso.example.com/",
      "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=1",
      "https://login.microsoftonline.com/test-authentication",
      "https://gateway.zscloud.net/auD?origurl=x",
      "ftp://www.example.com/v2",
    ],
    (location) => leading(https, location),
  ),
  "to a page of bills": leading(https, "/billing/home"),
  "to a page of an API of bills": leading("https://billing.example.com/v1", "/home"),
  "http to https": leading(http, endpoint),
  "http to another path of https": leading(http, endpoint.replace("v1", "v2")),
  "http to a page of https": leading(http, "https://api.example.com/sign-in"),
  "http on port 8080 to https": leading(http.replace(".com", ".com:8080"), endpoint),
  ...each(
    ["https://HOST/", "https:\\\\HOST/", "https:///HOST/", "http:HOST/", "https://HO\tST/"],
    (written) =>
      leading(
        https,
        written.replace("HO", "c2VjcmV0L").replace("ST", "XRva2Vu"),
        redactorOf(["secret-token"]),
      ),
  ),
};
