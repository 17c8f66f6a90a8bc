import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { type Run, runAsChild, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const accepting = () => serve((_request, response) => json(response, 200, success));

/** A folder with a checkout named `tree`, whose `.git` is a folder, or a file as in a worktree. */
function checkout(files: Readonly<Record<string, unknown>>, git: string): string {
  const inTree = Object.entries(files).map(([name, content]) => [`tree/${name}`, content]);
  const place = folderWith({ ...Object.fromEntries(inTree), [`tree/${git}`]: "x", "other/.keep": "" });
  symlinkSync(join(place, "tree"), join(place, "link"));
  return place;
}

function sentNothing(run: Run, api: { readonly connections: () => number }): void {
  expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
  expect(run.stderr.replace(/\s+/g, " ")).toMatch(/give --base-url yourself, or name the file with --config/);
  expect(leaks(run.everything)).toEqual([]);
  expect(api.connections()).toBe(0);
}

describe.each([".git/HEAD", ".git"])("a checkout with %s is not yours", (git) => {
  test.each([
    ["HOME is the checkout", "tree", {}, ".referralrc"],
    ["HOME is a folder in it", "tree/sub/home", {}, "sub/home/.referralrc"],
    ["HOME leads into it by a link", "link/home", {}, "home/.referralrc"],
    [
      "HOME is in it, by way of its configuration folder",
      "tree/home",
      {},
      "home/.config/referral/config.yml",
    ],
    ["XDG_CONFIG_HOME is in it", "other", { XDG_CONFIG_HOME: "tree/x" }, "x/referral/config.json"],
    ["XDG_CONFIG_HOME leads into it by a link", "other", { XDG_CONFIG_HOME: "link" }, "referral/config"],
    [
      "XDG_CONFIG_HOME is in it, and it is in the home",
      "",
      { XDG_CONFIG_HOME: "tree/x" },
      "x/referral/config",
    ],
  ])("if %s", async (_, home, variables, rcName) => {
    const api = await accepting();
    const place = checkout({ [rcName]: { baseUrl: api.url } }, git);
    const absolute = Object.entries(variables).map(([name, folder]) => [name, join(place, folder)]);
    const environment = {
      REFERRAL_TOKEN: planted.token,
      HOME: join(place, home),
      ...Object.fromEntries(absolute),
    };
    for (const workingFolder of ["tree", "other"]) {
      sentNothing(
        await runAsChild(["test"], { workingFolder: join(place, workingFolder), environment }),
        api,
      );
    }
  });
});

test("a home folder under version control is yours if the password database names it", async () => {
  const api = await accepting();
  const homeFolder = folderWith({ ".git/HEAD": "x", ".referralrc": { baseUrl: api.url } });
  const given = { homeFolder, environment: { REFERRAL_TOKEN: planted.token } };

  sentNothing(await runInProcess(["test"], given), api);
  sentNothing(await runInProcess(["test"], { ...given, registeredHomeFolder: "/home/another" }), api);

  const run = await runInProcess(["test"], { ...given, registeredHomeFolder: `${homeFolder}/` });
  expect(run, run.everything).toMatchObject({ exitCode: 0, stderr: "" });
});

test("`~/` in a path of an rc file is the home folder", async () => {
  const api = await accepting();
  const homeFolder = folderWith({
    ".config/referral/config": { baseUrl: api.url, tokenFile: "~/token.txt" },
    "token.txt": `${planted.token}\n`,
  });
  const run = await runInProcess(["test"], { homeFolder });
  expect(run, run.everything).toMatchObject({ exitCode: 0, stderr: "" });
  expect(api.requests[0]?.headers["x-auth-token"]).toBe(planted.token);
});
