import { expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

const secrets = [planted.token, planted.secret];
const ways = secrets.flatMap((secret) => [
  { secret, args: ["--token-file", secret], environment: {} },
  { secret, args: ["--secret-file", secret, "--username", "me@example.com"], environment: {} },
  { secret, args: [], environment: { REFERRAL_TOKEN_FILE: secret } },
]);

test.each(ways)("a secret given where a path belongs is not shown: $args", async ({ args, environment }) => {
  for (const command of ["test", "config"]) {
    const run = await runInProcess([command, "--base-url", "https://api.example", ...args], { environment });
    expect(run.exitCode).toBe(command === "test" ? 3 : 0);
    expect(leaks(run.everything)).toEqual([]);
  }
});

test("a path that does not exist is shown", async () => {
  const run = await runInProcess([
    "test",
    "--token-file",
    "secrets/token.txt",
    "--base-url",
    "https://api.example",
  ]);
  expect(run.stderr.replace(/\s+/g, " ")).toMatch(
    /--token-file names \S+\/secrets\/token\.txt, which does not exist/,
  );
});
