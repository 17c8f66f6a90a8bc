import { expect, test } from "vitest";
import { runInProcess } from "../support/run.ts";

const commands = ["test", "header", "config", "emulator", "completion", "help"];

/** The options that this help tells of, each with its words, whatever the width of its column. */
const optionsIn = (help: string): readonly (readonly [lines: string, words: string])[] =>
  [...help.matchAll(/^ {2}-.*\n(?: {10,}.*\n)*/gm)].map(([lines]) => [lines, lines.replace(/\s+/g, " ")]);

// The texts are changed with `npx vitest run test/commands/help.test.ts --update`, and read as a diff.
test.each(["referral-auth", ...commands])(
  "the whole help of %s is the text beside this test; of two commands, without the words that `test` has for an option",
  async (name) => {
    const helpOf = async (...words: readonly string[]) => (await runInProcess(["help", ...words])).stdout;
    let text = await helpOf(...(name === "referral-auth" ? [] : [name]));
    if (name === "header" || name === "config") {
      const ofTest = new Set(optionsIn(await helpOf("test")).map(([, words]) => words));
      const shared = optionsIn(text).filter(([, words]) => ofTest.has(words));
      for (const [lines] of shared) text = text.replace(lines, "");
      text += `as in test: ${shared.map(([, words]) => words.trim().split(" ", 1)).join(" ")}\n`;
    }
    await expect(text).toMatchFileSnapshot(`help/${name}.txt`);
  },
);

test("every command has its text", async () => {
  const { stdout } = await runInProcess(["help"]);
  const listed = [...stdout.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name]) => name);
  expect(listed.slice(0, commands.length)).toEqual(commands);
});
