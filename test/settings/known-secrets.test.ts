import { expect, test } from "vitest";
import { redactorFor } from "../../src/settings/known-secrets.ts";
import { loaded } from "./loaded.ts";

test("a text about an account shows no secret of its levels or of elsewhere, and may show one of another profile", async () => {
  const file = {
    token: "top-token",
    username: "top-name",
    profiles: { a: { secret: "a-secret" }, b: { secret: "b-secret" } },
  };
  const { sources } = await loaded(
    { "home/.referralrc": file },
    {},
    { values: { token: "flag-token" } },
    { REFERRAL_SECRET: "variable-secret" },
  );
  const text = "flag-token variable-secret top-token top-name a-secret b-secret more-secret";
  const hidden = "[secret] [secret] [secret] top-name";
  expect(redactorFor(sources, "a", ["more-secret"])(text)).toBe(`${hidden} [secret] b-secret [secret]`);
  expect(redactorFor(sources, null)(text)).toBe(`${hidden} a-secret b-secret more-secret`);
  expect(redactorFor({ ...sources, rc: null }, "a")("flag-token top-token")).toBe("[secret] top-token");
});
