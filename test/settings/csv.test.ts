import fc from "fast-check";
import { expect, test } from "vitest";
import { maxRecordBytes, recordSplitter } from "../../src/settings/csv.ts";
import { numRuns } from "../properties/runs.ts";

/** Reads this text or these bytes in chunks of so many. */
function recordsIn(content: string | Uint8Array, separator: string | null = ",", size = 7) {
  const bytes = Buffer.from(content);
  const splitter = recordSplitter(separator);
  const records = [];
  for (let from = 0; from < bytes.length; from += size)
    records.push(...splitter.push(bytes.subarray(from, from + size)));
  return [...records, ...splitter.end()];
}

const cellsIn = (content: string, separator?: string | null, size?: number) =>
  recordsIn(content, separator, size).map(({ cells, problem }) => problem ?? cells);

// What no program writes so. A property below has what programs write.
test.each<readonly [content: string, records: readonly (readonly string[] | string)[]]>([
  ["", []],
  ['19" screen,a"b"', [['19" screen', 'a"b"']]],
  [' "a",b', [[' "a"', "b"]]],
  ['"a" ,c\nd', ["text behind a mark", ["d"]]],
  ['"a"b"c,d\ne"', ["text behind a mark", ['e"']]],
  ['a\n"b,c\nd,e\n', [["a"], "unclosed"]],
  ['a,"', ["unclosed"]],
  ["a\0b,c", [["a\0b", "c"]]],
])("%j has these records", (content, records) => {
  for (const size of [1, 2, 1_000]) expect(cellsIn(content, ",", size)).toEqual(records);
});

test("bytes that are not UTF-8 are the problem of their record alone", () => {
  const bytes = Buffer.concat([Buffer.from("é,b\n"), Buffer.of(0xe9, 0x2c, 0x62), Buffer.from("\n😀\n")]);
  expect(recordsIn(bytes, ",", 1)).toMatchObject([
    { cells: ["é", "b"], end: 5 },
    { cells: [], problem: "not UTF-8", end: 9 },
    { cells: ["😀"], end: 14 },
  ]);
});

test("rows that are empty, or of spaces and tabs alone, are counted and not given", () => {
  for (const size of [1, 2, 1_000])
    expect(recordsIn(" \na\r\n\r\n\t \r\nb\n\n,\n ", ",", size)).toMatchObject([
      { row: 2, cells: ["a"] },
      { row: 5, cells: ["b"] },
      { row: 7, cells: ["", ""] },
    ]);
});

const most = "x".repeat(maxRecordBytes);
const full = "x".repeat(maxRecordBytes - 4);

test.each<readonly [what: string, content: string, records: readonly (readonly string[] | string)[]]>([
  ["a record of 64 KiB", `${most}\na`, [[most], ["a"]]],
  ["one of a byte more", `${most}x\na`, ["too long", ["a"]]],
  ["a megabyte without a line end", most.repeat(16), ["too long"]],
  ["a megabyte of separators", `${",".repeat(1024 * 1024)}\na`, ["too long", ["a"]]],
  ["quoted cells that are too long together", `"${most}","${full}"\n"a"`, ["too long", ["a"]]],
  ["a mark that closes behind 64 KiB", `"${most}\n"\na`, ["unclosed"]],
  ["the same behind a cell of the row before", `${full},"a"\n"${most}\n"\na`, [[full, "a"], "unclosed"]],
  ["a cell of marks that closes behind 64 KiB", `${'"'.repeat(80_000)}\na`, ["unclosed"]],
  ["a mark that never closes", `"${"a\n".repeat(100_000)}`, ["unclosed"]],
])("%s is read within bounds", (_, content, records) => {
  for (const size of [1_000, 65_537, 10_000_000]) expect(cellsIn(content, ",", size)).toEqual(records);
});

test("nothing is read that lies more than 64 KiB and a chunk behind a mark that does not close", () => {
  const [record] = recordsIn(`"${most.repeat(3)}`, ",", 50_000);
  expect(record).toMatchObject({ problem: "unclosed", end: 100_000 });
});

test("what is written as CSV is read as it was, whatever the line ends, the marks and the chunks", () => {
  const cell = fc.string({
    unit: fc.constantFrom("a", "é", "😀", '"', ",", ";", "\t", "\n", "\r", " ", "'"),
    maxLength: 6,
  });
  const written = fc.record({ cell, isQuoted: fc.boolean() });
  const row = fc.record({
    cells: fc.array(written, { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom("\n", "\r\n", "\r"),
  });
  const separators = fc.constantFrom(",", ";", "\t", "|");
  fc.assert(
    fc.property(fc.array(row), separators, fc.integer({ min: 1, max: 9 }), (rows, separator, size) => {
      const text = (one: { cell: string; isQuoted: boolean }) =>
        one.isQuoted || /["\r\n]/.test(one.cell) || one.cell.includes(separator)
          ? `"${one.cell.replaceAll('"', '""')}"`
          : one.cell;
      const lines = rows.map(({ cells, end }) => cells.map(text).join(separator) + end);
      // Blank rows are not given.
      const expected = rows.flatMap(({ cells }, index) =>
        lines[index]?.trim() === "" ? [] : [cells.map(({ cell }) => cell)],
      );
      expect(cellsIn(lines.join(""), separator, size)).toEqual(expected);
    }),
    { numRuns },
  );
});

test("the places where records end add up to the whole", () => {
  const text = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n"), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (content, size) => {
      const ends = recordsIn(content, ",", size).map(({ end }) => end);
      expect(ends).toEqual(ends.toSorted((one, other) => one - other));
      if (ends.length > 0 && !/[\r\n]\n$/.test(content)) expect(ends.at(-1)).toBe(content.length);
    }),
    { numRuns },
  );
});

test("without a separator each line is a record as it stands, and only LF ends it", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", '"', ",", ";", "\r", "\n", " "), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (content, size) => {
      const lines = content
        .split("\n")
        .flatMap((line, index) => (line.trim() === "" ? [] : [{ row: index + 1, line }]));
      const read = recordsIn(content, null, size).map(({ row, cells: [line] }) => ({ row, line }));
      expect(read).toEqual(lines);
    }),
    { numRuns },
  );
});
