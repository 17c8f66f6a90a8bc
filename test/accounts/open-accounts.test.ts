import fc from "fast-check";
import { expect, test } from "vitest";
import { openAccounts } from "../../src/accounts/open-accounts.ts";
import { numRuns } from "../properties/runs.ts";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** Reads this text in chunks of so many bytes, every account if `wanted` is left out. */
async function accountsIn(text: string | Uint8Array, size = 7, wanted = () => true) {
  const chunks = chunksOf(Buffer.from(text), size);
  const context = {
    openStream: async () => ({ chunks, mode: null, owner: null, close: () => {} }),
    workingFolder: null,
  };
  const options = { isWanted: wanted, distinguish: true };
  const stream = await openAccounts("-", options, context, new AbortController().signal);
  const accounts = [];
  for await (const account of stream) accounts.push(account);
  return { accounts, stream };
}

const named = (profile: string): string => JSON.stringify({ profile });

test("the accounts are the same however the bytes arrive; empty lines count, and a last line needs no end", async () => {
  const line = fc.option(fc.string({ unit: fc.constantFrom("a", "é", "😀", " ") }), { nil: null });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      async (names, size, end, ended) => {
        const lines = [...names, "last"].map((name) => (name === null ? "" : named(name)));
        const { accounts, stream } = await accountsIn(lines.join(end) + (ended ? end : ""), size);
        const expected = [...names, "last"].flatMap((profile, index) =>
          profile === null ? [] : [{ profile: profile || null, line: index + 1 }],
        );
        expect(accounts).toMatchObject(expected);
        expect([stream.linesRead, stream.allRead]).toEqual([lines.length, true]);
      },
    ),
    { numRuns: Math.min(numRuns, 300) },
  );
});

test("a byte order mark is dropped at the start of the stream and nowhere else", async () => {
  const { accounts } = await accountsIn("\ufeff{}\n\ufeff{}", 1);
  expect(accounts.map(({ error }) => error?.message ?? null)).toEqual([
    null,
    "line 2 of --accounts is not a JSON object",
  ]);
});

test.each([1000, 100_000, 5_000_000])(
  "a line of more than 1 MiB is an error, and the next ones count on (chunks of %i)",
  async (size) => {
    const long = named("x".repeat(1024 * 1024));
    const { accounts } = await accountsIn(`${long}\n${named("next")}\n`, size);
    expect(accounts).toMatchObject([
      { line: 1, profile: null, error: { message: "line 1 of --accounts is too long" } },
      { line: 2, profile: "next", error: null },
    ]);
  },
);

test("a name that came before is told, in lines that are not wanted and in wrong ones too", async () => {
  const lines = [named("a"), named("b"), named("a"), '{"profile":"b","x":1}', "{}", "{}", named("c")];
  let position = 0;
  const { accounts } = await accountsIn(lines.join("\n"), 50, () => {
    position += 1;
    return position > 2;
  });
  expect(accounts.map(({ profile, line, isRepeated }) => [profile, line, isRepeated])).toEqual([
    ["a", 3, true],
    ["b", 4, true],
    [null, 5, false],
    [null, 6, false],
    ["c", 7, false],
  ]);
});

test("a stream without any account is an error; one without a wanted account is not", async () => {
  await expect(accountsIn("\n \n")).rejects.toThrow("--accounts has no account");
  await expect(accountsIn("", 1, () => false)).rejects.toThrow("--accounts has no account");
  expect((await accountsIn("{}\n", 1, () => false)).accounts).toEqual([]);
});
