import { analyse } from "scslre";
import { describe, expect, test } from "vitest";
import { allModules, type Module } from "./support/modules.ts";
import { hostileTextFor } from "./support/pattern-time.ts";

/** Patterns that a finding is accepted for, and why no text can make them slow. */
const exceptions: ReadonlyArray<readonly [file: string, pattern: RegExp, because: string]> = [
  ["src/emulator/request.ts", /[?#].*$/s, "the first ? or # matches, whatever follows it"],
];

/** What is wrong with a pattern; null if it takes linear time. Neither way finds everything: scslre repeats one character. */
function slownessOf(pattern: RegExp): string | null {
  const { source, flags } = pattern;
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports;
  if (report) return `${report.type} with ${JSON.stringify(report.character.pick)} repeated`;
  const text = hostileTextFor(pattern);
  return text && `${text} repeated`;
}

/** The patterns that a module makes of strings when it is loaded. */
async function madeBy({ file, madePatterns }: Module): Promise<readonly RegExp[]> {
  if (madePatterns === 0) return [];
  const path = new URL(`../${file}`, import.meta.url).pathname;
  await import(/* @vite-ignore */ path);
  const made: RegExp[] = [];
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, [source, flags]) => {
      const pattern = new target(source, flags);
      made.push(pattern);
      return pattern;
    },
  });
  try {
    // The query makes it run again; what it imports has run.
    await import(/* @vite-ignore */ `${path}?again`);
  } finally {
    globalThis.RegExp = original;
  }
  expect(made, `${file} makes patterns later than at load, where no test sees them`).toHaveLength(
    madePatterns,
  );
  return made;
}

describe("every regular expression takes linear time", () => {
  test.each(allModules())("$file", async (module) => {
    const found = [...module.patterns, ...(await madeBy(module))]
      .filter(
        (pattern) =>
          !exceptions.some(([file, { source }]) => file === module.file && source === pattern.source),
      )
      .flatMap((pattern) => {
        const slowness = slownessOf(pattern);
        return slowness === null ? [] : [`${pattern}: ${slowness}`];
      });
    expect(found).toEqual([]);
  });

  test.each(exceptions)("%s still needs the exception for %s", (file, { source }) => {
    const [module] = allModules().filter((one) => one.file === file);
    const pattern = module?.patterns.find((one) => one.source === source);
    expect(pattern && slownessOf(pattern)).toEqual(expect.any(String));
  });

  test.each([
    [/\S*[\d@]\S*/g],
    [/^[^@]*:[^@]+@/],
    [/(a+)+$/],
    [/\s+$/],
    [/=*$/],
    [/"(?:[^"\\]|\\.)*"/g],
    [/(?:ab|a?b)+$/],
    [/<!--.*-->/s],
    [/(?<=x.*)c/],
    [/_(?:NAME|ENV_.*)$/],
  ])("a slow one is found: %s", (pattern) => {
    expect(slownessOf(pattern)).not.toBeNull();
  });

  test.each([[/<[!/?a-z][^<>]*>/gi], [/\s+/g], [/"[^"]*"/g], [/a*,b*/y]])(
    "a linear one is not: %s",
    (pattern) => {
      expect(slownessOf(pattern)).toBeNull();
    },
  );
});
