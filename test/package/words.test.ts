import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inOptions, wordsForFlags } from "../../src/library/words.ts";
import { causes } from "../check/causes/cases.ts";
import { findingsIn } from "../check/found.ts";

test("the library has words for every flag that a finding names", () => {
  const folder = fileURLToPath(new URL("../../src/check/causes/", import.meta.url));
  const texts = readdirSync(folder).map((name) => readFileSync(folder + name, "utf8"));
  // Comments may name any flag.
  const code = texts.join("\n").replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const flags = [...new Set(code.match(/--[a-z]+(?:-[a-z]+)*/g))];

  expect(flags.filter((flag) => !(flag in wordsForFlags))).toEqual([]);
  expect(flags.length).toBeGreaterThan(5);
});

test.each(Object.entries(causes))("the library names no flag in %s", (_, [shows]) => {
  const result = { findings: findingsIn(shows) } as unknown as Parameters<typeof inOptions>[0];

  for (const { message, fix } of inOptions(result).findings)
    expect(`${message} ${fix}`).not.toMatch(/(?<!\w)--[a-z]/);
});
