import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { linesOf, readNamedFile } from "../../src/system/byte-stream.ts";
import { folderWith } from "../support/folder.ts";

/** The lines of these chunks, of at most four bytes each. */
async function linesIn(...chunks: readonly string[]): Promise<ReadonlyArray<string | null>> {
  const lines: (string | null)[] = [];
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  for await (const { bytes } of linesOf(stream, 4)) lines.push(bytes && Buffer.from(bytes).toString());
  return lines;
}

test.each([
  ["no bytes", [], []],
  ["a last line without an end", ["a\nb"], ["a", "b"]],
  ["a last line with an end", ["a\nb\n"], ["a", "b"]],
  ["blank lines, which are counted and not given", ["\n", "\r\na\n \t\nb\n", "\n\n"], ["a", "b"]],
  ["a line of exactly the maximum", ["1234\nb"], ["1234", "b"]],
  ["a last line of exactly the maximum", ["a\n1234"], ["a", "1234"]],
  ["a line of one byte more", ["12345\nb"], [null, "b"]],
  ["a last line of one byte more", ["a\n12345"], ["a", null]],
  ["a line of exactly the maximum in several chunks", ["1", "23", "4\nb"], ["1234", "b"]],
  ["a line of one byte more in several chunks", ["12", "34", "5", "\nb"], [null, "b"]],
  ["a byte order mark at the start", ["\ufeffa\n", "\ufeffb"], ["a", "\ufeffb"]],
])("%s", async (_, chunks, lines) => {
  expect(await linesIn(...chunks)).toEqual(lines);
});

test("a line has its number, blank ones before it counted", async () => {
  const numbers: number[] = [];
  for await (const { line } of linesOf(Readable.from([Buffer.from("\n \na\n"), Buffer.from("\r\nb")]), 4))
    numbers.push(line);
  expect(numbers).toEqual([3, 5]);
});

test("a named file may have as many bytes as its limit, and none more", async () => {
  const file = join(folderWith({ file: "1234" }), "file");
  const read = (most: number) => readNamedFile(file, most, new AbortController().signal);
  expect((await read(4)).bytes.toString()).toBe("1234");
  await expect(read(3)).rejects.toMatchObject({ code: "TOO_LARGE" });
});
