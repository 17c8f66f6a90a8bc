import fc from "fast-check";
import { expect, test } from "vitest";
import { linesOf } from "../../src/accounts/lines.ts";
import { numRuns } from "../properties/runs.ts";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function split(text: string, size = 7, maxBytes = 1_000): Promise<readonly (string | null)[]> {
  const lines: (string | null)[] = [];
  for await (const group of linesOf(chunksOf(Buffer.from(text), size), maxBytes)) {
    for (const { number, bytes } of group) {
      lines.push(bytes === null ? null : Buffer.from(bytes).toString());
      expect(number).toBe(lines.length);
    }
  }
  return lines;
}

test("the lines are the same however the bytes arrive, and a last line needs no end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom("a", "é", "\r", "😀", " ") })),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (lines, size, ended) => {
        const text = lines.join("\n") + (ended ? "\n" : "");
        const expected = text.split("\n");
        if (expected.at(-1) === "") expected.pop();
        expect(await split(text, size)).toEqual(expected);
      },
    ),
    { numRuns },
  );
});

test("a byte order mark is dropped at the start of the stream and nowhere else", async () => {
  expect(await split("\ufeff{}\n\ufeff{}", 1)).toEqual(["{}", "\ufeff{}"]);
});

test.each([1, 5, 100])(
  "a line that is too long is dropped, and the next ones count on (chunks of %i)",
  async (size) => {
    expect(await split(`1234\n12345\n${"x".repeat(99)}\n\nend`, size, 4)).toEqual([
      "1234",
      null,
      null,
      "",
      "end",
    ]);
  },
);
