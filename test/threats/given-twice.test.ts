import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const unreachable = { REFERRAL_BASE_URL: "http://127.0.0.1:1" };
const wsse = { REFERRAL_USERNAME: planted.username };

describe.each(ways)("settings, %s:", (_, run) => {
  test.each([
    ["token by flag", ["--token", planted.token, "--token-file", "x"], {}, {}, 2],
    ["secret by flag", ["--secret", planted.secret, "--secret-file", "x"], {}, {}, 2],
    ["a flag twice", ["--base-url", "http://127.0.0.1:1", "--base-url", "http://127.0.0.1:1"], {}, {}, 2],
    ["token by environment", [], { REFERRAL_TOKEN: planted.token, REFERRAL_TOKEN_FILE: "x" }, {}, 3],
    [
      "secret by environment",
      [],
      { ...wsse, REFERRAL_SECRET: planted.secret, REFERRAL_SECRET_FILE: "x" },
      {},
      3,
    ],
    ["token by rc", [], {}, { token: planted.token, tokenFile: "x" }, 3],
    ["secret by rc", [], wsse, { secret: planted.secret, secretFile: "x" }, 3],
    [
      "token by profile",
      ["--profile", "p"],
      {},
      { profiles: { p: { token: planted.token, tokenFile: "x" } } },
      3,
    ],
  ])(
    "%s given twice at one level is an error that names both places",
    async (_name, args, environment, rc, exitCode) => {
      const homeFolder = folderWith({ ".referralrc": rc });
      const result = await run(["test", ...args], {
        environment: { ...unreachable, ...environment },
        homeFolder,
      });
      expect(result, result.everything).toMatchObject({ exitCode, stdout: "" });
      expect(leaks(result.everything)).toEqual([]);
    },
  );

  test("a setting at two levels is no conflict: the higher one hides the other, even if one is a file", async () => {
    const api = await serve((_request, response) => json(response, 200, success));
    const homeFolder = folderWith({ ".referralrc": { token: "from-rc" }, "t.txt": "from-file\n" });
    const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token };
    await run(["test"], { environment, homeFolder });
    await run(["test", "--token-file", join(homeFolder, "t.txt")], { environment, homeFolder });
    await run(["test"], { environment: { REFERRAL_BASE_URL: api.url }, homeFolder });
    expect(api.requests.map(({ headers }) => headers["x-auth-token"])).toEqual([
      planted.token,
      "from-file",
      "from-rc",
    ]);
  });

  test("token and secret cannot both come from standard input", async () => {
    for (const [args, environment] of [
      [["--token-file", "-", "--secret-file", "-"], wsse],
      [[], { ...wsse, REFERRAL_TOKEN_FILE: "-", REFERRAL_SECRET_FILE: "-" }],
    ] as const) {
      const given = { environment: { ...unreachable, ...environment }, stdin: `${planted.token}\n` };
      const result = await run(["test", ...args], given);
      expect(result).toMatchObject({ exitCode: 3, stdout: "" });
      expect(result.stderr).toContain("cannot both come from standard input");
      expect(leaks(result.everything)).toEqual([]);
    }
  });
});
