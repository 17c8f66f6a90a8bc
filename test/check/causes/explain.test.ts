import { expect, test } from "vitest";
import { type Finding, measured, possible } from "../../../src/check/result.ts";
import type { Step } from "../../../src/http/failure.ts";
import { type Fix, fix, nowSet, setTo } from "../../../src/settings/fix.ts";
import { settingsInWords, settingsOf, variables } from "../../settings/settings-of.ts";
import { type AnswerParts, failed, replied } from "../../support/exchanges.ts";
import { type Case, explained, hex40, token, wsse } from "./found.ts";

const refused = replied({ status: 401, body: '{"code":401,"message":"No"}' });
const told = (diagnosed: readonly Finding<Fix>[], more: Partial<Case> = {}) =>
  explained({ exchange: refused, credential: wsse(), diagnosed, ...more });
const proof = (...advice: Fix): Finding<Fix> => ({
  ...measured("digest-convention", "accepted so", advice),
  certainty: "proved",
});

test("three things are advised at most, the surest first; if something is proved, only that", () => {
  const found = [
    possible("clock-ahead", "c", ["Do c"]),
    measured("clock-ahead", "a", ["Do a"]),
    possible("clock-ahead", "d", ["Do d"]),
    measured("clock-ahead", "b", ["Do b"]),
  ];
  expect(told(found).advice).toEqual(["Do a", "Do b", "Do c"]);
  expect(told([...found, proof("Do this")]).advice).toEqual(["Do this"]);
});

test("what ended the exchange is advised about before the variables that are set; without TLS none for certificates is looked for", () => {
  const networkVariables = (certificates: object | null): readonly string[] =>
    certificates === null ? ["ALL_PROXY is set and not used"] : ["CURL_CA_BUNDLE is set and not used"];
  const said = (step: Step, code: string) =>
    explained({ exchange: failed({ step, code }), hints: { networkVariables } });
  const { advice, findings } = said("lookup", "ENOTFOUND");
  expect(findings[0]?.message).toBe("ALL_PROXY is set and not used");
  expect(advice.map((one) => one.split(" ", 4).join(" "))).toEqual([
    "Check the spelling of",
    "If only a proxy",
  ]);
  expect(said("tls", "EOF").findings[0]?.message).toBe("CURL_CA_BUNDLE is set and not used");
});

const digest = proof(...setTo("digest", "base64-nonce"));
const bySha256 = { credential: { ...wsse(), hash: "sha256" } as Case["credential"] & object };
test.each<[what: string, diagnosed: Finding<Fix>, more: Partial<Case>, flags: string | null]>([
  ["nothing proved", measured("clock-ahead", "a", ["Do a"]), {}, null],
  ["a convention", digest, {}, " --digest base64-nonce"],
  ["a convention beside a hash that is set", digest, bySha256, " --digest base64-nonce --hash sha256"],
  ["another proof", proof("Do this"), {}, ""],
  ["that nobody is refused", { ...digest, id: "no-authentication" }, {}, null],
  ["a convention for a token", digest, { credential: token(hex40) }, null],
  ["a convention for a program", digest, { hints: { isCommandLine: false } }, null],
])("after a diagnosis that shows %s, the emulator can say what to change in a client", (...row) => {
  const [, diagnosed, more, flags] = row;
  const way = `referral-auth emulator${flags}: its log says what to change in a client of your own`;
  expect(told([diagnosed], more).alternatives).toEqual(flags === null ? [] : [way]);
});

test("the place of the credential is told once: its own line names it where the API judged it", () => {
  const settings = settingsOf([variables({ token: "t", username: "u", secret: "s" })]);
  const advice = (setting: "token" | "username" | "secret", more: Partial<Case> = {}) =>
    told([measured("clock-ahead", "a", fix`Look ${nowSet(setting)}`)], {
      hints: settingsInWords(settings),
      ...more,
    }).advice;
  expect(advice("secret")).toEqual(["Look"]);
  expect(advice("username")).toEqual(["Look (now set by REFERRAL_USERNAME)"]);
  expect(advice("token", { credential: token(hex40) })).toEqual(["Look"]);
  expect(advice("secret", { exchange: replied({ status: 502 }) })).toContain(
    "Look (now set by REFERRAL_SECRET)",
  );
});

test.each([
  ["through a proxy that did not answer", failed({ at: "proxy", step: "connect" }), false],
  ["without a proxy", failed({ step: "connect" }), true],
  ["with a response", replied({ status: 502 }), true],
])("the place of the proxy is told by the headline of a failure %s; else advice tells it: %s", (...row) => {
  const [, exchange, isTold] = row;
  const hints = settingsInWords(settingsOf([variables({ proxy: "http://p.example:3128" })]));
  const { advice } = told([measured("clock-ahead", "a", fix`Look ${nowSet("proxy")}`)], { exchange, hints });
  expect(advice.join().includes("REFERRAL_PROXY")).toBe(isTold);
});

// test/check/causes/texts/clocks.txt has the clock in the headline.
test("the headline tells a proof, and nothing that is only possible", () => {
  const headlineOf = (found: Finding<Fix>) => explained({ exchange: refused, diagnosed: [found] }).headline;
  expect(headlineOf(digest)).toBe("the API refused this credential, and accepted so");
  expect(headlineOf(possible("clock-ahead", "a", ["Do a"]))).toBe("the API refused this credential");
});

test("a diagnosis is advised where it would begin, and after a lock nothing is but to wait", () => {
  const isAdvised = (parts: AnswerParts): boolean =>
    explained({ exchange: replied(parts) }).diagnosisRequests !== null;
  const json = '{"message":"No"}';
  for (const status of [400, 401, 403, 422]) expect(isAdvised({ status, body: json })).toBe(true);
  for (const status of [302, 404, 418, 423]) expect(isAdvised({ status, body: json })).toBe(false);
  expect(isAdvised({ status: 401, body: json, headers: { "retry-after": "9" } })).toBe(false);
  expect(isAdvised({ status: 401, body: '{"message":"Too many logins"}' })).toBe(false);
});
