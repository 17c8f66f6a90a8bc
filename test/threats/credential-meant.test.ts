import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

/** A server that accepts everything, and the tokens that arrived there. */
async function recorder() {
  const { url, requests } = await serve((_, response) => json(response, 200, success));
  return { url, arrived: () => requests.map(({ headers }) => headers["x-auth-token"]).toSorted() };
}

// test/settings/precedence.test.ts has every pair of levels, test/check/prepare-errors.test.ts every error.
describe.each(ways)("an exported token, %s,", (_, run) => {
  test.each([
    ["--all", ["--all"], {}],
    ["--profile", ["--profile", "one", "--profile", "two"], {}],
    ["REFERRAL_PROFILE", [], { REFERRAL_PROFILE: "one" }],
  ])("is never checked in the place of a profile's own: %s", async (_name, args, chosen) => {
    const [right, own] = [await recorder(), await recorder()];
    const rc = { baseUrl: own.url, profiles: { one: { token: "first" }, two: { token: "second" } } };
    const result = await run(["test", ...args], {
      homeFolder: folderWith({ ".referralrc": rc }),
      environment: { ...chosen, REFERRAL_BASE_URL: right.url, REFERRAL_TOKEN: "good" },
    });
    expect(result, result.everything).toMatchObject({ exitCode: 0 });
    expect(right.arrived()).toEqual([]);
    expect(own.arrived()).toEqual("REFERRAL_PROFILE" in chosen ? ["first"] : ["first", "second"]);
  });

  test("is not used for a profile that has none, and the error says so, for `header` too", async () => {
    const api = await recorder();
    const homeFolder = folderWith({ ".referralrc": { profiles: { empty: {} } } });
    const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: "good" };
    for (const command of [["test"], ["header", "--token"]]) {
      const result = await run([...command, "--profile", "empty"], { homeFolder, environment });
      expect(result).toMatchObject({ exitCode: 3, stdout: "" });
      const [said, advice] = result.stderr.replace(/\s+/g, " ").split("try");
      expect(said).toContain(
        "No token is set; REFERRAL_TOKEN is set and not used, because a profile is chosen",
      );
      expect(advice).not.toContain("REFERRAL_TOKEN");
    }
    expect(api.arrived()).toEqual([]);
  });
});
