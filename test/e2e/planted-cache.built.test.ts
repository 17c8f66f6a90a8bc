import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { childNode, runAsChild } from "../support/run.ts";
import { contentOf, header, type Installed, install, installWithCanary, printed } from "./installed.ts";

// A V8 cache is code. Each test plants a cache whose code only makes a file, the canary.
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

test("a canary of the program's owner runs, so the tests below can fail", async () => {
  const program = await installWithCanary();
  expect(await header(program)).toEqual({ exitCode: 0, output: "" });
  expect(fs.existsSync(program.canary)).toBe(true);
});

describe("a cache is not used", () => {
  const byAnybody: ReadonlyArray<readonly [string, (program: Installed) => void]> = [
    ["that its group can write", ({ cache }) => fs.chmodSync(cache, 0o664)],
    ["in a sticky folder that others can write to", ({ cacheFolder }) => fs.chmodSync(cacheFolder, 0o1757)],
    ["that is a link", ({ cache }) => replaceByLink(cache)],
    ["in a folder that is a link", ({ cacheFolder }) => replaceByLink(cacheFolder)],
  ];
  const byRoot: typeof byAnybody = [
    ["that belongs to somebody else", ({ cache }) => fs.chownSync(cache, nobody, nobody)],
    ["in a folder of somebody else", ({ cacheFolder }) => fs.chownSync(cacheFolder, nobody, nobody)],
    ["of root's, beside a program of somebody else", ({ bundle }) => fs.chownSync(bundle, nobody, nobody)],
  ];

  /** Moves this away and puts a link to it in its place. */
  function replaceByLink(path: string): void {
    const elsewhere = join(folderWith(), "elsewhere");
    fs.renameSync(path, elsewhere);
    fs.symlinkSync(elsewhere, path);
  }

  test.each([...byAnybody, ...(isRoot ? byRoot : [])])("%s", async (_, prepare) => {
    const program = await installWithCanary();
    prepare(program);
    expect(await header(program)).toEqual(printed);
    expect(fs.existsSync(program.canary)).toBe(false);
  });

  test("through a link: its target stays unchanged", async () => {
    const program = await installWithCanary();
    const target = folderWith({ file: "precious" });
    for (const name of [program.cache, `${program.cache}.new`]) {
      fs.rmSync(name, { force: true });
      fs.symlinkSync(join(target, "file"), name);
    }
    const before = contentOf(target);
    for (let run = 0; run < 2; run++) expect(await header(program)).toEqual(printed);
    expect(contentOf(target)).toEqual(before);
    expect(fs.readFileSync(join(target, "file"), "utf8")).toBe("precious");
    expect(fs.lstatSync(program.cache).isFile()).toBe(true);
  });
});

describe.runIf(isRoot)("with several users", () => {
  /** A copy of the Node under test that every user can run. */
  function nodeForAll(program: Installed): string {
    const node = join(program.folder, "node");
    fs.copyFileSync(childNode, node);
    fs.chmodSync(node, 0o755);
    return node;
  }

  test.each([
    ["another user, even where that one can write", nobody, 0, 0o777],
    ["root, beside a program of another user", 0, nobody, 0o755],
  ])("a cache is not written by %s", async (_, uid, owner, mode) => {
    const program = install();
    const node = nodeForAll(program);
    for (const path of [program.bundle, dirname(program.bundle)]) fs.chownSync(path, owner, owner);
    fs.chmodSync(dirname(program.bundle), mode);

    expect(await header(program, { uid, node })).toEqual(printed);
    expect(fs.existsSync(program.cacheFolder)).toBe(false);

    fs.mkdirSync(program.cacheFolder);
    fs.chownSync(program.cacheFolder, owner, owner);
    expect(await header(program, { uid, node })).toEqual(printed);
    expect(contentOf(program.cacheFolder)).toEqual([]);
  });
});

describe("outside the folder of the program", () => {
  /** Folders of the user and a checkout, each with these files. */
  function surroundings(files: Readonly<Record<string, unknown>> = {}) {
    const environment = {
      HOME: folderWith(files),
      XDG_CACHE_HOME: folderWith(files),
      TMPDIR: folderWith(files),
    };
    const workingFolder = folderWith(files);
    const content = () => [...Object.values(environment), workingFolder].flatMap(contentOf);
    return { environment, workingFolder, content };
  }

  test("no cache is read and nothing is written", async () => {
    const program = await installWithCanary();
    const places = ["", ".cache", "Library/Caches", "cache", "dist/cache", "node_modules/.cache"].flatMap(
      (place) => [place, join(place, "referral-auth")].map((one) => join(one, basename(program.cache))),
    );
    const cache = fs.readFileSync(program.cache);
    const { content, ...given } = surroundings(Object.fromEntries(places.map((place) => [place, cache])));
    fs.rmSync(program.cacheFolder, { recursive: true });
    const before = content();

    // The first run writes the cache of the program, the second uses it.
    for (let run = 0; run < 2; run++) expect(await header(program, given)).toEqual(printed);

    expect(fs.existsSync(program.canary)).toBe(false);
    expect(content()).toEqual(before);
    expect(fs.existsSync(program.cache)).toBe(true);
  });

  // The same for the program under test, which can be a standalone executable.
  test.each(["header --token", "config", "--help", "--version"])("%s writes nothing", async (args) => {
    const { content, environment, workingFolder } = surroundings();
    const given = { environment: { ...environment, REFERRAL_TOKEN: planted.token }, workingFolder };
    expect(await runAsChild(args.split(" "), given)).toMatchObject({ exitCode: 0 });
    expect(content()).toEqual([]);
  });
});
