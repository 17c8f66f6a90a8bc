import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { inOptions, wordsForFlags } from "../../src/library/words.ts";
import { causes } from "../check/causes/cases.ts";
import { findingsIn } from "../check/found.ts";

const checks = fileURLToPath(new URL("../../src/check/", import.meta.url));

/** The flags that texts of these files name; comments may name any. */
function flagsIn(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const texts = files.map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  return new Map(
    texts.flatMap(([name, text]) =>
      [...text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "").matchAll(/--[a-z]+(?:-[a-z]+)*/g)].map(
        ([flag]) => [flag, name] as const,
      ),
    ),
  );
}

describe("the library names options instead of flags", () => {
  test("and has words for every flag that a finding names", () => {
    const flags = [...flagsIn(join(checks, "causes"))];

    expect(flags.filter(([flag]) => !(flag in wordsForFlags))).toEqual([]);
    expect(flags.length).toBeGreaterThan(5);
  });

  test.each(Object.entries(causes))("in %s, whose message names none", (_, [shows]) => {
    const result = { findings: findingsIn(shows) } as unknown as Parameters<typeof inOptions>[0];

    for (const { message, fix } of inOptions(result).findings)
      expect(`${message} ${fix}`).not.toMatch(/(?<!\w)--[a-z]/);
  });
});
