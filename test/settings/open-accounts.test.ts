import fc from "fast-check";
import { expect, test } from "vitest";
import { openAccounts } from "../../src/settings/accounts-file.ts";
import { numRuns } from "../properties/runs.ts";
import { chunksOf, contextOf } from "./opened.ts";

/** Reads this text in chunks of so many bytes. */
async function accountsIn(text: string, size = 7) {
  const context = contextOf(chunksOf(Buffer.from(text), size));
  const stream = await openAccounts("-", true, context, new AbortController().signal);
  const accounts = [];
  for await (const account of stream.accounts(async () => {})) accounts.push(account);
  return { accounts, stream };
}

const named = (profile: string): string => JSON.stringify({ profile });

test("the accounts are the same however the bytes arrive; empty lines count, and a last line needs no end", async () => {
  const name = fc.option(fc.string({ unit: fc.constantFrom("a", "é", "😀", " ") }), { nil: null });
  const chunk = fc.integer({ min: 1, max: 9 });
  const lineEnd = fc.constantFrom("\n", "\r\n");
  await fc.assert(
    fc.asyncProperty(fc.array(name), chunk, lineEnd, fc.boolean(), async (names, size, end, ended) => {
      const all = [...names, "last"];
      const lines = all.map((name) => (name === null ? "" : named(name)));
      const { accounts, stream } = await accountsIn(lines.join(end) + (ended ? end : ""), size);
      const expected = all.flatMap((profile, index) =>
        profile === null ? [] : [{ profile: profile || null, line: index + 1, error: null }],
      );
      expect(accounts).toMatchObject(expected);
      expect(stream.reading).toEqual({ linesRead: lines.length, isCsv: false, allRead: true });
    }),
    { numRuns: Math.min(numRuns, 300) },
  );
});

test("a byte order mark is dropped at the start of the stream and nowhere else", async () => {
  const { accounts } = await accountsIn("\ufeff{}\n\ufeff{}", 1);
  const messages = accounts.map(({ error }) => error?.message ?? null);
  expect(messages).toEqual([null, "line 2 of --accounts is not a JSON object"]);
});

test.each([1000, 100_000])("in chunks of %i, a line beyond 64 KiB is an error", async (size) => {
  const longest = named("whole").padEnd(64 * 1024);
  const { accounts } = await accountsIn([longest, `${longest} `, named("next")].join("\n"), size);
  expect(accounts).toMatchObject([
    { line: 1, profile: "whole", error: null },
    { line: 2, profile: null, error: { message: "line 2 of --accounts is too long" } },
    { line: 3, profile: "next", error: null },
  ]);
});

test("a name that came before is told; a wrong line has none", async () => {
  const lines = [named("a"), named("b"), named("a"), '{"profile":"b","x":1}', "{}", "{}", named("c")];
  const { accounts } = await accountsIn(lines.join("\n"), 50);
  const told = accounts.map(({ profile, line, isRepeated }) => `${line} ${profile} ${isRepeated}`);
  const unnamed = [4, 5, 6].map((line) => `${line} null false`);
  expect(told).toEqual(["1 a false", "2 b false", "3 a true", ...unnamed, "7 c false"]);
});

test("a stream without any account is an error", async () => {
  await expect(accountsIn("\n \n")).rejects.toThrow("--accounts has no account");
  await expect(accountsIn("", 1)).rejects.toThrow("--accounts has no account");
});

test.each([
  [1, "Close it to others: chmod 600 a; where that changes nothing, "],
  [2, "It is another user's: "],
])(
  "a file that others can read is refused, and the hint can be followed by its owner and others: %i",
  async (owner, who) => {
    const copy = "use a copy of your own in another folder, closed by chmod 600";
    const context = contextOf(chunksOf(Buffer.from("{}"), 7), { mode: 0o100644, owner });
    await expect(openAccounts("a", false, context, new AbortController().signal)).rejects.toMatchObject({
      message: "Other users can read the file that --accounts names",
      hint: `${who}${copy}; or give it on standard input: --accounts - < a`,
    });
  },
);
