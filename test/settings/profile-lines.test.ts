import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

const rc = {
  baseUrl: "https://api.example",
  profiles: {
    live: { token: planted.token },
    "stag\u001bing": {
      baseUrl: "https://staging.example/v1",
      username: "a@example.com",
      secret: planted.secret,
    },
    empty: {},
    wrong: { token: planted.token, timeout: 0 },
    lost: { tokenFile: "missing" },
  },
};

test("config --all prints one line for each profile", async () => {
  const run = await runInProcess(["config", "--all"], { homeFolder: folderWith({ ".referralrc": rc }) });
  const [live, staging, empty, wrong, lost, end] = run.stdout.split("\n");
  expect(live).toMatch(/^live +https:\/\/api\.example +token will be used$/);
  expect(staging).toMatch(
    /^stag\S+ing +https:\/\/staging\.example\/v1 +username will be used, secret will be used$/,
  );
  expect(empty).toMatch(/^empty +https:\/\/api\.example +no credential$/);
  expect(wrong).toMatch(/token will be used, invalid timeout in \S+, line \d+ is not a number/);
  expect(lost).toMatch(/^lost +https:\/\/api\.example +tokenFile not found$/);
  expect(end).toBe("");
  expect(run).toMatchObject({ exitCode: 3, stderr: "" });
  expect(leaks(run.everything)).toEqual([]);
});

test("config --all says what is withheld, and --json lists all overviews", async () => {
  const workingFolder = folderWith({ ".referralrc": rc, token: planted.token });
  const args = ["config", "--all", "--token-file", "token"];
  const run = await runInProcess(args, { workingFolder });
  expect(run.stdout).toMatch(/^live .* tokenFile withheld$/m);
  const { stdout } = await runInProcess([...args, "--json"], { workingFolder });
  const names = JSON.parse(stdout).profiles.map(({ profile }: { profile: string }) => profile);
  expect(names).toEqual(Object.keys(rc.profiles));
});

test("config without a profile says how many there are, and config of a profile that its file is missing", async () => {
  const homeFolder = folderWith({ ".referralrc": rc });
  const run = await runInProcess(["config"], { homeFolder });
  expect(run.stdout).toMatch(/^profiles +5, shown by config --all$/m);
  const lost = await runInProcess(["config", "--profile", "lost"], { homeFolder });
  expect(lost.stdout).toMatch(/^not found {5}tokenFile$/m);
  expect(lost.stdout).toMatch(/^profile +lost$/m);
  expect(lost.stdout).not.toContain("profiles ");
});
