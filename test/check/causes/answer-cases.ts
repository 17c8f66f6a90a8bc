import { accountLocked } from "../../../src/check/changes.ts";
import { nothingToTry, stopped } from "../../../src/check/diagnose/conclusions.ts";
import type { UnexpectedReason } from "../../../src/check/outcome.ts";
import { type Finding, measured } from "../../../src/check/result.ts";
import type { Fix } from "../../../src/settings/fix.ts";
import { type AnswerParts, failed, replied } from "../../support/exchanges.ts";
import { outcomeOf } from "../../support/outcomes.ts";
import { each } from "../../support/texts.ts";
import { accepted, answered, type Case, type Cases, dated, page, rejected, token, wsse } from "./found.ts";

const typed = (type: string | readonly string[]): Pick<AnswerParts, "headers"> => ({
  headers: { "content-type": type },
});

/** Responses for each reason why one is not this API's. */
const reasons = {
  malformed: [{ status: 999 }],
  "too-large": [{ truncated: true }],
  encoded: [{ headers: { "content-encoding": "gzip" } }],
  redirect: [{ status: 301 }, { status: 302, headers: { location: "/login?next=/v1" } }],
  "web-page": [
    page("Sign in"),
    { body: "<html>" },
    { status: 404, ...page("Not Found") },
    { status: 404, ...page("Request Header Or Cookie Too Large") },
    { status: 407, ...page("Proxy") },
  ],
  "foreign-challenge": [{ status: 401, headers: { "www-authenticate": 'Basic realm="x"' } }],
  "no-evidence": [
    { status: 403, body: "No", ...typed("text/plain") },
    { status: 403, body: "Account locked" },
    { status: 401, bodyEnd: "connection" },
  ],
  gateway: [
    { status: 403, body: "{}", headers: { "x-kong-response-latency": "1" } },
    { status: 403, body: "{}", headers: { "x-amzn-errortype": "ForbiddenException" } },
  ],
  cached: [{ status: 401, headers: { age: "2" } }],
  contradiction: [{ body: '{"code":401}' }, { body: '{"code":404}' }],
  status: [
    { status: 404 },
    { status: 404, body: '{"error":"locked"}' },
    { status: 423 },
    { status: 423, body: '{"message":"Locked"}', headers: { "retry-after": "900" } },
    { status: 511 },
    { status: 304 },
    ...[402, 405, 407, 410, 421, 426, 431, 451].map((status) => ({ status })),
    { status: 418, body: "{}" },
    { status: 418, body: "No", ...typed("text/csv") },
    { status: 400, body: '{"message":"Too many failed logins"}' },
  ],
  empty: [{}],
  "not-json": [
    { body: '{"code":200,"message":"a' },
    { body: Buffer.from([0x1f, 0x8b, 8, 0]) },
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
  { status: 401, headers: { "www-authenticate": 'WSSE realm="x"' } },
  { status: 401, body: '{"error":"ACCOUNT_LOCKED"}' },
  { status: 403 },
  { status: 403, body: '{"code":403,"message":"No"}' },
  { status: 403, body: '{"code":403,"message":"No"}', headers: { "x-amzn-requestid": "1", "cf-ray": "1" } },
  { status: 403, body: '{"error":"Too many logins"}', headers: { "retry-after": "900" } },
  { status: 429 },
  { status: 429, headers: { "retry-after": "7" } },
  { status: 429, headers: { "retry-after": "soon" } },
  { status: 408 },
  { status: 503, headers: { "retry-after": "2m" } },
  { status: 500 },
  { status: 503, headers: { age: "2" } },
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
const busy = { status: 503, headers: { "retry-after": "30" } };

export const unexpected: Cases = each(Object.values(reasons).flat() as readonly AnswerParts[], (parts) =>
  answered(parts),
);

export const answers: Cases = {
  ...each(ofTheApi, (parts) => answered(parts)),
  "a failing gateway's page": answered({ status: 502, ...page("Bad Gateway") }),
  accepted: { exchange: accepted() },
  ...each(
    [
      ["Contradictory lengths", "HTTP/1.1 200 OK\r\nContent-Length: 91\r\nContent-Length: 91\r\n\r\n{}"],
      ["Missing expected CR", "HTTP/1.1 200 OK\nContent-Length: 91\n\n{}"],
      ["Expected HTTP/", "SSH-2.0-OpenSSH_9.6\r\n"],
    ] as const,
    ([problem, text]) => malformed(problem, text),
  ),
  "HTTP/2": malformed("HTTP/2 instead of HTTP/1.1"),
  "TLS in place of HTTP": malformed("TLS instead of HTTP/1.1"),
  "busy, and not retried": answered(busy, { notRetried: "not retried: why" }),
  "not sent": { ...nowhere, outcome: { kind: "unavailable", response: null } },
  "not checked": { ...nowhere, outcome: outcomeOf["not-checked"] },
  "a bug": { ...nowhere, outcome: outcomeOf.failed },
  "accepts everybody": {
    ...nowhere,
    outcome: { ...outcomeOf.unexpected, reason: { kind: "no-authentication" } },
  },
  "a diagnosis that ruled out all": {
    exchange: rejected(dated(400)),
    credential: wsse({ username: "me" }),
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
const leading = (baseUrl: string, location: string): Case => ({
  ...answered({ status: 302, headers: { location } }),
  baseUrl,
});

/** Where an address leads. */
export const redirects: Cases = {
  ...each(
    [
      "/v2/test-authentication?key=x#y",
      "/sign-in",
      "/v1/test-authentication/",
      "https://api.example.com:8443/v2/test-authentication/?key=x",
      "http://api.example.com/v2",
      "http://api.example.com/v1/test-authentication",
      "/v1/test-authentication",
      "https://u:p@www.example.com/v2?key=x",
      "https://www.example.com/v1/test-authentication",
      "ftp://www.example.com/v2",
    ],
    (location) => leading(https, location),
  ),
  "http to https": leading(http, endpoint),
  "http to another path of https": leading(http, endpoint.replace("v1", "v2")),
  "http on port 8080 to https": leading(http.replace(".com", ".com:8080"), endpoint),
};
