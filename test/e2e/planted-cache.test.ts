import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { childNode } from "../support/run.ts";
import { contentOf, header, type Installed, install, installWithCanary } from "./installed.ts";

// A V8 cache is code. Each test plants a cache whose code only makes a file, the canary.
const printed = { exitCode: 0, output: `X-Auth-Token: ${planted.token}\n` };
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

test("a canary of the program's owner runs, so the tests below can fail", async () => {
  const program = await installWithCanary();
  expect(await header(program)).toEqual({ exitCode: 0, output: "" });
  expect(existsSync(program.canary)).toBe(true);
});

describe("a cache is not used", () => {
  const byAnybody: ReadonlyArray<readonly [string, (program: Installed) => void]> = [
    ["that its group can write", ({ cache }) => chmodSync(cache, 0o664)],
    ["that others can write", ({ cache }) => chmodSync(cache, 0o646)],
    ["in a folder that its group can write to", ({ cacheFolder }) => chmodSync(cacheFolder, 0o775)],
    ["in a folder that others can write to", ({ cacheFolder }) => chmodSync(cacheFolder, 0o757)],
    ["in a sticky folder that others can write to", ({ cacheFolder }) => chmodSync(cacheFolder, 0o1777)],
    ["that is a link", ({ cache }) => replaceByLink(cache)],
    ["in a folder that is a link", ({ cacheFolder }) => replaceByLink(cacheFolder)],
  ];
  const byRoot: typeof byAnybody = [
    ["that belongs to somebody else", ({ cache }) => chownSync(cache, nobody, nobody)],
    ["in a folder of somebody else", ({ cacheFolder }) => chownSync(cacheFolder, nobody, nobody)],
    ["of root's, beside a program of somebody else", ({ bundle }) => chownSync(bundle, nobody, nobody)],
  ];

  /** Moves this away and puts a link to it in its place. */
  function replaceByLink(path: string): void {
    const elsewhere = join(folderWith(), "elsewhere");
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
  }

  test.each([...byAnybody, ...(isRoot ? byRoot : [])])("%s", async (_, prepare) => {
    const program = await installWithCanary();
    prepare(program);

    expect(await header(program)).toEqual(printed);

    expect(existsSync(program.canary)).toBe(false);
  });

  test("through a link: its target stays unchanged", async () => {
    const program = await installWithCanary();
    const target = folderWith({ file: "precious" });
    for (const name of [program.cache, `${program.cache}.new`]) {
      rmSync(name, { force: true });
      symlinkSync(join(target, "file"), name);
    }
    const before = contentOf(target);

    for (let run = 0; run < 2; run++) expect(await header(program)).toEqual(printed);

    expect(contentOf(target)).toEqual(before);
    expect(readFileSync(join(target, "file"), "utf8")).toBe("precious");
    expect(lstatSync(program.cache).isFile()).toBe(true);
  });
});

describe.runIf(isRoot)("with several users", () => {
  /** A copy of the Node under test that every user can run. */
  function nodeForAll(program: Installed): string {
    const node = join(program.folder, "node");
    copyFileSync(childNode, node);
    chmodSync(node, 0o755);
    return node;
  }

  test("others use the cache of the owner and write nothing", async () => {
    const program = await installWithCanary();
    const node = nodeForAll(program);
    chmodSync(dirname(program.canary), 0o777);
    const before = contentOf(program.folder);

    expect(await header(program, { uid: nobody, node })).toEqual({ exitCode: 0, output: "" });

    expect(existsSync(program.canary)).toBe(true);
    expect(contentOf(program.folder)).toEqual(before);
  });

  test.each([
    ["another user, even where that one can write", nobody, 0, 0o777],
    ["root, beside a program of another user", 0, nobody, 0o755],
  ])("a cache is not written by %s", async (_, uid, owner, mode) => {
    const program = install();
    const node = nodeForAll(program);
    for (const path of [program.bundle, dirname(program.bundle)]) chownSync(path, owner, owner);
    chmodSync(dirname(program.bundle), mode);

    expect(await header(program, { uid, node })).toEqual(printed);
    expect(existsSync(program.cacheFolder)).toBe(false);

    mkdirSync(program.cacheFolder);
    chownSync(program.cacheFolder, owner, owner);
    expect(await header(program, { uid, node })).toEqual(printed);
    expect(contentOf(program.cacheFolder)).toEqual([]);
  });

  test("a cache that another user put there does not run as root", async () => {
    const made = await installWithCanary();
    const program = { ...install(), canary: made.canary };
    chmodSync(dirname(program.bundle), 0o777);
    cpSync(made.cacheFolder, program.cacheFolder, { recursive: true });
    for (const path of [program.cacheFolder, program.cache]) chownSync(path, nobody, nobody);
    const before = contentOf(program.cacheFolder);

    expect(await header(program)).toEqual(printed);

    expect(existsSync(program.canary)).toBe(false);
    expect(contentOf(program.cacheFolder)).toEqual(before);
  });
});
