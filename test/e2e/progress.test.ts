import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { contextOf } from "../support/run.ts";
import { plain, rcOf } from "./profiles.ts";

/** Checks three accounts, of which the first is refused, on a terminal: standard error alone, or both streams. */
async function onTerminal(args: readonly string[], { stdoutToo = false, first = {} } = {}) {
  // Slow enough that each one is drawn.
  const { url } = await emulate({ answers: [{ delaySeconds: 0.15, times: 3 }] });
  const wrong = { token: "not-the-token", ...first };
  const homeFolder = folderWith({ ".referralrc": rcOf(url, { wrong, ...plain(2) }) });
  const { token } = planted;
  const lines = [wrong, { token }, { token }].map((line) => JSON.stringify({ ...line, baseUrl: url }));
  const given = { homeFolder, environment: { TERM: "xterm" }, stdin: lines.join("\n") };
  const own = contextOf(["test", "--concurrency", "1", ...args], given);
  let shown = "";
  const write = async (text: string) => {
    shown += text;
  };
  const output = { isTerminal: true, columns: 80, write };
  // As a user who takes some time to type.
  const readStdin = async (): Promise<Uint8Array> => {
    const before = shown;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(shown.slice(before.length)).not.toContain(" done, ");
    return Buffer.from("typed");
  };
  const context = { ...own, ...(stdoutToo && { stdout: output }), stderr: output, readStdin };
  expect(await main(context)).toBe(4);
  expect(leaks(shown)).toEqual([]);
  return shown;
}

test("a run over several accounts shows how many are done and failed, and clears that before it prints", async () => {
  const text = await onTerminal(["--accounts=-", "--verbose"], { stdoutToo: true });
  const shown = stripVTControlCharacters(text).match(/\d done, \d failed/g);
  expect([shown?.at(0), shown?.at(-1)]).toEqual(["0 done, 0 failed", "2 done, 1 failed"]);
  // What stands on a line after the last time that the line was cleared.
  const screen = text.split("\n").map((line) => stripVTControlCharacters(line.split("\x1b[2K").at(-1) ?? ""));
  expect(screen.filter((line) => / done, /.test(line))).toEqual([]);
  expect(screen.filter((line) => /^(accepted|REJECTED) /.test(line))).toHaveLength(3);
  expect(screen.filter((line) => line.startsWith("> GET "))).toHaveLength(3);
});

test("it is drawn on standard error alone too, but not while a secret is asked for", async () => {
  const text = await onTerminal(["--all"], { first: { token: undefined, tokenFile: "-" } });
  expect(stripVTControlCharacters(text)).toContain("2 done, 1 failed");
});

test.each([
  ["one profile", ["--profile", "wrong"], {}],
  ["a JSON document on the same terminal", ["--all", "--json"], { stdoutToo: true }],
])("nothing moves with %s", async (_, args, options) => {
  expect(await onTerminal(args, options)).not.toContain(" done, ");
});

describe("the steps of a diagnosis on a terminal", () => {
  /** What standard error shows, and how many steps it announces. */
  async function diagnosis(args: readonly string[] = []) {
    const { url } = await emulate();
    const own = contextOf(["test", "--token", "--base-url", url, "--diagnose", ...args], {
      environment: { REFERRAL_TOKEN: "not-the-token" },
    });
    let text = "";
    const write = async (part: string) => {
      text += part;
    };
    expect(await main({ ...own, stderr: { isTerminal: true, columns: 80, write } })).toBe(4);
    return { text, steps: text.match(/diagnosis, request \d/g)?.length ?? 0 };
  }

  test("are one line, which is rewritten and then removed; their cost stays", async () => {
    const { text, steps } = await diagnosis(["--quiet"]);
    expect(steps).toBeGreaterThan(0);
    const cost =
      "token: diagnosis, at most 1 further request, and 4 more if one is accepted;\n  each may count as a failed login\n";
    expect(text.slice(0, cost.length)).toBe(cost);
    const lines = text.slice(cost.length).split("\r\x1b[2K");
    expect(lines.join("")).not.toContain("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.at(-1)).toBe("");
  });

  test("are lines of their own, and nothing moves, with --verbose", async () => {
    const { text, steps } = await diagnosis(["--verbose"]);
    expect(text.match(/^token: diagnosis, request \d.*$/gm)).toHaveLength(steps);
    expect(steps).toBeGreaterThan(0);
    expect(text).not.toContain("\x1b");
  });
});
