import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { contextOf, ways } from "../support/run.ts";

const rcWithToken = `token: "${planted.token}"\n`;
const write =
  (content: string, mode = 0o600) =>
  (path: string): void => {
    writeFileSync(path, content);
    chmodSync(path, mode);
  };
const sparse =
  (size: number) =>
  (path: string): void => {
    write(rcWithToken)(path);
    truncateSync(path, size);
  };
const isRoot = process.getuid?.() === 0;

/** What may lie where an rc file is looked for, and what the error says. test/settings/rc-parse.test.ts has what may stand in it. */
const faults: ReadonlyArray<readonly [string, (path: string) => void, string]> = [
  ["a link that leads nowhere", (path) => symlinkSync("nowhere", path), "does not exist"],
  ["a link to itself", (path) => symlinkSync(path, path), "leads back to itself"],
  ["a folder", (path) => mkdirSync(path), "is a folder"],
  ["a pipe without a writer", (path) => execFileSync("mkfifo", [path]), "is not a regular file"],
  ["a link to /dev/zero", (path) => symlinkSync("/dev/zero", path), "is not a regular file"],
  ["64 MB", sparse(64e6), "is too large"],
  ["8 MiB and a byte", sparse(8 * 1024 * 1024 + 1), "is too large"],
  ["a link to the environment", (path) => symlinkSync("/proc/self/environ", path), "line 1"],
  ["a secret and nothing else", write(planted.secret), "is not a mapping"],
  ["a secret that everybody can read", write(rcWithToken, 0o604), "chmod 600"],
  [
    "a secret in a profile that others can read",
    write(`profiles:\n  p:\n    secret: "${planted.secret}"`, 0o644),
    "chmod 600",
  ],
  ["a file that everybody can write to", write("timeout: 5\n", 0o606), "chmod o-w"],
  // Permissions do not bind root.
  ...(isRoot ? [] : [["closed to everybody", write(rcWithToken, 0), "permission denied"] as const]),
];

describe.each(ways)("an rc file that is unusable, %s:", (_, run) => {
  test.each(faults)("%s exits 3 and shows nothing of it", async (_name, prepare, message) => {
    const workingFolder = folderWith();
    const path = join(workingFolder, ".referralrc");
    prepare(path);
    for (const args of [["config"], ["test", "--json"], ["header", "--token", "--config", path]]) {
      const result = await run(args, { workingFolder, environment: { PLANTED: planted.secret } });
      expect(result.exitCode, result.everything).toBe(3);
      expect(result.stderr).toContain(`he rc file ${path}`);
      expect(result.stderr).toContain(message);
      expect(leaks(result.everything)).toEqual([]);
    }
  });
});

test.each([
  { which: "found", args: [], exitCode: 3 },
  { which: "named by --config", args: ["--config", ".referralrc"], exitCode: 0 },
])("an rc file of another user that is $which exits $exitCode", async ({ args, exitCode }) => {
  const workingFolder = folderWith({ ".referralrc": "timeout: 5\n" });
  // Only root can give a file away; anybody can be taken for somebody else.
  if (isRoot) chownSync(join(workingFolder, ".referralrc"), 12_345, 12_345);
  const context = { ...contextOf(["config", ...args], { workingFolder }), userId: 54_321 };
  expect(await main(context)).toBe(exitCode);
  if (exitCode === 3) expect(context.stderr.text).toContain("belongs to another user");
});

const group = { read: 0o040 };
const everyone = { read: 0o004, write: 0o002 };

test.each([
  { whose: "root's", owner: 0, closedTo: everyone.read | everyone.write },
  { whose: "the user's", owner: 54_321, closedTo: group.read | everyone.read | everyone.write },
  { whose: "another user's", owner: 12_345, closedTo: group.read | everyone.read | everyone.write },
])(
  "an rc file of $whose that holds a secret is refused for its mode exactly where others can read it",
  async ({ owner, closedTo }) => {
    for (let open = 0; open <= 0o077; open += 1) {
      const mode = 0o100_600 | open;
      const given = contextOf(["config", "--config", "/rc"]);
      const readFile = () => ({ bytes: Buffer.from(rcWithToken), mode, owner });
      const exitCode = await main({ ...given, readFile, userId: 54_321 });
      expect(exitCode, `${mode.toString(8)}: ${given.stderr.text}`).toBe((mode & closedTo) === 0 ? 0 : 3);
      expect(leaks(given.stdout.text + given.stderr.text)).toEqual([]);
    }
  },
);
