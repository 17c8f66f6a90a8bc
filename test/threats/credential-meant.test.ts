import { describe, expect, test } from "vitest";
import { parseWsse } from "../../src/emulator/username-token.ts";
import { passwordDigest } from "../../src/wsse/digest.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess, ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

/** A server that accepts everything and records which of these credentials arrived. */
async function recorder() {
  const { url, requests } = await serve((_, response) => json(response, 200, success));
  const arrived = (candidates: readonly string[]): readonly string[] =>
    requests.map(({ headers }) => {
      if (headers["x-auth-token"] !== undefined) return String(headers["x-auth-token"]);
      const parsed = parseWsse(String(headers["x-wsse"]));
      if (typeof parsed === "string") throw new Error("expected a header");
      const { nonce, created, passwordDigest: sent } = parsed;
      const made = (secret: string): string =>
        passwordDigest({ digest: "text-nonce", hash: "sha1", nonce, created, secret });
      return candidates.find((secret) => made(secret) === sent) ?? "unknown";
    });
  return { url, arrived };
}

test("without a profile, each method is checked with the credential of the highest level that names one", async () => {
  const { url, arrived } = await recorder();
  const run = await runInProcess(["test", "--username", "me@example.com"], {
    environment: { REFERRAL_BASE_URL: url, REFERRAL_TOKEN: "of-environment" },
    homeFolder: folderWith({ ".referralrc": { token: "of-file", secret: "secret-of-file" } }),
  });
  expect(run, run.everything).toMatchObject({ exitCode: 0 });
  expect(arrived(["secret-of-file"])).toEqual(["of-environment", "secret-of-file"]);
});

describe.each(ways)("exported variables, %s,", (_, run) => {
  test.each([
    ["--all", ["--all"], {}],
    ["--profile", ["--profile", "one", "--profile", "two"], {}],
    ["REFERRAL_PROFILE", [], { REFERRAL_PROFILE: "one" }],
  ])("are never checked in the place of a profile's own credential: %s", async (_name, args, chosen) => {
    const right = await recorder();
    const own = await recorder();
    const profiles = { one: { token: "first" }, two: { token: "second" } };
    const rc = { baseUrl: own.url, profiles };
    const result = await run(["test", ...args], {
      homeFolder: folderWith({ ".referralrc": rc }),
      environment: { ...chosen, REFERRAL_BASE_URL: right.url, REFERRAL_TOKEN: "good" },
    });
    expect(result, result.everything).toMatchObject({ exitCode: 0 });
    expect(right.arrived([])).toEqual([]);
    expect(own.arrived([]).toSorted()).toEqual(
      "REFERRAL_PROFILE" in chosen ? ["first"] : ["first", "second"],
    );
  });

  test.each([
    ["token", [], { REFERRAL_TOKEN: "good" }, "REFERRAL_TOKEN is set and not used"],
    ["token", ["--token"], { REFERRAL_TOKEN_FILE: "good.txt" }, "REFERRAL_TOKEN_FILE is set and not used"],
    [
      "token",
      [],
      { REFERRAL_TOKEN: "good", REFERRAL_USERNAME: "a@example.com", REFERRAL_SECRET_FILE: "good.txt" },
      "REFERRAL_TOKEN and REFERRAL_USERNAME and REFERRAL_SECRET_FILE are set and not used",
    ],
    [
      "username and no secret",
      ["--wsse"],
      { REFERRAL_USERNAME: "a@example.com", REFERRAL_SECRET: "good" },
      "REFERRAL_USERNAME and REFERRAL_SECRET are set and not used",
    ],
  ])("are not used for a profile without a credential, and the error says so: %s %j", async (...given) => {
    const [missing, args, environment, reason] = given;
    const { url, arrived } = await recorder();
    const result = await run(["test", "--profile", "empty", ...args], {
      homeFolder: folderWith({ ".referralrc": { profiles: { empty: {} } } }),
      environment: { REFERRAL_BASE_URL: url, ...environment },
    });
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    const said = result.stderr.replace(/\s+/g, " ");
    expect(said).toContain(`No ${missing} is set; ${reason}, because a profile is chosen`);
    for (const name of Object.keys(environment)) expect(said.split("try")[1]).not.toContain(name);
    expect(arrived([])).toEqual([]);
  });

  test("are not used by `header` either", async () => {
    const homeFolder = folderWith({ ".referralrc": { profiles: { own: { token: "own" }, empty: {} } } });
    const given = { homeFolder, environment: { REFERRAL_TOKEN: "good" } };
    expect((await run(["header", "--token", "--profile", "own"], given)).stdout).toBe("X-Auth-Token: own\n");
    const refused = await run(["header", "--token", "--profile", "empty"], given);
    expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
    expect(refused.stderr).toContain("REFERRAL_TOKEN is set and not used");
  });
});
