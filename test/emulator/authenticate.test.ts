import { describe, expect, test } from "vitest";
import { knownAccounts } from "../../src/emulator/accounts.ts";
import { authenticate } from "../../src/emulator/authenticate.ts";
import { createdSeconds } from "../../src/emulator/created.ts";
import { nonceMemory } from "../../src/emulator/nonces.ts";
import type { Headers } from "../../src/emulator/requests.ts";
import { conventionNames, hashNames } from "../../src/wsse/digest.ts";
import { wsseHeader } from "../../src/wsse/header.ts";
import { vectors } from "../wsse/vectors.ts";
import * as support from "./support.ts";

const { authenticated, credentials, headerWith, known, now, verdict, withToken, withWsse, wsse } = support;
const { token, secret } = credentials;
const createdAfter = (seconds: number): Headers => withWsse(wsse({ now: now + seconds * 1000 }));

test.each<[string, Headers, string]>([
  ["the token", withToken(token), "200 accepted: X-Auth-Token"],
  ["a UsernameToken", withWsse(wsse()), "200 accepted: X-WSSE"],
  ["no credentials", {}, "401 missing: neither X-WSSE nor X-Auth-Token was sent"],
  ["another scheme", { authorization: ["Basic bWU6cHc="] }, "; Authorization alone does not authenticate"],
  ["both", { ...withWsse(wsse()), ...withToken(token) }, "401 malformed: both X-WSSE and X-Auth-Token"],
  ["two tokens", withToken(token, token), "401 malformed: X-Auth-Token was sent more than once"],
  ["two UsernameTokens", withWsse(wsse(), wsse()), "401 malformed: X-WSSE was sent more than once"],
  ["an empty token", withToken(""), "401 malformed: X-Auth-Token is empty"],
  ["an unreadable header", withWsse("x"), "401 malformed: X-WSSE does not begin with UsernameToken"],
  [
    "no real date",
    headerWith("00ff", "2026-02-30T00:00:00Z"),
    "401 malformed: Created is not a real time in",
  ],
  [
    "another user",
    withWsse(wsse({ username: "a@b.cd" })),
    'Username is "a@b.cd"; this server knows "me@exam',
  ],
  ["the token as user", withWsse(wsse({ username: token })), '401 unknown user: Username is "[secret]";'],
  ["the secret as user", withWsse(wsse({ username: secret })), '401 unknown user: Username is "[secret]";'],
  ["another secret", withWsse(wsse({ secret: "a" })), "401 digest: does not match text-nonce with sha1"],
  ["a late request", createdAfter(-412), "401 stale: Created is 412 s behind this server; 300 s are allowed"],
  ["one too late", createdAfter(-301), "401 stale: Created is 301 s behind"],
  ["one just in time", createdAfter(-300), "200 accepted: X-WSSE"],
  ["one just not too early", createdAfter(300), "200 accepted: X-WSSE"],
  ["one too early", createdAfter(301), "401 stale: Created is 301 s ahead of this server"],
  ["a token unlike it", withToken("f".repeat(40)), "401 token: is not this server's, though it has the same"],
  [
    "a token cut short",
    withToken("0123"),
    "401 token: is not this server's; it has 4 characters, this server",
  ],
  ["the secret as the token", withToken(secret), "401 token: is the secret"],
  ["a scheme", withToken(`Bearer ${token}`), "401 token: begins with a scheme"],
  ["quotation marks", withToken(`"${token}"`), "401 token: is in quotation marks"],
  [
    "another case",
    withToken(token.toUpperCase()),
    "401 token: differs from this server's in upper and lower",
  ],
])("%s gets its verdict", (_title, sent, expected) => {
  expect(verdict(sent)).toContain(expected);
});

test("a nonce is accepted once, and only an accepted request uses it", () => {
  const nonces = nonceMemory(300, 1);
  const { nonce } = support;
  const sent = (changes: object) => verdict(withWsse(wsse({ nonce, ...changes })), { nonces });
  expect(sent({ secret: "other" })).toContain("401 digest");
  expect(sent({ now: now - 301_000 })).toContain("401 stale");
  expect(sent({})).toContain("200 accepted");
  expect(sent({})).toBe("401 replayed: the Nonce has been used before");
  // A wrong digest is told first, so that nobody learns which nonces were used.
  expect(sent({ secret: "other" })).toContain("401 digest");
  expect(verdict(withWsse(wsse()), { nonces })).toBe(
    "503 full: no more nonces can be remembered until the oldest expire",
  );
});

test.each(conventionNames.flatMap((digest) => hashNames.map((hash) => ({ digest, hash }))))(
  "an account of $digest with $hash accepts what the client sends, without a note, even with --strict",
  (algorithm) => {
    const result = authenticated(withWsse(wsse(algorithm)), { ...algorithm, strict: true });
    expect(result).toMatchObject({ status: 200, notes: [] });
  },
);

test("what other implementations computed is accepted", () => {
  const published = vectors.filter(({ nonce, username }) => nonce !== "" && !username.includes('"'));
  expect(published.length).toBeGreaterThan(10);
  for (const { digest, hash, secret, ...token } of published) {
    const accounts = knownAccounts([{ ...known, username: token.username, secret, digest, hash }]);
    const rules = { accounts, strict: false, nonces: nonceMemory(300, 1) };
    const result = authenticate(withWsse(wsseHeader(token)), rules, createdSeconds(token.created) ?? 0);
    expect(result, `${digest} ${token.nonce} ${token.created}`).toMatchObject({ status: 200 });
  }
});

describe("of several accounts", () => {
  const west = {
    ...known,
    username: "west@example.com",
    secret: "west",
    token: "west",
    digest: "hex-digest",
  };
  const twin = { ...known, secret: "twin", token: "twin" };
  const accounts = knownAccounts([known, west as typeof known, twin]);
  const byTextNonce = wsse({ secret: "west", username: west.username });

  test.each([
    ["the first", withWsse(wsse()), known, "200 accepted"],
    ["one with its own convention", withWsse(wsse({ ...(west as typeof known) })), west, "200 accepted"],
    ["one with the same username", withWsse(wsse({ secret: "twin" })), twin, "200 accepted"],
    ["no such username", withWsse(wsse({ username: "a@b.cd" })), null, "knows 3 others"],
    [
      "another's convention",
      withWsse(byTextNonce),
      west,
      "matches text-nonce; this server expects hex-digest",
    ],
    [
      "no such secret",
      withWsse(wsse({ secret: "other" })),
      known,
      "401 digest: does not match text-nonce with",
    ],
    ["no such token", withToken("other"), null, "401 token: is none of this server's 3"],
    ["another's secret as token", withToken(secret), null, "401 token: is the secret"],
  ])("%s is judged by its own rules", (_title, sent, account, expected) => {
    expect(authenticated(sent, { accounts })).toMatchObject({ account });
    expect(verdict(sent, { accounts })).toContain(expected);
  });
});

describe('--authorization wsse wants WSSE profile="UsernameToken" beside X-WSSE', () => {
  const refusal = '401 authorization: Authorization: WSSE profile="UsernameToken" was not sent beside X-WSSE';

  test.each([
    [['WSSE profile="UsernameToken"'], "200 accepted: X-WSSE"],
    [['wsse Profile="UsernameToken"'], "200 accepted: X-WSSE"],
    [["WSSE profile=UsernameToken"], "200 accepted: X-WSSE"],
    [['WSSE  profile = "UsernameToken"'], "200 accepted: X-WSSE"],
    [[], refusal],
    [[""], refusal],
    [["WSSE"], refusal],
    [['WSSE profile="Other"'], refusal],
    [['WSSE profile="UsernameToken'], refusal],
    [["Basic bWU6cHc="], refusal],
    [['Basic profile="UsernameToken"'], refusal],
  ])("%j: %s", (authorization, expected) => {
    expect(verdict({ ...withWsse(wsse()), authorization }, { authorization: "wsse" })).toBe(expected);
    expect(verdict({ ...withWsse(wsse()), authorization })).toBe("200 accepted: X-WSSE");
  });

  test("a token needs none", () => {
    expect(verdict(withToken(token), { authorization: "wsse" })).toBe("200 accepted: X-Auth-Token");
  });
});
