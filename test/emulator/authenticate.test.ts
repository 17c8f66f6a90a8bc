import { describe, expect, test } from "vitest";
import { authenticate, type Presented, type Rules } from "../../src/emulator/authenticate.ts";
import { createdSeconds, nonceShapes } from "../../src/emulator/username-token.ts";
import { type ConventionName, conventionNames, type HashName, hashNames } from "../../src/wsse/digest.ts";
import { type UsernameToken, wsseHeader } from "../../src/wsse/header.ts";
import vectors from "../wsse/vectors.json" with { type: "json" };
import { credentials, now, wsse } from "./support.ts";

const rules: Rules = { credentials, digest: "text-nonce", hash: "sha1", windowSeconds: 300 };
const nonce = Buffer.alloc(20, 0xab);
const hexNonce = nonce.toString("hex");

const withWsse = (...values: string[]): Presented => ({ wsse: values, token: [], authorization: false });
const withToken = (...values: string[]): Presented => ({ wsse: [], token: values, authorization: false });

function judged(presented: Presented, changes: Partial<Rules> = {}, used: readonly string[] = []): unknown {
  const moment = { nowSeconds: now / 1000, used: (one: string) => used.includes(one) };
  return authenticate(presented, { ...rules, ...changes }, moment);
}

const refused = (reason: string, detail: string): unknown => ({
  kind: "refused",
  reason,
  detail: expect.stringContaining(detail),
});

describe("accepts", () => {
  test("the token", () => {
    expect(judged(withToken(credentials.token))).toEqual({ kind: "token" });
  });

  test.each(conventionNames.flatMap((digest) => hashNames.map((hash) => [digest, hash] as const)))(
    "a UsernameToken by %s with %s",
    (digest, hash) => {
      expect(judged(withWsse(wsse({ digest, hash, nonce })), { digest, hash })).toMatchObject({
        kind: "wsse",
        username: credentials.username,
      });
    },
  );

  test.each([-300, -1, 0, 1, 300])("a Created %i s from its clock", (seconds) => {
    expect(judged(withWsse(wsse({ nonce, now: now + seconds * 1000 })))).toEqual({
      kind: "wsse",
      username: credentials.username,
      nonce: hexNonce,
    });
  });

  const published = (
    vectors.vectors as ReadonlyArray<
      UsernameToken & { readonly secret: string; readonly digest: ConventionName; readonly hash: HashName }
    >
  ).filter(({ digest, nonce, username }) => nonceShapes[digest].fits(nonce) && !/["\\]/.test(username));

  test("what other implementations computed", () => {
    expect(published.length).toBeGreaterThan(10);
    for (const { digest, hash, secret, ...token } of published) {
      const known = { ...credentials, username: token.username, secret };
      const moment = { nowSeconds: createdSeconds(token.created) ?? 0, used: () => false };
      const presented = withWsse(wsseHeader(token));
      expect(authenticate(presented, { ...rules, credentials: known, digest, hash }, moment)).toMatchObject({
        kind: "wsse",
      });
    }
  });
});

describe("refuses", () => {
  test.each<[string, Presented, string, string]>([
    ["no credentials", withToken(), "missing", "neither X-WSSE nor X-Auth-Token was sent"],
    [
      "the header of another scheme",
      { wsse: [], token: [], authorization: true },
      "missing",
      "this API does not read Authorization",
    ],
    [
      "both methods, even when both are right",
      { wsse: [wsse()], token: [credentials.token], authorization: false },
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
      withWsse(wsse().replace(/Created="[^"]*"/, 'Created="2026-02-30T00:00:00Z"')),
      "malformed",
      "Created is not a real time",
    ],
    [
      "a nonce of another shape",
      withWsse(wsse().replace(/Nonce="[^"]*"/, 'Nonce="00ff"')),
      "malformed",
      "Nonce is not 40 hexadecimal characters",
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
  ])("%s", (_title, presented, reason, detail) => {
    expect(judged(presented)).toEqual(refused(reason, detail));
  });

  test("a nonce that was used, when all else is right", () => {
    expect(judged(withWsse(wsse({ nonce })), {}, [hexNonce])).toEqual(refused("replayed", "used before"));
  });

  test("a wrong digest before a used nonce, so that it says nothing of nonces", () => {
    expect(judged(withWsse(wsse({ nonce, secret: "other" })), {}, [hexNonce])).toEqual(
      refused("digest", "does not match"),
    );
  });
});

describe("a digest that does not match names what it was made with", () => {
  const others = conventionNames.flatMap((ours) =>
    conventionNames.filter((theirs) => theirs !== ours).map((theirs) => [theirs, ours] as const),
  );
  test.each(others)("%s where %s is wanted", (theirs, ours) => {
    expect(judged(withWsse(wsse({ digest: theirs })), { digest: ours })).toEqual(
      refused("digest", `matches ${theirs}; this server wants ${ours}`),
    );
  });

  test("another hash", () => {
    expect(judged(withWsse(wsse({ hash: "sha512" })))).toEqual(
      refused("digest", "matches sha512; this server wants sha1"),
    );
  });

  test("another convention and hash", () => {
    expect(judged(withWsse(wsse({ digest: "hex-digest", hash: "sha256" })))).toEqual(
      refused("digest", "matches hex-digest with sha256; this server wants text-nonce with sha1"),
    );
  });

  test("the token as the secret", () => {
    expect(judged(withWsse(wsse({ secret: credentials.token })))).toEqual(
      refused("digest", "matches the token as the secret; this server wants the secret itself"),
    );
  });

  test("nothing, for a user that it does not know", () => {
    const header = wsse({ digest: "hex-digest", username: "you@example.com" });
    expect(judged(withWsse(header))).toEqual(refused("unknown user", "you@example.com"));
  });
});

test.each(["token", "secret"] as const)("a %s in the place of the Username is not shown", (name) => {
  const judgement = judged(withWsse(wsse({ username: credentials[name] })));
  expect(judgement).toEqual(refused("unknown user", "[secret]"));
  expect(JSON.stringify(judgement)).not.toContain(credentials[name]);
});
