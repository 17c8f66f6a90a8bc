import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { json, serve, success } from "../support/serve.ts";
import { cacheName, contentOf, header, type Installed, install, runInstalled } from "./installed.ts";

const printed = { exitCode: 0, output: `X-Auth-Token: ${planted.token}\n` };
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const kept = ({ cacheFolder }: Installed): readonly string[] =>
  existsSync(cacheFolder) ? readdirSync(cacheFolder) : [];

test.each(["000", "022", "077"])(
  "the cache lies beside the program, for all to read, with umask %s",
  async (umask) => {
    const program = install();

    expect(await header(program, { umask })).toEqual(printed);

    expect(kept(program)).toEqual([cacheName("header")]);
    expect([modeOf(program.cacheFolder), modeOf(program.cache)]).toEqual([0o755, 0o644]);
    expect(leaks(readFileSync(program.cache, "latin1"))).toEqual([]);
  },
);

test("the next run uses the cache as it is", async () => {
  const program = install();
  await header(program);
  expect(kept(program)).toHaveLength(1);
  // A run that does not use the cache would write it again.
  const before = contentOf(program.folder);

  expect(await header(program)).toEqual(printed);

  expect(contentOf(program.folder)).toEqual(before);
});

describe("a cache is replaced and not run", () => {
  test.each<[string, (good: Buffer) => Buffer]>([
    ["is empty", () => Buffer.alloc(0)],
    ["is something else", () => Buffer.from("no code of ours".repeat(1000))],
    ["is zeros", (good) => Buffer.alloc(good.length)],
    ["is cut short", (good) => good.subarray(0, good.length / 2)],
    ["belongs to another build", (good) => withBytes(good, 10, "another build")],
    ["belongs to another Node release", (good) => withBytes(good, 64, "v99")],
    ...[0.1, 0.3, 0.6, 0.9].map((part): [string, (good: Buffer) => Buffer] => [
      `has another bit at ${part} of its length`,
      (good) => flipped(good, part),
    ]),
  ])("that %s", async (_, content) => {
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

  function flipped(good: Buffer, part: number): Buffer {
    const changed = Buffer.from(good);
    const place = Math.floor(changed.length * part);
    changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    return changed;
  }

  /** The content with this text at a place of either half. */
  function withBytes(good: Buffer, place: number, text: string): Buffer {
    const changed = Buffer.from(good);
    for (const start of [0, good.length / 2]) changed.write(text, start + place);
    return changed;
  }
});

describe("nothing is kept", () => {
  test("of a run that failed: it did not compile the whole command", async () => {
    const program = install();
    expect(await header(program, { environment: { REFERRAL_TOKEN: "" } })).toMatchObject({ exitCode: 3 });
    expect(kept(program)).toEqual([]);
  });

  test("if Node's own cache is switched off", async () => {
    const program = install();
    expect(await header(program, { environment: { NODE_DISABLE_COMPILE_CACHE: "1" } })).toEqual(printed);
    expect(kept(program)).toEqual([]);
  });

  test("of a run that changes the flags of V8, such as --all: V8 would reject the cache", async () => {
    const program = install();
    const api = await serve((_, response) => json(response, 200, success));
    const rc = { baseUrl: api.url, token: planted.token, profiles: { one: {} } };
    const config = join(folderWith({ rc }), "rc");
    const run = await runInstalled(program, ["test", "--all", "--token", "--config", config]);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(kept(program)).toEqual([]);
  });

  test("if there is a file instead of the folder", async () => {
    const program = install();
    writeFileSync(program.cacheFolder, "");
    const before = contentOf(program.folder);
    expect(await header(program)).toEqual(printed);
    expect(contentOf(program.folder)).toEqual(before);
  });

  test.each(["775", "757", "777"])("in a folder with the mode %s, which lets others write", async (mode) => {
    const program = install();
    await header(program);
    chmodSync(program.cacheFolder, mode);
    writeFileSync(program.cache, "");
    const before = contentOf(program.folder);
    expect(await header(program)).toEqual(printed);
    expect(contentOf(program.folder)).toEqual(before);
  });
});

test("an unfinished cache file of an earlier run delays the cache by one run", async () => {
  const program = install();
  await header(program);
  writeFileSync(program.cache, "");
  writeFileSync(`${program.cache}.new`, "half");
  for (let run = 0; run < 2; run++) expect(await header(program)).toEqual(printed);
  expect(kept(program)).toEqual([cacheName("header")]);
  expect(statSync(program.cache).size).toBeGreaterThan(100_000);
});

test("the folder has a file for each command, and no file name contains an argument", async () => {
  const program = install();
  for (const args of [
    ["header", "--token"],
    ["header", "--help"],
    ["config"],
    ["config", "--json"],
    ["--help"],
  ])
    expect(await runInstalled(program, args), args.join(" ")).toMatchObject({ exitCode: 0 });
  await runInstalled(program, [planted.token]);
  await runInstalled(program, [planted.token, "--help"]);
  expect(kept(program)).toEqual(["config", "header", "other"].map(cacheName));
});
