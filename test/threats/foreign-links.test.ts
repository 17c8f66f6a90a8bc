import { chmodSync, chownSync, existsSync, lchownSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatNames } from "../../src/report/file-formats.ts";
import { mayFollow } from "../../src/system/file-writing.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { type Run, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const [us, owner, other] = [1000, 2000, 3000];

describe("a link is followed by the rule of protected_symlinks", () => {
  test.each([
    ["of another user in a sticky folder that all can write to", other, 0o41777, false],
    ["of our own there", us, 0o41777, true],
    ["of the folder's owner there", owner, 0o41777, true],
    ["of another user in a folder that is not sticky", other, 0o40777, true],
    ["of another user in a sticky folder that only a group can write to", other, 0o41775, true],
    ["of another user in an ordinary folder", other, 0o40755, true],
  ])("%s", (_, uid, mode, expected) => {
    expect(mayFollow({ uid }, { uid: owner, mode }, us)).toBe(expected);
  });
});

/** A folder like /tmp with a link to a file outside, and the owners of both. */
function stickyFolder(target: string, linkOwner: number, folderOwner: number): string {
  const folder = folderWith();
  symlinkSync(target, join(folder, "report.xml"));
  lchownSync(join(folder, "report.xml"), linkOwner, linkOwner);
  chownSync(folder, folderOwner, folderOwner);
  chmodSync(folder, 0o1777);
  return folder;
}

async function writeReport(format: string, path: string): Promise<Run> {
  const api = await serve((_, response) => json(response, 200, success));
  return runInProcess(["test", `--${format}`, path], {
    environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token },
  });
}

// Only root can make files of other users. Tests of mayFollow check the rule for everybody.
describe.runIf(process.getuid?.() === 0).each(formatNames)("the file of --%s", (format) => {
  test.each(["kept", "missing"])(
    "is not written through another user's link to %s, nor behind a link of our own",
    async (name) => {
      const outside = folderWith({ kept: "kept" });
      const sticky = join(stickyFolder(join(outside, name), other, owner), "report.xml");
      const own = join(folderWith(), "link");
      symlinkSync(sticky, own);
      for (const path of [sticky, own]) {
        const run = await writeReport(format, path);
        expect(run.exitCode).toBe(1);
        expect(run.stderr.replace(/\s+/g, " ")).toContain(
          `--${format} names a symbolic link of another user in a folder that everyone can write to; it was not followed`,
        );
      }
      expect(readFileSync(join(outside, "kept"), "utf8")).toBe("kept");
      expect(existsSync(join(outside, "missing"))).toBe(false);
    },
  );

  test.each([
    ["our own", 0, owner],
    ["the folder's owner", owner, owner],
  ])(
    "is written through a link of %s, even where it leads nowhere yet",
    async (_, linkOwner, folderOwner) => {
      for (const name of ["kept", "missing"]) {
        const outside = folderWith({ kept: "kept" });
        const folder = stickyFolder(join(outside, name), linkOwner, folderOwner);

        expect((await writeReport(format, join(folder, "report.xml"))).exitCode).toBe(0);
        expect(readFileSync(join(outside, name), "utf8")).not.toMatch(/^(?:kept)?$/);
      }
    },
  );
});
