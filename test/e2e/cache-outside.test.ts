import { existsSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runAsChild } from "../support/run.ts";
import { canaryCache, contentOf, header, type Installed, install } from "./installed.ts";

const printed = { exitCode: 0, output: `X-Auth-Token: ${planted.token}\n` };

/** The places of a cache below a folder of the user or of a checkout. */
const places = [
  "",
  ".cache",
  ".cache/referral-auth",
  "Library/Caches/referral-auth",
  "cache",
  "dist/cache",
  "node_modules/.cache",
  "node_modules/.cache/referral-auth",
  "referral-auth",
];

/** Folders of the user and a checkout, with caches whose code would run, under the names of today and of version 0.1.0. */
async function surroundings(program: Installed) {
  const cache = await canaryCache(program);
  rmSync(program.cacheFolder, { recursive: true });
  const name = basename(program.cache);
  const [command, , arch] = name.split("-");
  const [key = "", build, version] =
    /^([0-9a-f]{16})[0-9a-f]{48}(v\d+\.\d+\.\d+)/.exec(cache.toString("latin1")) ?? [];
  const data = cache.subarray(key.length, cache.length / 2);
  const caches = [
    [name, cache],
    [`${build}-${version}-${arch}-${command}`, Buffer.concat([data, data])],
  ] as const;
  const files = Object.fromEntries(
    places.flatMap((place) => caches.map(([file, content]) => [join(place, file), content])),
  );
  return {
    HOME: folderWith(files),
    XDG_CACHE_HOME: folderWith(files),
    TMPDIR: folderWith(files),
    checkout: folderWith(files),
  };
}

describe("outside the folder of the program", () => {
  test("no cache is read and nothing is written", async () => {
    const program = install();
    const folders = await surroundings(program);
    const { checkout: workingFolder, ...environment } = folders;
    const content = () => Object.values(folders).map(contentOf);
    const before = content();

    // The first run writes the cache of the program, the second uses it.
    for (let run = 0; run < 2; run++)
      expect(await header(program, { environment, workingFolder })).toEqual(printed);

    expect(existsSync(program.canary)).toBe(false);
    expect(content()).toEqual(before);
    expect(existsSync(program.cache)).toBe(true);
  });

  test("even if all these folders are the same one, or links to it", async () => {
    const program = install();
    const folders = await surroundings(program);
    const link = join(folderWith(), "link");
    symlinkSync(folders.checkout, link);
    const environment = { HOME: link, XDG_CACHE_HOME: folders.checkout, TMPDIR: link };
    const before = contentOf(folders.checkout);

    expect(await header(program, { environment, workingFolder: link })).toEqual(printed);

    expect(existsSync(program.canary)).toBe(false);
    expect(contentOf(folders.checkout)).toEqual(before);
  });

  // The same for the program under test, which can be a standalone executable.
  test("nothing is written by the program that is under test", async () => {
    const [home, cache, temporary, workingFolder] = [folderWith(), folderWith(), folderWith(), folderWith()];
    const environment = {
      HOME: home,
      XDG_CACHE_HOME: cache,
      TMPDIR: temporary,
      REFERRAL_TOKEN: planted.token,
    };

    for (const args of [["header", "--token"], ["config"], ["--help"], ["--version"]])
      expect(await runAsChild(args, { environment, workingFolder })).toMatchObject({ exitCode: 0 });

    expect([home, cache, temporary, workingFolder].flatMap(contentOf)).toEqual([]);
  });
});
