import { expect, test } from "vitest";
import { redactorOf } from "../../src/redaction/redact.ts";
import { planted } from "../support/planted.ts";
import { processorTime } from "../support/processor-time.ts";

const mebibyte = 1024 * 1024;
const repeated = (text: string): string => text.repeat(mebibyte / text.length);
const base64 = (text: string): string => Buffer.from(text).toString("base64");

test.each([
  ["words", repeated("The quick brown fox. ")],
  ["escapes of every kind", repeated("\\u0025%5c&amp;=3D+")],
  ["escaped percent signs", repeated("%25%32%35")],
  ["backslashes", repeated("\\")],
  ["base64 of base64", base64(base64(repeated("hello")).slice(0, 590_000))],
  ["hex", repeated("68656c6c6f")],
  ["the beginning of the secret", repeated("a")],
])("1 MiB of %s takes less than a deadline, even with a secret of 15 KiB", async (_, text) => {
  for (const secret of [planted.token, `${"a".repeat(15_000)}b`, "a".repeat(15_000)]) {
    const { milliseconds } = await processorTime(() => redactorOf([secret])(text));
    expect(milliseconds).toBeLessThan(1_500);
  }
});
