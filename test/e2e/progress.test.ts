import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { contextOf } from "../support/run.ts";
import { plain, rcOf } from "./profiles.ts";

/** A terminal that records its output. */
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

/** Checks three accounts, one of which is refused, on a terminal: standard error alone, or both streams. */
async function onTerminal(args: readonly string[], { stdoutToo = false, CI = "", last = {} } = {}) {
  const { url } = await emulate();
  const wrong = { token: "not-the-token", ...last };
  const homeFolder = folderWith({ ".referralrc": rcOf(url, { ...plain(2), wrong }) });
  const { token } = planted;
  const lines = [{ token }, { token }, wrong].map((line) => JSON.stringify({ ...line, baseUrl: url }));
  const given = { homeFolder, environment: { CI }, stdin: lines.join("\n") };
  const own = contextOf(["test", "--concurrency", "1", ...args], given);
  const terminal = new Terminal();
  const write = async (text: string) => void terminal.write(text);
  const stream = terminal as unknown as NodeJS.WritableStream;
  const output = { isTerminal: true, terminal: stream, columns: 80, write };
  // As a user who takes some time to type.
  const readStdin = async (): Promise<Uint8Array> => {
    const before = terminal.text;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(terminal.text.slice(before.length)).not.toContain(" done, ");
    return Buffer.from("typed");
  };
  const context = { ...own, ...(stdoutToo && { stdout: output }), stderr: output, readStdin };
  expect(await main(context)).toBe(4);
  expect(leaks(terminal.text)).toEqual([]);
  return terminal.text;
}

test.each([
  ["profiles", "--all", / (\d) of 3 done, (\d) failed, /g],
  ["a stream", "--accounts=-", /(\d) done, (\d) failed, \d+\/s/g],
])(
  "a run over several accounts shows how many are done and failed, and clears that before it prints: %s",
  async (_, accounts, bar) => {
    const text = await onTerminal([accounts, "--verbose"], { stdoutToo: true });
    const shown = [...stripVTControlCharacters(text).matchAll(bar)].map(([, ...figures]) => figures);
    expect([shown.at(0), shown.at(-1)]).toEqual([
      ["0", "0"],
      ["3", "1"],
    ]);
    // What stands on a line after the last time that the line was cleared.
    const screen = text
      .split("\n")
      .map((line) => stripVTControlCharacters(line.split("\x1b[2K").at(-1) ?? ""));
    expect(screen.filter((line) => / done, /.test(line))).toEqual([]);
    expect(screen.filter((line) => /^(accepted|REJECTED) /.test(line))).toHaveLength(3);
    expect(screen.filter((line) => line.startsWith("> GET "))).toHaveLength(3);
  },
);

test("it is drawn on standard error alone too, but not while a secret is asked for", async () => {
  const text = await onTerminal(["--all"], { last: { token: undefined, tokenFile: "-" } });
  expect(stripVTControlCharacters(text)).toContain(" 3 of 3 done, 1 failed, ");
});

test.each([
  ["one profile", ["--profile", "wrong"], {}],
  ["a shard of one", ["--all", "--shard", "3/3"], {}],
  ["--quiet", ["--all", "--quiet"], {}],
  ["a CI system", ["--all"], { CI: "true" }],
  ["a JSON document on the same terminal", ["--all", "--json"], { stdoutToo: true }],
])("nothing moves with %s", async (_, args, options) => {
  expect(await onTerminal(args, options)).not.toContain(" done, ");
});
