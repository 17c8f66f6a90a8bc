import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks } from "../support/planted.ts";
import { contextOf } from "../support/run.ts";
import { plain, rcOf } from "./profiles.ts";

/** A terminal of 80 columns that records its output. */
class Terminal extends Writable {
  readonly isTTY = true;
  readonly columns = 80;
  readonly rows = 24;
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Checks this many profiles, one of which is refused, with standard error on a terminal. Returns the output there. */
async function onTerminal(
  count: number,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const api = await emulate();
  const profiles = { ...plain(count - 1), wrong: { token: "not-the-token" } };
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const own = contextOf(["test", "--all", ...args], { homeFolder, environment });
  const terminal = new Terminal();
  const exitCode = await main({ ...own, stderr: { ...own.stderr, isTerminal: true, terminal } });
  expect(exitCode).toBe(4);
  expect(leaks(terminal.text)).toEqual([]);
  return stripVTControlCharacters(terminal.text);
}

test("a run over several checks shows on a terminal how many are done and failed", async () => {
  const shown = await onTerminal(3);

  expect(shown).toContain(" 0 of 3 done, 0 failed, ");
  expect(shown).toContain(" 3 of 3 done, 1 failed, ");
});

test.each([
  ["one check", 1, [], {}],
  ["--quiet", 3, ["--quiet"], {}],
  ["--verbose", 3, ["--verbose"], {}],
  ["a CI system", 3, [], { CI: "true" }],
])("nothing moves with %s", async (_, count, args, environment) => {
  expect(await onTerminal(count, args, environment)).toBe("");
});
