import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { serveAlways } from "../support/serve.ts";
import { cacheName, contentOf, header, type Installed, install, printed, runInstalled } from "./installed.ts";

const kept = ({ cacheFolder }: Installed): readonly string[] =>
  existsSync(cacheFolder) ? readdirSync(cacheFolder) : [];

test("the cache lies beside the program, for all to read whatever the umask, and the next run uses it as it is", async () => {
  const program = install();
  expect(await header(program, { umask: "077" })).toEqual(printed);
  expect(kept(program)).toEqual([cacheName("header")]);
  const modes = [program.cacheFolder, program.cache].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o755, 0o644]);
  expect(leaks(readFileSync(program.cache, "latin1"))).toEqual([]);

  // A run that does not use the cache would write it again.
  const before = contentOf(program.folder);
  expect(await header(program)).toEqual(printed);
  expect(contentOf(program.folder)).toEqual(before);
});

/** The content with this text at a place of both copies. */
function withBytes(good: Buffer, place: number, text: string): Buffer {
  const changed = Buffer.from(good);
  for (const start of [0, good.length / 2]) changed.write(text, start + place);
  return changed;
}

test.each<[string, (good: Buffer) => Buffer]>([
  ["is empty", () => Buffer.alloc(0)],
  ["belongs to another build", (good) => withBytes(good, 10, "another build")],
  ["belongs to another Node release", (good) => withBytes(good, 64, "v99")],
  ["differs in its second copy", (good) => Buffer.concat([good.subarray(0, -1), Buffer.alloc(1, 0xaa)])],
])("a cache that %s is replaced and not run", async (_, content) => {
  const program = install();
  await header(program);
  const good = readFileSync(program.cache);
  const wrong = content(good);
  writeFileSync(program.cache, wrong);

  expect(await header(program)).toEqual(printed);

  expect(kept(program)).toHaveLength(1);
  expect(readFileSync(program.cache).equals(wrong)).toBe(false);
  expect(Math.abs(statSync(program.cache).size - good.length)).toBeLessThan(good.length / 10);
});

describe("nothing is kept", () => {
  test.each([
    ["of a run that failed: it did not compile the whole command", { REFERRAL_TOKEN: "" }, 3],
    ["if Node's own cache is switched off", { NODE_DISABLE_COMPILE_CACHE: "1" }, 0],
  ])("%s", async (_, environment, exitCode) => {
    const program = install();
    expect(await header(program, { environment })).toMatchObject({ exitCode });
    expect(kept(program)).toEqual([]);
  });

  test("of a run that changes the flags of V8, such as --all: V8 would reject the cache", async () => {
    const program = install();
    const api = await serveAlways();
    const rc = { baseUrl: api.url, token: planted.token, profiles: { one: {} } };
    const args = ["test", "--all", "--token", "--config", join(folderWith({ rc }), "rc")];
    expect(await runInstalled(program, args)).toMatchObject({ exitCode: 0 });
    expect(kept(program)).toEqual([]);
  });
});

test("nothing is kept in a folder that others can write to", async () => {
  const program = install();
  mkdirSync(program.cacheFolder);
  chmodSync(program.cacheFolder, 0o757);
  const before = contentOf(program.folder);
  expect(await header(program)).toEqual(printed);
  expect(contentOf(program.folder)).toEqual(before);
});

test("the folder has a file for each command, and no file name contains an argument", async () => {
  const program = install();
  const commands = ["header --token", "header --help", "config", "config --json", "--help"];
  for (const args of commands)
    expect(await runInstalled(program, args.split(" ")), args).toMatchObject({ exitCode: 0 });
  for (const more of [[], ["--help"]]) await runInstalled(program, [planted.token, ...more]);
  expect(kept(program)).toEqual(["config", "header", "other"].map(cacheName));
});
