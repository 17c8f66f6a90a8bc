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
import { shown, sources, testWith, type Values } from "./secrets.ts";

const letters = fc.string({
  unit: fc.constantFrom(..."BCDFGHJKLMNPQRSTVWXZbcdfghjkmnpqrstvwxz23456789"),
  minLength: 5,
});
const around = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(letters, inner, letters).map((parts) => parts.join(""));
// A byte order mark and what is no UTF-8 are refused before anything is sent.
const foreign = foreignText.map((text) => `${Buffer.from(text)}`.replace(/[\ufeff\ufffd]/g, ""));
const credentials: fc.Arbitrary<Values> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ token: around(fc.string({ maxLength: 20 })) }) },
  { weight: 1, arbitrary: fc.record({ token: around(letters.map((text) => text.repeat(40))) }) },
  {
    weight: 10,
    arbitrary: fc.record({ username: fc.constant("a@example.com"), secret: around(foreign) }),
  },
);
const secretOf = ({ token, secret = "" }: Values): string => token ?? secret;
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
    const reports = formatNames.map((format) => [`--${format}`, join(folder, format)] as const);
    const codes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        credentials,
        fc.constantFrom(...sources),
        fc.constantFrom(...Object.values(answers)),
        fc.uniqueArray(fc.constantFrom(...Object.keys(writings)), { minLength: 1, maxLength: 3 }),
        outputsOfTest,
        async (values, source, answer, writing, output) => {
          const text = writtenWith(writing, secretOf(values));
          reply = (response) => answer(response, text);
          const run = await testWith(values, source, folder, [
            ...["--base-url", api.url, ...output],
            ...reports.flat(),
          ]);
          const files = reports.map(([, path]) => readFileSync(path, "utf8"));
          codes.add(run.exitCode);
          const everything = [run.everything, ...files].join("\n");
          expect(shown({ ...run, everything }, secretOf(values), [text])).toEqual([]);
        },
      ),
      { numRuns },
    );
    expect([...codes].sort()).toEqual([0, 4, 5, 6, 7]);
  },
);

test("a secret is in no output if nothing is sent: invalid settings and usage errors", manyRuns, async () => {
  const folder = folderWith();
  const mistakes = fc.constantFrom(
    ...["", "--base-url ftp://a", "--timeout x", "--nothing", "--profile p", "extra", "--digest x"],
  );
  await fc.assert(
    fc.asyncProperty(
      credentials,
      fc.constantFrom(...sources),
      mistakes.map((text) => text.split(" ").filter(Boolean)),
      outputs,
      async (values, source, mistake, output) => {
        const run = await testWith(values, source, folder, [...mistake, ...output]);
        expect([2, 3]).toContain(run.exitCode);
        expect(shown(run, secretOf(values))).toEqual([]);
      },
    ),
    { numRuns },
  );
});
