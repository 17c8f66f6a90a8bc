import { expect, test } from "vitest";
import { credentialFields } from "../../src/check/credential.ts";
import { token } from "./causes/found.ts";

const freshness = { now: () => Date.UTC(2026, 10, 21), randomBytes: (size: number) => Buffer.alloc(size, 7) };

test("a token travels in X-Auth-Token as it is", () => {
  expect(credentialFields(token("a-token"), freshness)).toEqual([
    { name: "X-Auth-Token", value: "a-token", secret: "a-token" },
  ]);
});
