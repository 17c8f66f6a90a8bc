import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { rcCandidates } from "../../src/settings/rc-search.ts";
import type { Context } from "../../src/system/context.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { contextOf, type GivenInProcess } from "../support/run.ts";

/** Runs the program where the working directory, the home or both do not exist. */
async function run(
  args: readonly string[],
  missing: Partial<Pick<Context, "workingFolder" | "homeFolder">>,
  given: GivenInProcess = {},
) {
  const context = { ...contextOf(args, given), ...missing };
  const exitCode = await main(context);
  return { exitCode, stdout: context.stdout.text, stderr: context.stderr.text };
}

const gone = { workingFolder: null };

describe("in a working directory that was deleted", () => {
  test.each([
    ["--config", ["config", "--config", "rc.yaml"]],
    ["--token-file", ["header", "--token", "--token-file", "token.txt"]],
  ])("a relative path behind %s exits 3 and says why", async (_, args) => {
    const result = await run(args, gone);

    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain("The working directory no longer exists");
  });

  test("absolute paths, a home and standard input still work", async () => {
    const api = await emulate();
    const homeFolder = folderWith({
      ".referralrc": JSON.stringify({ baseUrl: api.url }),
      token: planted.token,
      "rc.json": JSON.stringify({ baseUrl: api.url, token: planted.token }),
    });

    for (const args of [
      ["test", "--token-file", join(homeFolder, "token"), "--junit", join(homeFolder, "junit.xml")],
      ["test", "--config", join(homeFolder, "rc.json")],
    ])
      expect(await run(args, gone, { homeFolder })).toMatchObject({ exitCode: 0, stderr: "" });
    expect(
      await run(["test", "--token-file", "-"], gone, { homeFolder, stdin: `${planted.token}\n` }),
    ).toMatchObject({ exitCode: 0, stderr: "" });
  });
});

test("a working directory that nothing lies at is searched upward by its name", async () => {
  const folder = folderWith({ ".referralrc": "timeout: 7\n" });

  const { exitCode, stdout } = await run(["config"], { workingFolder: join(folder, "deleted/since") });

  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^timeout +7 .*\.referralrc:1$/m);
});

describe("an rc file is looked for", () => {
  test("nowhere, without a working directory and a home", async () => {
    expect(rcCandidates({ working: null, home: null })).toEqual([]);
    expect((await run(["config"], { ...gone, homeFolder: null })).stdout).toMatch(/^rc file +none$/m);
  });

  test("up to the root without a home, and nothing there is the user's own", () => {
    const candidates = rcCandidates({ working: "/a/b", home: null });

    expect(candidates.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/a/b/.referralrc", "/a/.referralrc", "/.referralrc"]),
    );
    expect(candidates.filter(({ place }) => place !== "tree")).toEqual([]);
  });

  test("in no configuration folder whose path is relative", () => {
    const paths = (configuration: string) =>
      rcCandidates({ working: null, home: "/home/me", configuration }).map(({ path }) => path);

    expect(paths("/etc/me")).toContain("/etc/me/config");
    expect(paths("etc/me").filter((path) => !path.startsWith("/home/me/"))).toEqual([]);
  });
});
