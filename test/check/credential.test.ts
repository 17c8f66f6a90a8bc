import { expect, test } from "vitest";
import { credentialHeaders, secretsOf } from "../../src/check/credential.ts";
import { token, wsse } from "./found.ts";

const freshness = { now: () => Date.UTC(2026, 10, 21), randomBytes: (size: number) => Buffer.alloc(size, 7) };

test("a token travels in X-Auth-Token as it is", () => {
  expect(credentialHeaders(token("a-token"), freshness)).toEqual({ "X-Auth-Token": "a-token" });
});

test("an account travels in X-WSSE, with the time, 20 random bytes and the digest of its secret", () => {
  expect(credentialHeaders(wsse({ secret: "s" }), freshness)).toEqual({
    "X-WSSE": `UsernameToken Username="me@example.com", PasswordDigest="kmECQFhajeTGiymeBhyStV3WKQM=", Nonce="${"07".repeat(20)}", Created="2026-11-21T00:00:00+00:00"`,
  });
});

test("an account can send the Authorization field beside X-WSSE", () => {
  const credential = wsse({ secret: "s" });
  const withField = { ...credential, authorization: "wsse" } as typeof credential;
  expect(credentialHeaders(withField, freshness)).toEqual({
    ...credentialHeaders(credential, freshness),
    Authorization: 'WSSE profile="UsernameToken"',
  });
});

test("the secret of a credential is its token, or the secret of its account", () => {
  expect(secretsOf(token("a-token"))).toEqual(["a-token"]);
  expect(secretsOf(wsse({ secret: "s" }))).toEqual(["s"]);
});
