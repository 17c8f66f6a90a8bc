import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

// What a token can look like: one word, with slashes as base64 has them, a JWT, a path's beginning, too long for a path.
const secrets = [
  planted.token,
  planted.secret,
  `${planted.secret}/${planted.token}+a==`,
  `/${planted.secret}`,
  `./${planted.secret}.txt`,
  `${planted.secret}.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${planted.token}`,
  `${planted.secret} with spaces`,
  planted.secret.repeat(200),
];
const ways = ["--token-file", "--secret-file", "--ca-cert", "--config"].flatMap((flag) =>
  secrets.flatMap((secret) => {
    const name = `REFERRAL_${flag.slice(2).replace("-", "_").toUpperCase()}`;
    return [
      { flag, args: [flag, secret], environment: {} },
      { flag, args: [], environment: { [name]: secret } },
    ];
  }),
);

test.each(ways)("a secret given where a path belongs is not shown: $args $environment", async (way) => {
  const { flag, args, environment } = way;
  for (const command of [["test"], ["test", "--json"], ["config"], ["config", "--json"]]) {
    const others = ["--base-url", "https://api.invalid", "--username", "me@example.com"];
    const run = await runInProcess([...command, ...others, ...args], {
      environment: { ...(flag === "--ca-cert" ? { REFERRAL_TOKEN: "a-token" } : {}), ...environment },
    });
    expect(run.exitCode).toBe(command[0] === "test" || flag === "--config" ? 3 : 0);
    expect(leaks(run.everything)).toEqual([]);
  }
});

test("a path that does not exist is not shown; the error names the folder that relative paths start from", async () => {
  const workingFolder = folderWith();
  const args = ["--token-file", "secrets/token.txt", "--base-url", "https://api.invalid"];
  const run = await runInProcess(["test", ...args], { workingFolder });
  const text = run.stderr.replace(/\s+/g, " ");
  expect(text).toContain("--token-file names a file that does not exist");
  expect(text).toContain(
    `absolute or relative to ${workingFolder}; to give the value itself, write - and type or pipe it`,
  );
  expect(text).not.toContain("secrets/token.txt");
});

test("the advice for the file of a profile names no variable: with a profile, variables do not count", async () => {
  const profiles = { p: { tokenFile: "missing" } };
  const homeFolder = folderWith({
    ".referralrc": JSON.stringify({ baseUrl: "https://api.invalid", profiles }),
  });
  const run = await runInProcess(["test", "--profile", "p"], { homeFolder });
  expect(run.stderr).toMatch(
    /try +Correct the path, .*; to give the value itself, use the key token or secret\n/,
  );
});

test.each([
  ["--config", ["--config", "missing"], {}],
  ["REFERRAL_CONFIG", [], { REFERRAL_CONFIG: "missing" }],
])("an rc file that does not exist is told by what names it: %s", async (name, args, environment) => {
  const run = await runInProcess(["test", ...args], { environment });
  expect(run.stderr).toContain(`The rc file that ${name} names does not exist\n`);
});

test("a path that exists is shown", async () => {
  const workingFolder = folderWith({ "secrets/token.txt": "t" });
  const args = ["--token-file", "secrets", "--base-url", "https://api.invalid"];
  const run = await runInProcess(["test", ...args], { workingFolder });
  expect(run.stderr.replace(/\s+/g, " ")).toContain(
    `--token-file names ${join(workingFolder, "secrets")}, which is a folder`,
  );
  const config = await runInProcess(["config", "--token-file", "secrets/token.txt"], { workingFolder });
  expect(config.stdout).toMatch(/^tokenFile +secrets\/token\.txt/m);
});
