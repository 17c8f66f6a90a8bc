import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CommandProblem, runCommand } from "../../src/system/commands.ts";
import { folderWith } from "../support/folder.ts";

const { signal: interrupted } = new AbortController();
const options = { environment: process.env, maxBytes: 9, deadlineSeconds: 30, interrupted };
const notFound = "could not be started: no such file or directory (ENOENT)";

test.each([
  ["no-such-program", notFound, false],
  ["/no/such/program", notFound, false],
  ["./plain", "could not be started: permission denied (EACCES)", false],
  ["./windows", notFound, false],
  ["./failing", "failed with exit code 3", true],
])("a command that cannot run says why, in the system's words: %s", async (program, message, wasStarted) => {
  const folder = folderWith({ plain: "", windows: "#!/bin/sh\r\n", failing: "#!/bin/sh\nexit 3\n" });
  for (const name of ["windows", "failing"]) chmodSync(join(folder, name), 0o700);
  const problem = await runCommand([program], { ...options, folder }).catch((error: CommandProblem) => error);
  expect(problem).toMatchObject({ name: "CommandProblem", message, wasStarted });
});

test("a command ends at its deadline, even if a process that left its group keeps its output open", async () => {
  const folder = folderWith({});
  const id = join(folder, "id");
  const kept = "setsid sh -c 'echo $$ > id.new; mv id.new id; exec sleep 600' & sleep 600";
  // On a slow machine nothing may have left the group yet at a short deadline.
  for (let deadlineSeconds = 0.2; !existsSync(id); deadlineSeconds *= 2) {
    const run = runCommand(["sh", "-c", kept], { ...options, folder, deadlineSeconds });
    await expect(run).rejects.toThrow(`took longer than ${deadlineSeconds} second`);
  }
  // Throws if the process has ended.
  process.kill(Number(readFileSync(id, "utf8")), "SIGKILL");
});
