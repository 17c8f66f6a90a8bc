import { expect, test } from "vitest";
import { stepOf } from "../../../src/check/outcome.ts";
import type { Failure, Step } from "../../../src/http/failure.ts";
import type { ConnectionRecord } from "../../../src/http/record.ts";
import { expired, proxyFailure } from "../../support/exchanges.ts";
import { stepsOf } from "./exchanges.ts";
import { explained, found } from "./found.ts";
import { expectWords, type Words } from "./words.ts";

const api = "api.example.com (192.0.2.7) port 443";
const p = "the proxy p.example:3128 (192.0.2.9, set by the default)";
const checkNetwork = "Check this machine's network: it is slow or loses packets";
const noDns = "Look up another name: if that fails too, check this machine's network and its DNS servers";
const checkProxy = "Check the host and the port of the proxy (set by the default)";
const swallowed = [{ address: "192.0.2.9", code: null, ms: 9_000 }];
const unanswered = [
  { address: "2001:db8::1", code: null, ms: 9_000 },
  { address: "192.0.2.7", code: "ECONNREFUSED", ms: 3 },
];

// The step under way at the end took longest.
test.each<readonly [Partial<Failure>, Partial<ConnectionRecord>, ...Words]>([
  [{ step: "lookup" }, {}, "DNS gave no answer for api.example.com", noDns],
  [
    { step: "connect" },
    { tried: unanswered },
    "api.example.com port 443: [2001:db8::1] did not answer; 192.0.2.7 refused the connection (ECONNREFUSED)",
    "Check the host and the port of the base URL (now set by the default), whether a firewall drops",
  ],
  [
    proxyFailure({ step: "lookup" }),
    {},
    "DNS gave no answer for the proxy p.example:3128 (set by the default)",
    noDns,
  ],
  [
    proxyFailure({ step: "connect" }),
    { tried: swallowed },
    `${p} did not answer`,
    `${checkProxy}, whether a firewall drops or rejects the connection, and whether you need a VPN`,
  ],
  [
    proxyFailure({ step: "tls", received: "nothing" }),
    {},
    `${p} accepted the connection and sent nothing in the TLS handshake`,
    "Check the port of the proxy (set by the default); write http:// in its address if it does not speak",
  ],
  [
    proxyFailure({}),
    {},
    `${p} did not answer CONNECT`,
    `${checkProxy}, and ask its operator whether it allows and reaches api.example.com port 443`,
  ],
  [
    proxyFailure({ step: "proxy" }),
    { steps: stepsOf({ proxy: 40, tls: 9_900 }) },
    `${p} opened the way to api.example.com port 443, and nothing came through it`,
    "Check the port of the base URL (now set by the default), and ask the operator of the proxy",
  ],
  [
    { step: "tls", received: "nothing" },
    {},
    `${api} accepted the connection and sent nothing in the TLS handshake`,
    "Check the port of the base URL (now set by the default), and whether a firewall or a device",
  ],
  [
    { step: "tls", received: "part" },
    {},
    `the TLS handshake with ${api} did not finish: only a part of it came`,
    checkNetwork,
  ],
  [{ step: "request" }, {}, `the request to ${api} could not be sent`, checkNetwork],
  [
    { step: "response" },
    {},
    `the request was sent, but ${api} did not answer in time`,
    "Try again, or raise --timeout",
  ],
])("a deadline that passes at %j, %j: %s", (known, record, words, fix) => {
  const step = stepOf({ step: "response", at: "api", ...known });
  const exchange = expired(known, { steps: stepsOf({ [step]: 9_900 }), ...record });
  expectWords({ exchange }, [`no complete response within 10 s: ${words}`, fix]);
  const measured = explained({ exchange }).findings.filter(({ certainty }) => certainty === "measured");
  expect(measured.map(({ id }) => id)).toEqual(["slow-step", "timeout"]);
});

test("a deadline that passes once the response has begun says that it did not end", () => {
  const words: Words = [`10 s: the response of ${api} did not end`, "Try again, or raise --timeout"];
  const begun = { step: "response", received: "part" } as const;
  expectWords({ exchange: expired(begun, { steps: stepsOf({ response: 9_900 }) }) }, words);
});

test.each<readonly [Step, string, string]>([
  ["lookup", "name lookup", noDns],
  ["connect", "connection", checkNetwork],
  ["proxy", "proxy", "Ask the operator of the proxy why it takes so long"],
  ["tls", "TLS handshake", checkNetwork],
])(
  "a deadline whose time went to the step %s before advises about it, and blames no server",
  (step, name, fix) => {
    const exchange = expired({ step: "response" }, { steps: stepsOf({ [step]: 5_600, response: 4_390 }) });
    const { headline, findings } = explained({ exchange });
    expect(headline).toContain(`within 10 s: the ${name} took longest; then the request was sent, but`);
    for (const finding of findings) expect(finding.fix.slice(0, fix.length)).toBe(fix);
    expect(JSON.stringify([headline, findings])).not.toContain("overloaded");
  },
);

test("a deadline's report has the time of each step that was begun", () => {
  const steps = stepsOf({ lookup: 5_612, connect: 304, tls: 98.7, response: 3_985 });
  expect(found("slow-step", { exchange: expired({ step: "response" }, { steps }) })?.message).toBe(
    "the time went to: name lookup 5.6 s, connection 0.3 s, TLS handshake 0.099 s, request 0.001 s, wait for the response 4 s",
  );
});
