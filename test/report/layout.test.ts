import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { unjudgedCheck } from "../../src/check/check.ts";
import { columnsOf, paintOf, wantsColor } from "../../src/report/paint.ts";
import { writeRunError } from "../../src/report/run-error.ts";
import { checkText } from "../../src/report/text.ts";
import { reported } from "../support/outcomes.ts";

const unwrapped = await paintOf(false);
const words = "word ".repeat(60).trimEnd();
const check = reported({
  ...unjudgedCheck(null, "not-checked", { message: words, hint: words }, 0),
  method: "wsse",
});

describe("wrapping", () => {
  test("a stream that is not a terminal gets one line for each row", () => {
    const columns = columnsOf({ isTerminal: false, columns: 80, write: async () => {} });
    const report = checkText(check, { ...unwrapped, columns });
    expect(report).toContain(`  try       ${words}\n`);
    expect(report).toContain(`NOT-CHECKED wsse: ${words}\n`);
  });

  test.each([
    [80, 80],
    [99, 99],
    [250, 100],
    [undefined, 80],
    [0, 80],
  ])("a terminal of %s columns gets lines of at most %i, and loses no word", (columns, most) => {
    const paint = { ...unwrapped, columns: columnsOf({ isTerminal: true, columns, write: async () => {} }) };
    const report = checkText(check, paint);
    const longest = Math.max(...report.split("\n").map((line) => line.length));
    expect(longest).toBeLessThanOrEqual(most);
    expect(longest).toBeGreaterThan(most - 5);
    expect(report.replace(/\s+/g, " ")).toBe(checkText(check, unwrapped).replace(/\s+/g, " "));
  });
});

test("an error and its advice are wrapped between words on a terminal", async () => {
  let text = "";
  const write = async (part: string) => {
    text += part;
  };
  await writeRunError(
    { code: 3, message: words, hint: words },
    { stderr: { isTerminal: true, columns: 80, write } },
  );
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(text.replace(/\n {12}/g, " ")).toBe(`Error: ${words}\n  try       ${words}\n`);
});

describe("colour", () => {
  test.each([
    ["a terminal", true, true, {}, true],
    ["a pipe", false, true, {}, false],
    ["--no-color", true, false, { FORCE_COLOR: "1" }, false],
    ["NO_COLOR", true, true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    ["an empty NO_COLOR", true, true, { NO_COLOR: "" }, true],
    ["FORCE_COLOR in a pipe", false, true, { FORCE_COLOR: "1" }, true],
    ["an empty FORCE_COLOR in a pipe", false, true, { FORCE_COLOR: "" }, false],
    ["an empty FORCE_COLOR on a terminal", true, true, { FORCE_COLOR: "" }, true],
    ["FORCE_COLOR=0", true, true, { FORCE_COLOR: "0" }, false],
    ["FORCE_COLOR=false", true, true, { FORCE_COLOR: "false" }, false],
    ["a dumb terminal", true, true, { TERM: "dumb" }, false],
  ])("with %s is as expected", (_, isTerminal, allowed, environment, expected) => {
    expect(wantsColor(isTerminal, allowed, environment)).toBe(expected);
  });

  test("changes nothing but the colours", async () => {
    const coloured = checkText(check, await paintOf(true));
    expect(coloured).toContain("\u001b[");
    expect(stripVTControlCharacters(coloured)).toBe(checkText(check, unwrapped));
  });
});
