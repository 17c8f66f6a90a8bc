import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { knownAccounts } from "../../src/emulator/accounts.ts";
import type { EmulatorRequest } from "../../src/emulator/request.ts";
import { conventionNames, hashNames } from "../../src/wsse/digest.ts";
import * as support from "./support.ts";

const { authenticated, credentials, headerWith, known, nonce, now, verdict, withToken, withWsse, wsse } =
  support;
const { token, secret } = credentials;
const wsseWith = (changes: Parameters<typeof wsse>[0]): EmulatorRequest["headers"] => withWsse(wsse(changes));
const other = { username: "a@b.cd", digest: "hex-digest" } as const;
const createdAfter = (seconds: number): EmulatorRequest["headers"] => wsseWith({ now: now + seconds * 1000 });

test.each<[string, EmulatorRequest["headers"], string]>([
  ["another scheme", { authorization: ["Basic bWU6cHc="] }, "; Authorization alone does not authenticate"],
  ["both", { ...withWsse(wsse()), ...withToken(token) }, "401 malformed: both X-WSSE and X-Auth-Token"],
  ["two tokens", withToken(token, token), "401 malformed: X-Auth-Token was sent more than once"],
  ["two UsernameTokens", withWsse(wsse(), wsse()), "401 malformed: X-WSSE was sent more than once"],
  ["an empty token", withToken(""), "401 malformed: X-Auth-Token is empty"],
  ["an unreadable header", withWsse("x"), "401 malformed: X-WSSE does not begin with UsernameToken"],
  ["no real date", headerWith("00ff", "2026-02-30T00:00:00Z"), "malformed: Created is not a real time in"],
  // It says nothing about the digest of an unknown user.
  ["another user", wsseWith(other), '401 unknown user: Username is "a@b.cd"; this server knows "me@example.'],
  ["a long username", wsseWith({ username: "x".repeat(300) }), `Username is "${"x".repeat(199)}…"; this`],
  ["the secret as user", wsseWith({ username: secret }), '401 unknown user: Username is "[secret]";'],
  ["another secret", wsseWith({ secret: "a" }), "401 digest: does not match text-nonce with sha1"],
  ["one too late", createdAfter(-301), "401 stale: Created is 301 s behind this server; 300 s are allowed"],
  ["one just in time", createdAfter(-300), "200 accepted: X-WSSE"],
  ["one just not too early", createdAfter(300), "200 accepted: X-WSSE"],
  ["one too early", createdAfter(301), "401 stale: Created is 301 s ahead of this server"],
  ["another token", withToken("0123"), "is not this server's; it has 4 characters, this server's has 40"],
  ["the secret as the token", withToken(secret), "401 token: is the secret"],
  ["a scheme", withToken(`Bearer ${token}`), "401 token: begins with a scheme"],
  ["quotation marks", withToken(`"${token}"`), "401 token: is in quotation marks"],
])("%s gets its verdict", (_title, sent, expected) => {
  expect(verdict(sent)).toContain(expected);
});

const algorithms = conventionNames.flatMap((digest) => hashNames.map((hash) => ({ digest, hash })));

test.each(algorithms)("with $digest and $hash, --strict accepts what a client sends", (algorithm) => {
  const result = authenticated(withWsse(wsse(algorithm)), { ...algorithm, strict: true });
  expect(result).toMatchObject({ status: 200, notes: [] });
});

test("accepts every printable nonce and form of Created, hashed as sent, and notes what is unusual", () => {
  const clock = new Date(now).toISOString();
  const forms = [
    clock,
    clock.replace("Z", "+00:00"),
    ...["Z", "+0000"].map((zone) => clock.replace(".000Z", zone)),
  ];
  const created = fc.constantFrom(...forms, clock.replaceAll(/[-:]|\.000/g, ""));
  const nonce = fc.stringMatching(/^[ !#-~]{1,128}$/);
  fc.assert(
    fc.property(nonce, created, fc.constantFrom(...conventionNames), (wireNonce, time, digest) => {
      const sent = headerWith(wireNonce, time, { digest });
      const { status, notes } = authenticated(sent, { digest });
      const unusual = [/^Nonce is not /, /^Created is not /].map((note) => expect.stringMatching(note));
      expect({ status, notes }).toEqual({ status: 200, notes: unusual });
      const strict = { reasons: [{ rule: "malformed", detail: notes.join("; ") }], notes: [] };
      expect(authenticated(sent, { digest, strict: true })).toMatchObject(strict);
    }),
  );
});

describe("of several accounts", () => {
  const own = { username: "west@example.com", secret: "west", token: "west" };
  const west = { ...known, ...own, digest: "hex-digest" } as const;
  const twin = { ...known, secret: "twin", token: "twin" };
  const accounts = knownAccounts([known, west, twin]);

  test.each([
    ["the first", wsseWith({}), known, "200 accepted"],
    ["one with its own convention", wsseWith({ ...own, digest: "hex-digest" }), west, "200 accepted"],
    ["one with the same username", wsseWith({ secret: "twin" }), twin, "200 accepted"],
    ["no such username", wsseWith({ username: "a@b.cd" }), null, "knows 3 others"],
    ["another's convention", wsseWith(own), west, "matches text-nonce; this server expects hex-digest"],
    ["no such secret", wsseWith({ secret: "other" }), known, "401 digest: does not match text-nonce with"],
    ["no such token", withToken("other"), null, "401 token: is none of this server's 3"],
  ])("%s is judged by its own rules", (_title, sent, account, expected) => {
    expect(authenticated(sent, { accounts })).toMatchObject({ account });
    expect(verdict(sent, { accounts })).toContain(expected);
  });
});

const authorizations: Readonly<Record<string, readonly (string | undefined)[]>> = {
  "200 accepted: X-WSSE": [
    ...['WSSE profile="UsernameToken"', 'wsse Profile="UsernameToken"', "WSSE profile=UsernameToken"],
    'WSSE  profile = "UsernameToken"',
  ],
  '401 authorization: Authorization: WSSE profile="UsernameToken" was not sent beside X-WSSE': [
    ...[undefined, "WSSE", 'WSSE profile="Other"', 'WSSE profile="UsernameToken'],
    'Basic profile="UsernameToken"',
  ],
};

test.each(Object.entries(authorizations))(
  "where it is required beside X-WSSE, %s is said of %j",
  (said, values) => {
    for (const value of values) {
      const sent = { ...withWsse(wsse()), authorization: value === undefined ? [] : [value] };
      expect(verdict(sent, { authorization: "wsse" }), value).toBe(said);
      expect(verdict(sent)).toBe("200 accepted: X-WSSE");
    }
    expect(verdict(withToken(token), { authorization: "wsse" })).toBe("200 accepted: X-Auth-Token");
  },
);

test("the last 100,000 nonces are remembered", () => {
  const nonces = new Set(Array.from({ length: 100_000 }, (_, index) => `${index}`));
  const sent = (wire: string) => verdict(headerWith(wire, "2026-11-21T03:31:00+00:00"), { nonces });
  expect(sent("new")).toBe("200 accepted: X-WSSE");
  expect(["new", "1"].map(sent)).toEqual(Array(2).fill("401 replayed: the Nonce has been used before"));
  expect(sent("0")).toBe("200 accepted: X-WSSE");
});

test("a nonce is accepted once, and only an accepted request uses it", () => {
  const nonces = new Set<string>();
  const sent = (changes: object) => verdict(withWsse(wsse({ nonce, ...changes })), { nonces });
  expect(sent({ secret: "other" })).toContain("401 digest");
  expect(sent({ now: now - 301_000 })).toContain("401 stale");
  expect(sent({})).toContain("200 accepted");
  expect(sent({})).toBe("401 replayed: the Nonce has been used before");
  // A wrong digest is told first, so that nobody learns which nonces were used.
  expect(sent({ secret: "other" })).toContain("401 digest");
});
