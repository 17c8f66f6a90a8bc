import { expect, test } from "vitest";
import { misspeltVariables } from "../../src/settings/misspelt-variables.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

test.each([
  ["REFERRAL_TOKN", "REFERRAL_TOKEN"],
  ["REFERRAL_BASEURL", "REFERRAL_BASE_URL"],
  ["REFERAL_SECRET", "REFERRAL_SECRET"],
  ["REFERRAL_SECRET_FLIE", "REFERRAL_SECRET_FILE"],
  ["referral_token", "REFERRAL_TOKEN"],
  ["REFERRAL_PROFILES", "REFERRAL_PROFILE"],
])("%s is almost %s", (name, meant) => {
  expect(misspeltVariables({ [name]: "x" })).toEqual([{ name, meant }]);
  expect(misspeltVariables({ [name]: "" })).toEqual([]);
});

test.each([
  ...["REFERRAL_SERVICE_HOST", "REFERRAL_SERVICE_PORT", "REFERRAL_SERVICE_PORT_HTTPS", "REFERRAL_PORT"],
  ...["REFERRAL_PORT_443_TCP", "REFERRAL_PORT_443_TCP_ADDR", "REFERRAL_TOKEN_SERVICE_HOST"],
  ...["REFERRAL_TOKEN", "REFERRAL_PROFILE", "REFERRAL_CONFIG", "REFERRAL_API_VERSION", "PATH", "FTP_PROXY"],
])("%s is not", (name) => {
  expect(misspeltVariables({ [name]: "x" })).toEqual([]);
});

test.each([["test"], ["config"], ["header", "--token"]])("%s warns on standard error", async (...args) => {
  const environment = { REFERRAL_TOKN: planted.token, REFERRAL_SERVICE_HOST: "10.0.0.1" };
  const { stderr, everything } = await runInProcess(args, { environment });
  expect(stderr).toContain("Warning: REFERRAL_TOKN is set and not used; did you mean REFERRAL_TOKEN?\n");
  expect(stderr).not.toContain("REFERRAL_SERVICE_HOST");
  expect(leaks(everything)).toEqual([]);
});
