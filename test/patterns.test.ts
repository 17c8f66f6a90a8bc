import { analyse } from "scslre";
import { describe, expect, test } from "vitest";
import { allModules, type Module } from "./support/modules.ts";

/** Patterns that a finding is accepted for, and why no text can make them slow. */
const exceptions: ReadonlyArray<readonly [file: string, pattern: RegExp, because: string]> = [
  ["src/emulator/request.ts", /[?#].*$/s, "the first ? or # matches, whatever follows it"],
];

/** Characters that many patterns treat in a special way, added to those of the pattern itself. */
const usual = ["a", "1", " ", "\n", '"', "\\"];

/** The alternatives of a pattern. It tries one after the other, so it is as slow as the slowest of them. */
function alternativesOf({ source, flags }: RegExp): readonly RegExp[] {
  const parts = [""];
  let [depth, isInSet] = [0, false];
  for (const sign of source.match(/\\.|[^\\]/gs) ?? []) {
    if (sign === "[" || sign === "]") isInSet = sign === "[";
    else if (!isInSet) depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
    if (sign === "|" && depth === 0 && !isInSet) parts.push("");
    else parts.push(parts.pop() + sign);
  }
  return parts.map((part) => new RegExp(part, flags));
}

/** The texts between the operators of a pattern, its signs, and the usual ones: what an attack on it repeats. */
function piecesOf({ source }: RegExp): readonly string[] {
  const plain = source.replace(/\\[a-zA-Z](?:\{\w+\}|[\da-f]*)/g, "|").replaceAll("\\", "");
  const runs = plain.split(/[()[\]{}|*+?.^$]+/).map((run) => run.replace(/^[:=!<]+(?=\w)/, ""));
  const signs = plain.match(/[^\w\s]/g) ?? [];
  return [...new Set([...runs, ...signs, ...usual])].filter((text) => text !== "");
}

/** The least of some times, in milliseconds, that the pattern needs to replace all that it finds in a text. */
function timeOf(pattern: RegExp, text: string, attempts: number): number {
  const times = Array.from({ length: attempts }, () => {
    const before = process.threadCpuUsage();
    text.replace(pattern, "");
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return times.reduce((least, time) => Math.min(least, time));
}

/** How long a text is. The emulator's patterns see more than one field of a request, each of up to 8 KiB. */
const lengthFor = (file: string): number => (file.startsWith("src/emulator/") ? 16_000 : 4_000);
/** A linear pattern needs a fifth of this time for the shorter text, a quadratic one several times as much; in milliseconds. */
const suspicious = 0.5;

/**
 * The first hostile text on which four times the length takes more than eight times as long, shortened; null if there is none.
 * The texts repeat one or two pieces of the pattern and end with what few patterns take.
 */
function hostileTextFor(pattern: RegExp, length: number): string | null {
  if (!/[*+]|\{\d+,\}/.test(pattern.source)) return null;
  const pieces = piecesOf(pattern);
  // Each two pieces; and its own in their order, with a usual one behind them.
  const rows = pieces.flatMap((_, at) => [2, 3].map((size) => pieces.slice(at, at + size).join("")));
  const all = [
    ...pieces.flatMap((one) => pieces.map((other) => [one + other, "\n\0"] as const)),
    ...rows.flatMap((row) => usual.flatMap((one) => ["\n\0", '"'].map((end) => [row + one, end] as const))),
  ];
  for (const [repeated, end] of all) {
    const text = (times: number): string => `${repeated.repeat((times * length) / repeated.length)}${end}`;
    // Nearly every text ends here. The processor's clock, which no other process disturbs, is slow to read.
    const before = performance.now();
    text(1).replace(pattern, "");
    if (performance.now() - before < suspicious) continue;
    const [short, long] = [timeOf(pattern, text(1), 3), timeOf(pattern, text(4), 2)];
    if (long > 8 * Math.max(short, 0.5)) return JSON.stringify(repeated);
  }
  return null;
}

/** What is wrong with a pattern; null if it takes linear time. Neither way finds everything: scslre repeats one character. */
function slownessOf(pattern: RegExp, length = lengthFor("")): string | null {
  const { source, flags } = pattern;
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports;
  if (report) return `${report.type} with ${JSON.stringify(report.character.pick)} repeated`;
  const [text] = alternativesOf(pattern).flatMap((one) => hostileTextFor(one, length) ?? []);
  return text === undefined ? null : `${text} repeated`;
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
        const slowness = slownessOf(pattern, lengthFor(module.file));
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
    [/(a+)+$/],
    [/=*$/],
    [/"(?:[^"\\]|\\.)*"/g],
    [/(?:ab|a?b)+$/],
    [/(?<=x.*)c/],
    [/[|(]|no|_(?:NAME|ENV_.*)$/],
    [/^[^"]*\bUsername\s*=\s*[^"\s,][^"]*$/i],
  ])("a slow one is found: %s", (pattern) => {
    expect(slownessOf(pattern)).not.toBeNull();
  });

  test.each([[/<[!/?a-z][^<>]*>/gi], [/a*,b*/y]])("a linear one is not: %s", (pattern) => {
    expect(slownessOf(pattern)).toBeNull();
  });
});
