import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { isOutOfProportion, processorTime } from "../support/processor-time.ts";
import { places } from "./hostile-places.ts";
import { type Attack, type Format, textOf } from "./hostile-runs.ts";
import { numRuns, scale } from "./runs.ts";

/** What hostile texts are made of: it begins something that does not end, nests, is escaped, or is nearly a secret. */
const pieces = [
  ...`a 1 @ " ' : / = , ; . # _ ( < & { [ } ] {"a": [{"a": <!-- --> <title> &#x &amp; %25 %25%32%35 ::error:: ##[ !!`.split(
    " ",
  ),
  ...'_ENV_ aGVsbG8= 68656c6c6f é ÿ 😀 \\ "\\ \\\n \\u0025 \t \n \0 \ud800 \u001b[ \u202e \u2028 \ufeff'.split(
    " ",
  ),
  ...[
    " ",
    "line 1",
    "<a ",
    "- a: ",
    "*a ",
    "&a ",
    "UsernameToken ",
    planted.token.slice(0, -1),
    `${planted.token} `,
  ],
];
/** Up to three parts, each of which repeats one or two pieces. */
const repeated = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 2 })
  .map((parts) => parts.join(""));
const hostile = fc.array(repeated, { minLength: 1, maxLength: 3 });

const format = fc.constantFrom<Format>(
  { args: [] },
  { args: ["--failed-only"] },
  { args: ["--verbose"] },
  { args: ["--json"] },
  { args: ["--ndjson"] },
  { args: ["--metrics", "metrics.prom"] },
  { args: ["--diagnose"] },
  { args: ["--diagnose", "--verbose", "--json"] },
  { args: [], inJob: true },
);

// `npm test` tries one case, a short one. `--mode properties` tries more, and one in five has the longest text too.
const runs = Math.ceil(numRuns / 100);
const isLong = scale > 1 ? fc.nat(4).map((number) => number === 0) : fc.constant(false);
const shorter = 16 * 1024 * scale;
/** The search for encoded secrets may decode 4 MiB for each text, and takes up to 450 ms for them. */
const noticeable = 150;
/** The deadline of a request and two seconds more, in milliseconds. */
const longest = 5_000 + 2_000;

async function timed(attack: Attack, text: string, as: Format): Promise<number> {
  const before = performance.now();
  const { value, milliseconds } = await processorTime(() => attack(text, as));
  expect(performance.now() - before).toBeLessThan(longest);
  expect([0, 2, 3, 4, 5, 6, 7, 8]).toContain(value.exitCode);
  expect(value.shown).not.toContain("This is a bug");
  // Completion prints each name, with escapes.
  expect(value.shown.length).toBeLessThan(60_000 + 2 * text.length);
  expect(value.othersAccepted, "other accounts keep their verdicts").toBe(true);
  expect(leaks(value.shown)).toEqual([]);
  return milliseconds;
}

describe("no text of others stops a run or slows it down out of proportion", () => {
  test.each(places)("%s", { timeout: 60_000 + runs * 2_000 }, async (_title, most, start) => {
    const attack = await start();
    const plain: Format = { args: [] };
    await timed(attack, "a", plain);
    await fc.assert(
      fc.asyncProperty(hostile, format, isLong, async (parts, format, isLong) => {
        const timeOf = (length: number): Promise<number> => timed(attack, textOf(parts, length), format);
        // What is slow for the shorter text would take minutes for the longer one.
        for (const length of isLong ? [Math.min(most, shorter), most] : [Math.min(most, shorter)])
          expect(await isOutOfProportion(timeOf, length / 4 / scale, noticeable)).toBe(false);
      }),
      { numRuns: runs, endOnFailure: true, examples: [[["a", ":", '"\\'], plain, false]] },
    );
  });
});
