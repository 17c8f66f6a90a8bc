import { expect, test } from "vitest";
import { runInProcess } from "../support/run.ts";

const commands = ["test", "header", "config", "emulator", "completion", "help"];

// The texts are changed with `npx vitest run test/commands/help.test.ts --update`, and read as a diff.
test.each(["referral-auth", ...commands])(
  "the whole help of %s is the text beside this test",
  async (name) => {
    const { stdout } = await runInProcess(name === "referral-auth" ? ["help"] : ["help", name]);
    await expect(stdout).toMatchFileSnapshot(`help/${name}.txt`);
  },
);

test("every command has its text", async () => {
  const { stdout } = await runInProcess(["help"]);
  const listed = [...stdout.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name]) => name);
  expect(listed.slice(0, commands.length)).toEqual(commands);
});
