import { chmodSync, chownSync, lchownSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatNames } from "../../src/report/file-formats.ts";
import { mayFollow } from "../../src/system/links.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const [us, owner, other] = [1000, 2000, 3000];

test.each([
  ["of another user in a sticky folder that all can write to", other, 0o41777, false],
  ["of our own there", us, 0o41777, true],
  ["of the folder's owner there", owner, 0o41777, true],
  ["of another user in a folder that is not sticky", other, 0o40777, true],
  ["of another user in a sticky folder that only a group can write to", other, 0o41775, true],
  ["of another user in an ordinary folder", other, 0o40755, true],
])("a link is followed by the rule of protected_symlinks: one %s", (_, uid, mode, expected) => {
  expect(mayFollow({ uid }, { uid: owner, mode }, us)).toBe(expected);
});

/** A link of this owner in a folder like /tmp; it leads to a file of this name outside. */
function stickyLink(name: string, linkOwner: number) {
  const [outside, folder] = [folderWith({ kept: "kept" }), folderWith()];
  const link = join(folder, "report.xml");
  symlinkSync(join(outside, name), link);
  lchownSync(link, linkOwner, linkOwner);
  chownSync(folder, owner, owner);
  chmodSync(folder, 0o1777);
  return { outside, link };
}

async function writeReport(format: string, path: string) {
  const api = await serve((_, response) => json(response, 200, success));
  const args = ["test", "--token", "a-token", "--base-url", api.url, `--${format}`, path];
  const { exitCode, stderr } = await runInProcess(args);
  return { exitCode, stderr: stderr.replace(/\s+/g, " ") };
}

// Only root can make files of other users. The rule above is for everybody.
describe.runIf(process.getuid?.() === 0).each(formatNames)("the file of --%s", (format) => {
  const refused = `--${format} names a symbolic link of another user in a folder that everyone can write to; it was not followed`;

  test.each(["kept", "missing"])(
    "is not written through another user's link to %s, nor behind our own",
    async (name) => {
      const { outside, link } = stickyLink(name, other);
      const own = join(folderWith(), "link");
      symlinkSync(link, own);
      for (const path of [link, own])
        expect(await writeReport(format, path)).toEqual({
          exitCode: 1,
          stderr: expect.stringContaining(refused),
        });
      expect([readdirSync(outside), readFileSync(join(outside, "kept"), "utf8")]).toEqual([["kept"], "kept"]);
    },
  );

  test.each([
    ["our own", 0],
    ["the folder's owner", owner],
  ])("is written through a link of %s, even where it leads nowhere yet", async (_, linkOwner) => {
    for (const name of ["kept", "missing"]) {
      const { outside, link } = stickyLink(name, linkOwner);
      expect(await writeReport(format, link)).toMatchObject({ exitCode: 0 });
      expect(readFileSync(join(outside, name), "utf8")).not.toMatch(/^(?:kept)?$/);
    }
  });
});
