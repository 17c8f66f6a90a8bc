import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { expect, test } from "vitest";
import { namedPipe } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { childHome, childNode, emptyFolder, launcher } from "../support/run.ts";

/** A descriptor that fails with EPIPE. */
function pipeWithoutReader(): number {
  const path = namedPipe();
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, "w");
  closeSync(reader);
  return writer;
}

const commands =
  "help|config|config --json|header --token|completion bash|--version|emulator|test|test --json";
test.each([...commands.split("|"), "test --ndjson"])(
  "a reader that is gone makes %s exit 1 without a word, as head expects it",
  (args) => {
    const { status, stderr } = spawnSync(childNode, [launcher, ...args.split(" ")], {
      cwd: emptyFolder,
      env: { ...childHome, REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: "http://127.0.0.1:1" },
      stdio: ["ignore", pipeWithoutReader(), "pipe"],
    });
    expect([status, String(stderr)]).toEqual([1, ""]);
  },
);
