import fc from "fast-check";
import { expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { places } from "./hostile-places.ts";
import { type Attack, type Format, textOf } from "./hostile-runs.ts";
import { numRuns, scale } from "./runs.ts";

/** What hostile texts are made of: it begins something that does not end, nests, is not shown raw, or is nearly a secret. */
const plain = [
  ...`a 1 00 @ a@a. " ' : :: / a/ = =" , ,a ; . #[ _ ( < <a <!-- <!----> --> <title> <?xml { {{ [ } ] {"a": [{"a":`.split(
    " ",
  ),
  ..."::error:: ##[ !! _ENV_ é ß 😀 \n \t \0 \ud800 \u001b[ \u202e \u2028 \ufeff".split(" "),
  ...[" ", "line 1", "The quick brown fox. ", "- a: ", "*a ", "&a ", "UsernameToken "],
  ...[planted.token.slice(0, -1), `${planted.token} `],
];
/** A text with many of these is masked, since it takes too long to find out what it may mean. */
const encoded =
  '& &#x &amp; %25 %25%32%35 \\u0025%5c&amp;=3D+ \\ \\e \\" "\\ \\\n \\u00 aGVsbG8= YUdWc2JHOD0= 68656c6c6f'.split(
    " ",
  );
const formats: readonly Format[] = [
  ...[[], ["--failed-only"], ["--verbose"], ["--json"], ["--ndjson"], ["--metrics", "metrics.prom"]].map(
    (args) => ({ args }),
  ),
  { args: ["--diagnose"] },
  { args: ["--diagnose", "--verbose", "--json"] },
  { args: [], inJob: true },
];

/** Up to three parts, each of which repeats one or two pieces; and one case of all that are plain. */
const hostile = fc.array(
  fc
    .array(fc.constantFrom(...plain, ...encoded), { minLength: 1, maxLength: 2 })
    .map((parts) => parts.join("")),
  { minLength: 1, maxLength: 3 },
);
// `npm test` tries these in one short text. `--mode properties` tries more, and one in five has the longest text too.
const runs = Math.ceil(numRuns / 100);
const isLong = fc.nat(4).map((number) => scale > 1 && number === 0);
const shorter = 16 * 1024 * scale;
/** The search for encoded secrets may decode as much of a short text as of a long one. */
const noticeable = 50 * scale;
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The processor time of a run that meets the text, of which holds what is promised; in milliseconds. */
async function timeOf(attack: Attack, text: string, as: Format): Promise<number> {
  const before = process.threadCpuUsage();
  const { exitCode, shown, othersAccepted } = await attack(text, as);
  const { user, system } = process.threadCpuUsage(before);
  expect([0, 2, 3, 4, 5, 6, 7, 8]).toContain(exitCode);
  expect(shown).not.toContain("This is a bug");
  // Completion prints each name, with escapes.
  expect(shown.length).toBeLessThan(60_000 + 2 * text.length);
  expect(othersAccepted, "other accounts keep their verdicts").toBe(true);
  expect(leaks(shown)).toEqual([]);
  expect(shown).not.toMatch(unprintable);
  return (user + system) / 1_000;
}

/**
 * Whether four times the length takes more than six times as long. All of three attempts must show it, since the garbage
 * collector and other processes add to one.
 */
async function isOutOfProportion(
  timeOf: (length: number) => Promise<number>,
  length: number,
): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const long = await timeOf(length);
    if (long < noticeable || long <= 6 * (await timeOf(length / 4))) return false;
  }
  return true;
}

test.each(places)(
  "a text does not stop a run, is not shown raw, and takes time in proportion to its length: %s",
  { timeout: 60_000 + runs * 2_000 },
  async (_title, most, start) => {
    const attack = await start();
    // So short a text is shown whole, and is not masked.
    await timeOf(attack, plain.slice(0, -2).join(""), { args: [] });
    await fc.assert(
      fc.asyncProperty(hostile, fc.constantFrom(...formats), isLong, async (parts, format, isLong) => {
        // What is slow for the shorter text would take minutes for the longer one.
        for (const length of isLong ? [Math.min(most, shorter), most] : [Math.min(most, shorter)]) {
          const slow = await isOutOfProportion(
            (length) => timeOf(attack, textOf(parts, length), format),
            length,
          );
          expect(slow).toBe(false);
        }
      }),
      { numRuns: runs, endOnFailure: true, examples: [[plain, { args: [] }, false]] },
    );
  },
);
