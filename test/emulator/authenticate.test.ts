import { describe, expect, test } from "vitest";
import { knownAccounts } from "../../src/emulator/accounts.ts";
import { authenticate, type RequestCredentials } from "../../src/emulator/authenticate.ts";
import { createdSeconds } from "../../src/emulator/created.ts";
import { type ConventionName, conventionNames, type HashName, hashNames } from "../../src/wsse/digest.ts";
import { type UsernameToken, wsseHeader } from "../../src/wsse/header.ts";
import vectors from "../wsse/vectors.json" with { type: "json" };
import { authenticated, headerWith, known, nonce, refused, withToken, withWsse } from "./authenticated.ts";
import { credentials, now, wsse } from "./support.ts";

describe("accepts", () => {
  test("the token", () => {
    expect(authenticated(withToken(credentials.token))).toEqual({
      kind: "accepted",
      account: known,
      nonceKey: null,
      notes: [],
    });
  });

  test.each(conventionNames.flatMap((digest) => hashNames.map((hash) => [digest, hash] as const)))(
    "a UsernameToken by %s with %s",
    (digest, hash) => {
      expect(authenticated(withWsse(wsse({ digest, hash, nonce })), { digest, hash })).toMatchObject({
        kind: "accepted",
        account: { username: credentials.username },
      });
    },
  );

  test.each([-300, -1, 0, 1, 300])("a Created %i s from its clock", (seconds) => {
    expect(authenticated(withWsse(wsse({ nonce, now: now + seconds * 1000 })))).toMatchObject({
      kind: "accepted",
      notes: [],
    });
  });

  const published = (
    vectors.vectors as ReadonlyArray<
      UsernameToken & { readonly secret: string; readonly digest: ConventionName; readonly hash: HashName }
    >
  ).filter(({ nonce, username }) => nonce !== "" && !username.includes('"'));

  test("what other implementations computed", () => {
    expect(published.length).toBeGreaterThan(10);
    for (const { digest, hash, secret, ...token } of published) {
      const accounts = knownAccounts([{ ...known, username: token.username, secret, digest, hash }]);
      const replayCheck = { nowSeconds: createdSeconds(token.created) ?? 0, isUsed: () => false };
      const result = authenticate(withWsse(wsseHeader(token)), { accounts, strict: false }, replayCheck);
      expect(result, `${digest} ${token.nonce} ${token.created}`).toMatchObject({ kind: "accepted" });
    }
  });
});

describe("refuses", () => {
  test.each<[string, RequestCredentials, string, string]>([
    ["no credentials", withToken(), "missing", "neither X-WSSE nor X-Auth-Token was sent"],
    [
      "the header of another scheme",
      { wsse: [], token: [], authorization: ["Basic bWU6cHc="] },
      "missing",
      "Authorization alone does not authenticate",
    ],
    [
      "both methods, even when both are right",
      { wsse: [wsse()], token: [credentials.token], authorization: [] },
      "malformed",
      "both X-WSSE and X-Auth-Token",
    ],
    [
      "two tokens",
      withToken(credentials.token, credentials.token),
      "malformed",
      "X-Auth-Token was sent more",
    ],
    ["two UsernameTokens", withWsse(wsse(), wsse()), "malformed", "X-WSSE was sent more than once"],
    ["an empty token", withToken(""), "malformed", "X-Auth-Token is empty"],
    ["an unreadable header", withWsse("x"), "malformed", "does not begin with UsernameToken"],
    [
      "a date that does not exist",
      headerWith("00ff", "2026-02-30T00:00:00Z"),
      "malformed",
      "Created is not a real time in ISO 8601 with a time zone",
    ],
    [
      "a nonce of 129 characters",
      headerWith("0".repeat(129), "2026-11-21T03:31:00Z"),
      "malformed",
      "1 to 128",
    ],
    [
      "another user",
      withWsse(wsse({ username: "you@example.com" })),
      "unknown user",
      'Username is "you@example.com"; this server knows "me@example.com"',
    ],
    ["another secret", withWsse(wsse({ secret: "other" })), "digest", "does not match text-nonce with sha1"],
    [
      "a late request",
      withWsse(wsse({ now: now - 412_000 })),
      "stale",
      "Created is 412 s behind this server",
    ],
    [
      "an early one",
      withWsse(wsse({ now: now + 301_000 })),
      "stale",
      "Created is 301 s ahead of this server",
    ],
    [
      "a token that is unlike",
      withToken("f".repeat(40)),
      "token",
      "is not this server's, though it has the same length",
    ],
    ["a token cut short", withToken("0123"), "token", "it has 4 characters, this server's has 40"],
    ["the secret as the token", withToken(credentials.secret), "token", "is the secret"],
    ["a scheme", withToken(`Bearer ${credentials.token}`), "token", "begins with a scheme"],
    ["quotation marks", withToken(`"${credentials.token}"`), "token", "is in quotation marks"],
    ["another case", withToken(credentials.token.toUpperCase()), "token", "upper and lower case"],
  ])("%s", (_title, sent, reason, detail) => {
    expect(authenticated(sent)).toEqual(refused(reason, detail));
  });

  test("a used nonce", () => {
    expect(authenticated(withWsse(wsse({ nonce })), {}, () => true)).toEqual(
      refused("replayed", "used before"),
    );
  });

  test("a wrong digest before a used nonce, so that it reveals nothing about nonces", () => {
    expect(authenticated(withWsse(wsse({ nonce, secret: "other" })), {}, () => true)).toEqual(
      refused("digest", "does not match"),
    );
  });
});

describe("several accounts", () => {
  const west = {
    ...known,
    username: "west@example.com",
    secret: "west",
    token: "west",
    digest: "hex-digest",
  } as const;
  const twin = { ...known, secret: "twin", token: "twin" };
  const accounts = knownAccounts([known, west, twin]);

  test.each([
    ["the first", wsse(), known],
    ["one with a convention of its own", wsse({ ...west, hash: "sha1" }), west],
    ["one with the same username and another secret", wsse({ secret: "twin" }), twin],
  ])("%s is accepted by its own rules", (_title, header, account) => {
    expect(authenticated(withWsse(header), { accounts })).toMatchObject({ kind: "accepted", account });
  });

  test.each([
    ["a username of none", withWsse(wsse({ username: "you@example.com" })), "unknown user", "knows 3 others"],
    [
      "a convention of another",
      withWsse(wsse({ secret: "west", username: west.username })),
      "digest",
      "text-nonce",
    ],
    [
      "a secret of none",
      withWsse(wsse({ secret: "other" })),
      "digest",
      "does not match text-nonce with sha1",
    ],
    ["a token of none", withToken("other"), "token", "is none of this server's 3"],
    ["another's secret as token", withToken(credentials.secret), "token", "is the secret"],
  ])("%s is refused", (_title, sent, reason, detail) => {
    expect(authenticated(sent, { accounts })).toEqual(refused(reason, detail));
  });
});

test.each(["token", "secret"] as const)("does not show a %s that was sent as Username", (name) => {
  const result = authenticated(withWsse(wsse({ username: credentials[name] })));
  expect(result).toEqual(refused("unknown user", "[secret]"));
  expect(JSON.stringify(result)).not.toContain(credentials[name]);
});
