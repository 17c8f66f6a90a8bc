import { expect, test } from "vitest";
import { withPlace } from "../../../src/check/causes/place.ts";

const advice = { placeOf: (name: string) => `<${name}>`, fixFor: () => "" };
const fixed = (fix: string, method: "token" | "wsse" = "token"): string =>
  withPlace({ id: "token-shape", certainty: "possible", message: "the token", fix }, method, advice).fix;

test.each([
  [
    "Check the port of the base URL, then the path",
    "Check the port of the base URL (now set by <baseUrl>), then the path",
  ],
  [
    "Check the spelling of the base URL's host",
    "Check the spelling of the base URL's host (now set by <baseUrl>)",
  ],
  ["Copy the token again", "Copy the token (now set by <token>) again"],
  ["Copy the secret again", "Copy the secret (now set by <secret>) again"],
  [
    "Compare the username with the account's",
    "Compare the username (now set by <username>) with the account's",
  ],
  ["Try again, or raise --timeout; wait", "Try again, or raise --timeout (now set by <timeout>); wait"],
  ["Try another --digest", "Try another --digest (now set by <digest>)"],
  ["Compare the credential with another", "Compare the credential (now set by <token>) with another"],
])("a fix says where the setting is set now that it names: %s", (fix, whole) => {
  expect(fixed(fix)).toBe(whole);
});

test("a credential of WSSE is set in two places", () => {
  expect(fixed("Check the credential", "wsse")).toBe(
    "Check the credential (now set by <username> and <secret>)",
  );
});

test.each([
  "Set the token without quotes (now set by --token)",
  "Ask whether all servers know the credential",
  "Check the tokenizer",
])("a fix that says it already, or names no setting, stays: %s", (fix) => {
  expect(fixed(fix)).toBe(fix);
});
