import { expect, test } from "vitest";
import { requestLimit } from "../../../src/check/changes.ts";
import { textOfReports } from "../../support/texts.ts";
import { ended, firstAnswers, proved, refused } from "./cases.ts";
import { diagnosis, type Mind } from "./diagnosis.ts";

type Diagnosis = Awaited<ReturnType<typeof diagnosis>>;

/** What a diagnosis asked for, said of its cost, requested last and found, with what to do. */
function linesOf({ outcome, asked, costs, announced, found, fixes }: Diagnosis): string {
  const kind = outcome.kind === "unexpected" ? `unexpected (${outcome.reason.kind})` : outcome.kind;
  const made = [asked.join(" ") || "nothing asked", ...costs, announced.at(-1) ?? "no request"];
  const findings = found.map((finding, index) => `  ${finding} | ${fixes[index]}`);
  return [`${kind} | ${made.join(" | ")}`, ...findings].join("\n");
}

const locks: readonly unknown[] = ["429", "423", "locked"] satisfies Mind[];

// The texts are changed with `npx vitest run test/check/diagnose --update`, and read as a diff.
test.each(Object.entries({ refused, proved, ended, "first-answers": firstAnswers }))(
  "all that a diagnosis says of %s is the text beside this test",
  async (name, situations) => {
    const said: [string, string][] = [];
    for (const [title, situation] of Object.entries(situations)) {
      const run = await diagnosis(situation);
      const { announced, answered, variants, found, fixes } = run;
      said.push([title, linesOf(run)]);
      expect(JSON.stringify([found, fixes, announced]), title).not.toMatch(
        /correct-horse|a-token|--diagnose/,
      );
      // What is proved stands first, and no request is made after a lock.
      expect(
        found.findIndex((text) => text.startsWith("proved ")),
        title,
      ).toBeLessThanOrEqual(0);
      expect(
        answered.slice(0, -1).filter((mind) => locks.includes(mind)),
        title,
      ).toEqual([]);
      const limit = Number(/of at most (\d+)/.exec(announced[0] ?? "of at most 0")?.[1]);
      expect(limit).toBeLessThanOrEqual(requestLimit);
      for (const [index, text] of announced.entries()) {
        expect(text, title).toContain(`diagnosis, request ${index + 1} of at most ${limit}: `);
        if (text.includes(": no credentials")) expect(variants[index]?.credential, title).toBeNull();
      }
    }
    await expect(textOfReports(said)).toMatchFileSnapshot(`texts/${name}.txt`);
  },
);
