import { expect, test } from "vitest";
import { describePart, describeSource, type Source } from "../../src/settings/source.ts";
import { rcSource } from "./settings-of.ts";

const environment: Source = { kind: "environment", variable: "REFERRAL_TOKEN" };

test.each([
  [{ kind: "flag", flag: "--token" }, "--token", "token from --token"],
  [environment, "REFERRAL_TOKEN", "token from REFERRAL_TOKEN"],
  [rcSource("token"), "token in /yours/.referralrc, line 3", "token in /yours/.referralrc, line 3"],
  [
    rcSource("tokenFile"),
    "tokenFile in /yours/.referralrc, line 3",
    "token from tokenFile in /yours/.referralrc, line 3",
  ],
  [{ kind: "default" }, "the default", "token from the default"],
] as const)("messages name the source %j", (source, place, part) => {
  expect([describeSource(source), describePart("token", source)]).toEqual([place, part]);
});
