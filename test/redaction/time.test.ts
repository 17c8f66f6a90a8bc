import { describe, expect, test } from "vitest";
import { redactorOf } from "../../src/redaction/redact.ts";
import { planted } from "../support/planted.ts";
import { processorTime } from "../support/processor-time.ts";

const size = 1024 * 1024;
const repeated = (text: string): string => text.repeat(size / text.length);
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** The milliseconds of processor time that removing the secrets takes. A busy machine only adds some, so the fastest of three counts. */
async function timeOf(secrets: readonly string[], text: string): Promise<number> {
  const attempts: number[] = [];
  while (attempts.length < 3 && !(Math.min(...attempts) < 1_500))
    attempts.push((await processorTime(() => redactorOf(secrets)(text))).milliseconds);
  return Math.min(...attempts);
}

test.each([
  ["words", repeated("The quick brown fox. ")],
  ["escapes of every kind", repeated("\\u0025%5c&amp;=3D+")],
  ["escaped percent signs", repeated("%25%32%35")],
  ["backslashes", repeated("\\")],
  ["base64 of base64", base64(base64(repeated("hello")).slice(0, 0.56 * size))],
  ["hex", repeated("68656c6c6f")],
  ["the beginning of the secret", repeated("a")],
])("%s take less than a deadline for 1 MiB, even with a secret of 15 KiB", async (_, text) => {
  for (const secret of [planted.token, `${"a".repeat(15_000)}b`, "a".repeat(15_000)])
    expect(await timeOf([secret], text)).toBeLessThan(1_500);
});

describe("signs of escapes before the first character of a long secret take less than a deadline", () => {
  const secret = `e${"0123456789".repeat(800)}`;
  const signs = (length: number): string => "\\e".repeat(length / 2);

  test.each([
    ["in one text", signs(64 * 1024)],
    ["escaped once more", "\\\\e".repeat(20_000)],
    ["between the places of another secret", `${signs(3_000)}another`.repeat(20)],
  ])("%s", async (_, text) => {
    expect(await timeOf([secret, "another"], text)).toBeLessThan(1_500);
  });
});
