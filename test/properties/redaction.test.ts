import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatNames } from "../../src/report/file-formats.ts";
import { folderWith } from "../support/folder.ts";
import { serve } from "../support/serve.ts";
import { foreignText } from "./arbitraries.ts";
import { answers, writings, writtenWith } from "./echoes.ts";
import { manyRuns, numRuns } from "./runs.ts";
import { check, type Method, shown, sources } from "./secrets.ts";

const letters = fc.string({
  unit: fc.constantFrom(..."BCDFGHJKLMNPQRSTVWXZbcdfghjkmnpqrstvwxz23456789"),
  minLength: 5,
});
const around = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(letters, inner, letters).map((parts) => parts.join(""));
const token = (secret: fc.Arbitrary<string>) =>
  fc.record({ method: fc.constant<Method>("token"), secret: around(secret) });
const credentials = fc.oneof(
  { weight: 10, arbitrary: token(fc.string({ maxLength: 20 })) },
  { weight: 1, arbitrary: token(letters.map((text) => text.repeat(40))) },
  {
    weight: 10,
    arbitrary: fc.record({
      method: fc.constant<Method>("wsse"),
      // A byte order mark and what is no UTF-8 are refused before anything is sent.
      secret: around(
        foreignText.map((text) =>
          Buffer.from(text)
            .toString()
            .replace(/[\ufeff\ufffd]/g, ""),
        ),
      ),
    }),
  },
);
const outputs = fc.subarray(["--json", "--verbose"]);
// Up to 24 more requests, each of which the server may send back.
const outputsOfTest = fc
  .tuple(outputs, fc.integer({ min: 0, max: 9 }))
  .map(([output, number]) => (number === 0 ? [...output, "--diagnose"] : output));

test(
  "a server that sends a secret back makes no output hold it, whatever its source, form and outcome",
  manyRuns,
  async () => {
    let reply: (response: ServerResponse) => void = () => {};
    const api = await serve((_request, response) => reply(response));
    const folder = folderWith();
    const reports = formatNames.map((format) => ({ flag: `--${format}`, path: join(folder, format) }));
    const codes = new Set<number>();
    const names = <Table extends object>(table: Table) =>
      fc.constantFrom(...(Object.keys(table) as (keyof Table & string)[]));
    await fc.assert(
      fc.asyncProperty(
        credentials,
        fc.constantFrom(...sources),
        names(answers),
        fc.uniqueArray(names(writings), { minLength: 1, maxLength: 3 }),
        outputsOfTest,
        async ({ method, secret }, source, answer, writing, output) => {
          const text = writtenWith(writing, secret);
          reply = (response) => answers[answer]?.(response, text);
          const run = await check(method, source, secret, folder, [
            ...["--base-url", api.url, ...output],
            ...reports.flatMap(({ flag, path }) => [flag, path]),
          ]);
          const files = reports.map(({ path }) => readFileSync(path, "utf8"));
          codes.add(run.exitCode);
          expect([0, 4, 5, 6, 7]).toContain(run.exitCode);
          const everything = [run.everything, ...files].join("\n");
          expect(shown({ ...run, everything }, secret, [text])).toEqual([]);
        },
      ),
      { numRuns },
    );
    expect([...codes].sort()).toEqual([0, 4, 5, 6, 7]);
  },
);

test("a secret is in no output if nothing is sent: invalid settings and usage errors", manyRuns, async () => {
  const folder = folderWith();
  const mistakes = fc.constantFrom<readonly string[]>(
    [],
    ["--base-url", "ftp://a"],
    ["--timeout", "x"],
    ["--nothing"],
    ["--profile", "p"],
    ["extra"],
    ["--digest", "x"],
  );
  await fc.assert(
    fc.asyncProperty(
      credentials,
      fc.constantFrom(...sources),
      mistakes,
      outputs,
      async ({ method, secret }, source, mistake, output) => {
        const run = await check(method, source, secret, folder, [...mistake, ...output]);
        expect([2, 3]).toContain(run.exitCode);
        expect(shown(run, secret)).toEqual([]);
      },
    ),
    { numRuns },
  );
});
