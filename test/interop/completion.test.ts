import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shells } from "../../src/completion/shell.ts";
import { folderWith } from "../support/folder.ts";
import { typed } from "./typed.ts";

// A checkout as one would not like it: a profile that is a command, and a program of the same name.
const hostile = "$(touch owned)";
const files = {
  ".referralrc": JSON.stringify({ profiles: { live: {}, "two words": {}, "it's": {}, [hostile]: {} } }),
  "other.yaml": "profiles: { elsewhere: {} }",
  "root ca.pem": "",
  "referral-auth": "#!/bin/sh\ntouch owned\n",
};

/** What is typed, `⇥` for the tabulator, and what the command is then called with. */
const lines: ReadonlyArray<readonly [string, readonly string[]]> = [
  ["tes⇥--diag⇥", ["test", "--diagnose"]],
  ["test --digest te⇥--hash sha5⇥", ["test", "--digest", "text-nonce", "--hash", "sha512"]],
  ["test --digest=dec⇥", ["test", "--digest=decoded-nonce"]],
  ["test --profile li⇥--profile=tw⇥", ["test", "--profile", "live", "--profile=two words"]],
  ["test --profile 'tw⇥", ["test", "--profile", "two words"]],
  ['test --profile "it⇥', ["test", "--profile", "it's"]],
  ["test --profile \\$⇥", ["test", "--profile", hostile]],
  ["test --config other.yaml --profile ⇥", ["test", "--config", "other.yaml", "--profile", "elsewhere"]],
  ["test --no-config --profile ⇥x", ["test", "--no-config", "--profile", "x"]],
  ["test --ca-cert roo⇥--ca-cert=roo⇥", ["test", "--ca-cert", "root ca.pem", "--ca-cert=root ca.pem"]],
  ["emulator -- referral-au⇥", ["emulator", "--", "referral-auth"]],
  ["emulator --expl⇥referral-au⇥--json", ["emulator", "--explain", "referral-auth", "--json"]],
  ["completion fi⇥", ["completion", "fish"]],
];

test.for(shells)(
  "the line is completed in %s, and nothing of it is run",
  { timeout: 120_000 },
  async (shell) => {
    const workingFolder = folderWith(files);
    chmodSync(join(workingFolder, "referral-auth"), 0o755);

    const keys = lines.map(([line]) => line.replaceAll("⇥", "\t"));
    const calls = await typed(shell, keys, workingFolder);

    expect(lines.map(([line], index) => [line, calls[index]])).toEqual(lines);
    expect(existsSync(join(workingFolder, "owned"))).toBe(false);
  },
);
