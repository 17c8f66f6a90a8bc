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
  (content: string, mode = 0o600, size = content.length) =>
  (path: string): void => {
    writeFileSync(path, content);
    truncateSync(path, size);
    chmodSync(path, mode);
  };
const isRoot = process.getuid?.() === 0;

/** What may lie where an rc file is looked for, and what the error says. test/settings/errors.test.ts has what may stand in it. */
const faults: ReadonlyArray<readonly [string, (path: string) => void, string]> = [
  ["a link that leads nowhere", (path) => symlinkSync("nowhere", path), "does not exist"],
  ["a link to itself", (path) => symlinkSync(path, path), "leads back to itself"],
  ["a folder", (path) => mkdirSync(path), "is a folder"],
  ["a pipe without a writer", (path) => execFileSync("mkfifo", [path]), "is not a regular file"],
  ["a link to /dev/zero", (path) => symlinkSync("/dev/zero", path), "is not a regular file"],
  ["1 MiB and a byte", write(rcWithToken, 0o600, 1024 * 1024 + 1), "is too large: it has more than"],
  ["a link to the environment", (path) => symlinkSync("/proc/self/environ", path), ":1 "],
  ["a secret and nothing else", write(planted.secret), "is not a mapping"],
  ["a secret that everybody can read", write(rcWithToken, 0o604), "chmod 600"],
  ["the same in a profile", write(`profiles:\n  p:\n    secret: "${planted.secret}"`, 0o644), "chmod 600"],
  ["a file that everybody can write to", write("timeout: 5\n", 0o606), "chmod go-w"],
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
    }
  });

  test("64 KiB and a byte are too large for one that is found, and not for one that is named", async () => {
    const codes = [64 * 1024, 64 * 1024 + 1].map(async (size) => {
      const workingFolder = folderWith({ ".referralrc": "#".repeat(size) });
      const found = await run(["config"], { workingFolder });
      const named = await run(["config", "--config", ".referralrc"], { workingFolder });
      return [found.exitCode, named.exitCode, found.stderr.includes("is too large: it has more than 64 KiB")];
    });
    expect(await Promise.all(codes)).toEqual([
      [0, 0, false],
      [3, 0, true],
    ]);
  });
});

test.each([
  ["found", [], 3, "belongs to another user"],
  ["named by --config", ["--config", ".referralrc"], 0, ""],
])("an rc file of another user that is %s", async (_, args, exitCode, message) => {
  const workingFolder = folderWith({ ".referralrc": "timeout: 5\n" });
  // Only root can give a file away; anybody can be taken for somebody else.
  if (isRoot) chownSync(join(workingFolder, ".referralrc"), 12_345, 12_345);
  const own = contextOf(["config", ...args], { workingFolder });
  expect(await main({ ...own, userId: 54_321 })).toBe(exitCode);
  expect(own.stderr.text).toContain(message);
});

// What nobody else may do: root's files may be open to a group. A group may write to a file of the working tree.
test.each([
  ["root's", 0, "yours", rcWithToken, 0o026],
  ["the user's", 54_321, "yours", rcWithToken, 0o066],
  ["another user's", 12_345, "yours", rcWithToken, 0o066],
  ["the user's", 54_321, "yours", "timeout: 5", 0o022],
  ["the user's", 54_321, "found", "timeout: 5", 0o002],
  ["the user's", 54_321, "found", rcWithToken, 0o046],
] as const)(
  "an rc file of %s (%i, %s) with %j is refused exactly for the modes %i",
  async (_, owner, trust, content, closed) => {
    for (let open = 0; open <= 0o077; open += 1) {
      const own = contextOf(trust === "yours" ? ["config", "--config", "/rc"] : ["config"], {
        workingFolder: "/tree",
      });
      const readFile = () => ({ bytes: Buffer.from(content), mode: 0o100_600 | open, owner });
      const fileExists = (path: string) => path === "/tree/.referralrc";
      const exitCode = await main({ ...own, readFile, fileExists, userId: 54_321 });
      expect(exitCode, `${open.toString(8)}: ${own.stderr.text}`).toBe((open & closed) === 0 ? 0 : 3);
      expect(leaks(own.stdout.text + own.stderr.text)).toEqual([]);
    }
  },
);
