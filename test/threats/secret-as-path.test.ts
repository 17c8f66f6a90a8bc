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

test("a path that exists is shown", async () => {
  const workingFolder = folderWith({ "secrets/token.txt": "t" });
  const config = await runInProcess(["config", "--token-file", "secrets/token.txt"], { workingFolder });
  expect(config.stdout).toMatch(/^tokenFile +secrets\/token\.txt/m);
});
