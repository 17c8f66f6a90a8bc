import { expect, test } from "vitest";
import { credentialFields, secretsOf } from "../../src/check/credential.ts";
import { token, wsse } from "./causes/found.ts";

const freshness = { now: () => Date.UTC(2026, 10, 21), randomBytes: (size: number) => Buffer.alloc(size, 7) };

test("a token travels in X-Auth-Token as it is", () => {
  expect(credentialFields(token("a-token"), freshness)).toEqual([
    { name: "X-Auth-Token", value: "a-token", secret: "a-token" },
  ]);
});

test("an account travels in X-WSSE, with the time, 20 random bytes and the digest of its secret", () => {
  const digest = "kmECQFhajeTGiymeBhyStV3WKQM=";
  expect(credentialFields(wsse({ secret: "s" }), freshness)).toEqual([
    {
      name: "X-WSSE",
      value: `UsernameToken Username="me@example.com", PasswordDigest="${digest}", Nonce="${"07".repeat(20)}", Created="2026-11-21T00:00:00+00:00"`,
      secret: digest,
    },
  ]);
});

test("an account can send the Authorization field beside X-WSSE", () => {
  const credential = wsse({ secret: "s" });
  const withField = { ...credential, authorization: "wsse" } as typeof credential;
  expect(credentialFields(withField, freshness)).toEqual([
    ...credentialFields(credential, freshness),
    { name: "Authorization", value: 'WSSE profile="UsernameToken"' },
  ]);
});

test("the secret of a credential is its token, or the secret of its account", () => {
  expect(secretsOf(token("a-token"))).toEqual(["a-token"]);
  expect(secretsOf(wsse({ secret: "s" }))).toEqual(["s"]);
});
