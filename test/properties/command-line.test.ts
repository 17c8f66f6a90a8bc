import fc from "fast-check";
import { expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import { definitionOf, flagOf, settingNames } from "../../src/settings/table.ts";
import { contextOf, runInProcess } from "../support/run.ts";
import { manyRuns, numRuns } from "./runs.ts";

const ignore = (): void => {};
const { commands } = buildProgram(contextOf([]), ignore, ignore);
const optionsOf = new Map(commands.map((command) => [command.name(), command.options]));
const named = ["test", "header", "config", "emulator"] as const;

/** A secret as programs make them: letters of both cases and digits, so that no name of ours is in it. */
const secret = fc
  .tuple(fc.stringMatching(/^[a-zA-Z0-9+/=_.!-]{8,40}$/), fc.integer({ min: 10, max: 99 }))
  .map(([text, number]) => `Q${number}z${text}`);

/** Words that are right for a command, with secrets as values. */
const right = (name: string, secret: string) =>
  fc
    .subarray(
      (optionsOf.get(name) ?? []).filter(({ mandatory }) => !mandatory),
      { maxLength: 4 },
    )
    .map((options) =>
      options.flatMap(({ long, required, optional }) =>
        required ? [long ?? "", secret] : optional ? [`${long}=${secret}`] : [long ?? ""],
      ),
    );

const mistyped = "--tokenn=* --token* -t* --* -* --no-* --*=x --wsse=* --json=* \u2013* --to\u200bken=*";

/** Ways to be wrong with a secret, whatever else the line says. */
const mistakes = (name: string, secret: string): ReadonlyArray<readonly string[]> => [
  ...mistyped.split(" ").map((word) => [word.replace("*", () => secret)]),
  ["--tokenn", secret],
  ["--secret", secret, `--secret=${secret}`],
  ["--username", secret, "--secret", ""],
  // The emulator takes a word for its command.
  ...(name === "emulator"
    ? []
    : [[secret], [`https://${secret}`], ["--token", `-${secret}`], ["--token", "--", secret, secret]]),
];

test("a wrong command line exits 2 and shows no value", manyRuns, async () => {
  const line = fc
    .tuple(fc.constantFrom(...named), secret)
    .chain(([name, secret]) =>
      fc.tuple(
        fc.constant(name),
        fc.constant(secret),
        right(name, secret),
        fc.constantFrom(...mistakes(name, secret)),
        fc.boolean(),
      ),
    );
  await fc.assert(
    fc.asyncProperty(line, fc.boolean(), async ([name, secret, before, mistake, isLast], inActions) => {
      const args = [name, ...(isLast ? [...before, ...mistake] : [...mistake, ...before])];
      const environment = inActions ? { GITHUB_ACTIONS: "true" } : {};
      const { exitCode, stderr, everything } = await runInProcess(args, { environment });
      expect([exitCode, stderr], args.join(" ")).toEqual([
        2,
        expect.stringMatching(/^Error: \S.*\n {2}try {7}\S/),
      ]);
      expect(everything, args.join(" ")).not.toContain(secret.slice(1, 8));
    }),
    { numRuns: numRuns * 3 },
  );
});

test("whatever stands before a command or in its place is not shown", async () => {
  const word = fc.tuple(secret, fc.constantFrom("", "-", "--", "--token=", "https://", "\u2014"));
  await fc.assert(
    fc.asyncProperty(word, fc.subarray([...named, "--json"]), async ([secret, before], after) => {
      const { exitCode, everything } = await runInProcess([before + secret, ...after]);
      expect(exitCode).toBe(2);
      expect(everything).not.toContain(secret.slice(1, 8));
    }),
  );
});

const numbersAndChoices = settingNames.filter((name) =>
  ["number", "choice"].includes(definitionOf(name).kind),
);

test("a flag whose value is no number or choice, or that is given twice, exits 2 and shows no value", async () => {
  const flag = fc.constantFrom(...numbersAndChoices.map(flagOf));
  await fc.assert(
    fc.asyncProperty(flag, secret, fc.boolean(), async (flag, secret, isTwice) => {
      const given = isTwice ? [flag, "1", `${flag}=1`] : [flag, secret];
      const args = ["test", "--token=x", "--base-url=http://127.0.0.1:1", ...given];
      const { exitCode, stderr } = await runInProcess(args);
      expect([exitCode, stderr], args.join(" ")).toEqual([2, expect.stringContaining(`Error: ${flag} `)]);
      expect(stderr).not.toContain(secret.slice(1, 8));
    }),
  );
});
