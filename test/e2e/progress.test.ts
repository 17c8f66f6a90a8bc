import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
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

/** Checks some profiles, one of which is refused, on a terminal: standard error alone, or both streams. */
async function onTerminal(count: number, args: readonly string[], { stdoutToo = false, CI = "" } = {}) {
  const api = await emulate();
  const profiles = { ...plain(count - 1), wrong: { token: "not-the-token" } };
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const lines = [...Array(count - 1).fill(planted.token), "not-the-token"].map((token) =>
    JSON.stringify({ token, baseUrl: api.url }),
  );
  const given = { homeFolder, environment: { CI }, stdin: lines.join("\n") };
  const own = contextOf(["test", "--concurrency", "1", ...args], given);
  const terminal = new Terminal();
  const write = async (text: string) => void terminal.write(text);
  const output = {
    isTerminal: true,
    terminal: terminal as unknown as NodeJS.WritableStream,
    columns: 80,
    write,
  };
  expect(await main({ ...own, ...(stdoutToo && { stdout: output }), stderr: output })).toBe(4);
  expect(leaks(terminal.text)).toEqual([]);
  return terminal.text;
}

test("a run over several profiles shows on a terminal how many are done and failed", async () => {
  const shown = stripVTControlCharacters(await onTerminal(3, ["--all"]));
  expect(shown).toContain(" 0 of 3 done, 0 failed, ");
  expect(shown).toContain(" 3 of 3 done, 1 failed, ");
});

test.each([
  ["profiles", "--all", / (\d) of 3 done, (\d) failed, /g],
  ["a stream", "--accounts=-", /(\d) done, (\d) failed, \d+\/s/g],
])(
  "it is removed before a result is printed there, and drawn again behind it: %s",
  async (_, accounts, bar) => {
    const text = await onTerminal(3, [accounts, "--verbose"], { stdoutToo: true });
    const plainText = stripVTControlCharacters(text);
    expect([...plainText.matchAll(bar)].at(0)?.slice(1)).toEqual(["0", "0"]);
    expect([...plainText.matchAll(bar)].at(-1)?.slice(1)).toEqual(["3", "1"]);
    // What stands on a line after the last time that the line was cleared.
    const screen = text
      .split("\n")
      .map((line) => stripVTControlCharacters(line.split("\x1b[2K").at(-1) ?? ""));
    expect(screen.filter((line) => / done, /.test(line))).toEqual([]);
    expect(screen.filter((line) => /^(accepted|REJECTED) /.test(line))).toHaveLength(3);
    expect(screen.filter((line) => line.startsWith("> GET "))).toHaveLength(3);
  },
);

test("it is not drawn while a secret is asked for", async () => {
  const api = await emulate();
  const profiles = { ...plain(3), asks: { tokenFile: "-" } };
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const own = contextOf(["test", "--all"], { homeFolder });
  const terminal = new Terminal();
  const output = {
    isTerminal: true,
    terminal: terminal as unknown as NodeJS.WritableStream,
    write: own.stderr.write,
  };
  const readStdin = async (): Promise<Uint8Array> => {
    const before = terminal.text;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(terminal.text.slice(before.length)).not.toContain(" done, ");
    return Buffer.from(planted.token);
  };
  expect(await main({ ...own, readStdin, stderr: { ...output, text: "" } as typeof own.stderr })).toBe(0);
  expect(terminal.text).toContain(" 4 of 4 done, ");
});

test.each([
  ["one profile", ["--profile", "wrong"], {}],
  ["a shard of one", ["--all", "--shard", "3/3"], {}],
  ["--quiet", ["--all", "--quiet"], {}],
  ["a CI system", ["--all"], { CI: "true" }],
  ["a JSON document on the same terminal", ["--all", "--json"], { stdoutToo: true }],
])("nothing moves with %s", async (_, args, options) => {
  expect(await onTerminal(3, args, options)).not.toContain(" done, ");
});
