import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { emptyFolder, type Run, runAsChild } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

/** Runs a check with this folder as the user's cache folder, and further variables. */
async function check(
  cacheHome: string,
  more: Readonly<Record<string, string>> = {},
  status = 200,
): Promise<Run> {
  const api = await serve((_request, response) => json(response, status, { ...success, code: status }));
  return runAsChild(["test", "--token", "--no-config"], {
    environment: {
      REFERRAL_BASE_URL: api.url,
      REFERRAL_TOKEN: planted.token,
      XDG_CACHE_HOME: cacheHome,
      ...more,
    },
  });
}

const accepted = { exitCode: 0, stderr: "" };
const ours = (cacheHome: string): string => join(cacheHome, "referral-auth");
const kept = (cacheHome: string): readonly string[] =>
  existsSync(ours(cacheHome)) ? readdirSync(ours(cacheHome)) : [];
const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("what V8 compiled is kept for this user alone, and used as it is by the next run", async () => {
  const home = folderWith();
  expect(await check(home)).toMatchObject(accepted);
  const [name = "", ...rest] = kept(home);
  expect(rest).toEqual([]);
  expect(name).toMatch(/^[0-9a-f]{16}-v\d+\.\d+\.\d+-\w+-test$/);
  const file = join(ours(home), name);
  expect([modeOf(ours(home)), modeOf(file)]).toEqual([0o700, 0o600]);

  expect(leaks(readFileSync(file, "latin1"))).toEqual([]);

  // One that V8 rejects would be written anew.
  const before = statSync(file).mtimeMs;
  expect(await check(home)).toMatchObject(accepted);
  expect(statSync(file).mtimeMs).toBe(before);
});

test.each([
  ["is empty", () => Buffer.alloc(0)],
  ["is something else", () => Buffer.from("no code of ours".repeat(1000))],
  ["is zeros", (size: number) => Buffer.alloc(size)],
])("a cache that %s is replaced", async (_, content) => {
  const home = folderWith();
  await check(home);
  const file = join(ours(home), kept(home)[0] ?? "");
  const { size } = statSync(file);
  writeFileSync(file, content(size));
  expect(await check(home)).toMatchObject(accepted);
  expect(Math.abs(statSync(file).size - size)).toBeLessThan(size / 10);
});

test("one that a disk garbled is replaced, and not run", async () => {
  const home = folderWith();
  await check(home);
  const file = join(ours(home), kept(home)[0] ?? "");
  const good = readFileSync(file);
  for (const part of [0.1, 0.3, 0.6, 0.9]) {
    const garbled = Buffer.from(good);
    const place = Math.floor(garbled.length * part);
    garbled.writeUInt8(garbled.readUInt8(place) ^ 1, place);
    writeFileSync(file, garbled);
    expect(await check(home)).toMatchObject(accepted);
    expect(readFileSync(file).equals(garbled)).toBe(false);
  }
});

test("one that others could have written is not used", async () => {
  const home = folderWith();
  await check(home);
  const file = join(ours(home), kept(home)[0] ?? "");
  chmodSync(file, 0o622);
  expect(await check(home)).toMatchObject(accepted);
  expect(modeOf(file)).toBe(0o600);
});

describe("nothing is kept", () => {
  test.each([
    ["in a cache folder that others can write to", (home: string) => chmodSync(home, 0o777)],
    ["in a cache folder that the group can write to", (home: string) => chmodSync(home, 0o770)],
    [
      "where our folder is open to others",
      (home: string) => {
        mkdirSync(ours(home));
        chmodSync(ours(home), 0o777);
      },
    ],
  ])("%s", async (_, prepare) => {
    const home = folderWith();
    prepare(home);
    expect(await check(home)).toMatchObject(accepted);
    expect(kept(home)).toEqual([]);
  });

  test("where a file stands in the folder's place", async () => {
    const home = folderWith({ "referral-auth": "" });
    expect(await check(home)).toMatchObject(accepted);
    expect(readdirSync(home)).toEqual(["referral-auth"]);
  });

  test("of a run that did not end well: it did not come to all that a good one does", async () => {
    const home = folderWith();
    expect(await check(home, {}, 401)).toMatchObject({ exitCode: 4 });
    expect(kept(home)).toEqual([]);
  });

  test("where Node's own cache is switched off", async () => {
    const home = folderWith();
    expect(await check(home, { NODE_DISABLE_COMPILE_CACHE: "1" })).toMatchObject(accepted);
    expect(kept(home)).toEqual([]);
  });

  test("of a run over all accounts, which V8 would reject", async () => {
    const home = folderWith();
    const run = await runAsChild(["test", "--all", "--config", join(home, "none")], {
      environment: { XDG_CACHE_HOME: home },
    });
    expect(run.exitCode).toBe(3);
    expect(kept(home)).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)("in the home folder of another user", async () => {
    const home = folderWith();
    chownSync(home, 65_534, 65_534);
    expect(await check("", { HOME: home })).toMatchObject(accepted);
    expect(readdirSync(home)).toEqual([]);
  });

  test("below a relative path, or a home folder that does not exist", async () => {
    const home = join(folderWith(), "gone");
    expect(await check("relative")).toMatchObject(accepted);
    expect(await check("", { HOME: home })).toMatchObject(accepted);
    expect(existsSync(home)).toBe(false);
    expect(readdirSync(emptyFolder)).toEqual([".gitkeep"]);
  });
});

test("the ten newest stay, and no name holds what was typed", async () => {
  const old = Array.from({ length: 12 }, (_, age) => `old-${age}`);
  const home = folderWith(Object.fromEntries(old.map((name) => [`referral-auth/${name}`, ""])));
  old.forEach((name, age) => {
    utimesSync(join(ours(home), name), 1e9 - age, 1e9 - age);
  });
  chmodSync(ours(home), 0o700);
  expect(await check(home)).toMatchObject(accepted);
  expect(kept(home)).toHaveLength(10);
  expect(kept(home)).not.toContain("old-9");
  expect(kept(home)).toContain("old-8");

  await runAsChild([planted.token], { environment: { XDG_CACHE_HOME: home } });
  expect(kept(home).join("\n")).not.toContain(planted.token);
});
