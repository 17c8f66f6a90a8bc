import { spawn } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { processorTime } from "../support/processor-time.ts";
import { childNode, type Given, launcher, type Run } from "../support/run.ts";
import { type Attack, type Format, places } from "./hostile-places.ts";
import { numRuns } from "./runs.ts";

/** What hostile texts are made of: it begins something that does not end, nests, is escaped, or is nearly a secret. */
const pieces = [
  ...["a", "1", "@", " ", "\t", "\n", '"', "'", "\\", ":", "/", "=", ",", ";", ".", "#", "_", "(", "<", "&"],
  ...[
    "{",
    "[",
    '{"a":',
    '[{"a":',
    "}",
    "]",
    '"\\',
    "\\\n",
    "\\u0025",
    "<!--",
    "-->",
    "<title>",
    "<a ",
    "&#x",
  ],
  ...[
    "%25",
    "%25%32%35",
    "&amp;",
    "_ENV_",
    "line 1",
    "aGVsbG8=",
    "68656c6c6f",
    "é",
    "ÿ",
    "\ud800",
    "😀",
    "\0",
  ],
  ...[
    "\u001b[",
    "\u202e",
    "\u2028",
    "\ufeff",
    "::error::",
    "##[",
    "- a: ",
    "*a ",
    "&a ",
    "!!",
    "UsernameToken ",
  ],
  ...[planted.token.slice(0, -1), `${planted.token} `],
];
/** Up to three parts, each of which repeats one or two pieces. */
const repeated = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 2 })
  .map((parts) => parts.join(""));
const hostile = fc.array(repeated, { minLength: 1, maxLength: 3 });

const textOf = (parts: readonly string[], length: number): string =>
  parts.map((part) => part.repeat(length / parts.length / part.length)).join("");

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

// At least ten times as many cases in CI, where one in five has the longest text too.
const runs = Math.ceil(numRuns / 450) + 1;
const isLong = numRuns > 1_000 ? fc.nat(4).map((number) => number === 0) : fc.constant(false);
const shorter = 64 * 1024;
/** The deadline of a request and two seconds more, in milliseconds. */
const longest = 5_000 + 2_000;
/** Four times the length may take this many times as long. Less than the floor, in milliseconds, is noise. */
const [growth, floor] = [6, 30];

async function timed(attack: Attack, text: string, as: Format): Promise<number> {
  const before = performance.now();
  const { value, milliseconds } = await processorTime(() => attack(text, as));
  expect(performance.now() - before).toBeLessThan(longest);
  expect([0, 2, 3, 4, 5, 6, 7, 8]).toContain(value.exitCode);
  expect(value.shown).not.toContain("This is a bug");
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
        const time = (length: number): Promise<number> => timed(attack, textOf(parts, length), format);
        const limit = async (length: number): Promise<number> =>
          growth * Math.max(await time(length / 4), floor);
        // What is slow for the shorter one would take minutes for the longer one.
        // A second attempt, since the machine may have done something else in the first.
        for (const length of isLong ? [Math.min(most, shorter), most] : [Math.min(most, shorter)])
          if ((await time(length)) > (await limit(length)))
            expect(await time(length)).toBeLessThan(await limit(length));
      }),
      { numRuns: runs, examples: [[["a", ":", '"\\'], plain, false]] },
    );
  });
});

/**
 * In milliseconds: from the start to the request of the last account, from there to SIGTERM, so that the hostile text is
 * met by then, and to the end. That is twice a second, for a busy machine.
 */
const [untilLast, untilSignal, untilEnd] = [10_000, 500, 2_000];

/** Runs the built program and sends it SIGTERM when the other accounts wait for their responses. */
function signalled(): Format {
  let onLast = (): void => {};
  const run = (args: readonly string[], { environment, homeFolder, workingFolder }: Given): Promise<Run> => {
    const child = spawn(childNode, [launcher, ...args], {
      cwd: workingFolder,
      env: { HOME: homeFolder, PATH: process.env.PATH, ...environment },
      stdio: "ignore",
    });
    const end = (): void => void child.kill("SIGKILL");
    let timer = setTimeout(end, untilLast);
    onLast = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        child.kill("SIGTERM");
        timer = setTimeout(end, untilEnd);
      }, untilSignal);
    };
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        clearTimeout(timer);
        resolve({ exitCode: code ?? -1, stdout: "", stderr: "", everything: "" });
      });
    });
  };
  return { args: [], run, onLast: () => onLast() };
}

test("SIGTERM ends a run within a second", async () => {
  const settings = 3;
  const attacks: ReadonlyArray<readonly [title: string, repeated: string, exitCode: number]> = [
    ["a message in JSON", "a", 143],
    ["a page", "<!--", 143],
    ["a proxy's Proxy-Authenticate", '"\\', 143],
    ["names in a certificate", "a", 143],
    ["a line of --accounts: many keys", "a", 143],
    ["a line of --accounts: nested objects", "a", 143],
    ["a found rc file: the whole file", "\\\n", settings],
    ["a found rc file: the proxy", ":", settings],
    ["your rc file: a profile", "a", 143],
    ["your rc file: a secret command's output", "a", 143],
    ["the variable REFERRAL_PROXY", ":", 0],
  ];
  const wanted = attacks.map(([title, , exitCode]) => [title, exitCode]);
  const ended = attacks.map(async ([title, repeated]) => {
    const [, most, start] = places.find(([name]) => name === title) ?? expect.fail(title);
    const attack = await start();
    const text = textOf([repeated], most);
    const { exitCode } = await attack(text, signalled());
    return [title, exitCode];
  });
  expect(await Promise.all(ended)).toEqual(wanted);
});
