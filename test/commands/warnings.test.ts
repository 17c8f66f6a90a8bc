import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

test.each([
  ["test", []],
  ["header", ["--wsse"]],
  ["config", []],
])("%s warns of a secret that is the value of a flag", async (command, more) => {
  const args = [command, ...more, "--username", "me@example.com", "--secret", planted.secret];
  const run = await runInProcess(args, { environment: {} });
  expect(run.stderr).toContain("--secret on the command line can be seen in process lists");
});
