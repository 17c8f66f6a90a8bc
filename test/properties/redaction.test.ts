import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatNames } from "../../src/run/options.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { foreignText } from "./arbitraries.ts";
import { writings, writtenWith } from "./echoes.ts";
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
/** A header field carries bytes, which Node takes as latin1, and no control characters. */
const field = (text: string): string =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^\x20-\x7e\x80-\xff]/g, "");
/** A name of a field, which has some length. */
const fieldName = (text: string, encoding: "hex" | "base64url"): string =>
  `x-${Buffer.from(text).toString(encoding).slice(0, 2_000)}`;
/** A label of a host's name, which has 63 characters at most; only a whole secret is one that must not be shown. */
const label = (text: string): string => /^.{1,63}$/.exec(Buffer.from(text).toString("hex"))?.[0] ?? "long";

type Answer = readonly [status: number, body: unknown, fields?: Record<string, string>, reason?: string];

/** The kinds of outcome, with the places of an answer in which a server may send a text back; or its bytes. */
const answers: ReadonlyArray<(text: string) => Answer | string> = [
  (message) => [200, { code: 200, message }],
  (message) => [401, { code: 401, message }],
  (text) => [401, {}, { [fieldName(text, "hex")]: "x" }],
  (text) => [401, {}, { [fieldName(text, "base64url")]: "x" }],
  (text) => [401, {}, { "www-authenticate": `WSSE realm="${field(text)}"` }],
  (text) => [403, {}, { "www-authenticate": field(text), "x-received": field(text) }],
  (message) => [503, { code: 503, message }, { "retry-after": field(message) }],
  (text) => [302, {}, { location: `/${encodeURIComponent(text)}` }],
  (text) => [302, {}, { location: `https://${label(text)}.example/` }],
  (text) => [307, {}, { location: `https://${encodeURIComponent(text)}@other.example/` }],
  (text) => [200, `<!doctype html><title>${text}</title>`, { "content-type": "text/html" }],
  (text) => [200, `nothing but ${text}`, { "content-type": field(text) }],
  (text) => [200, {}, { "content-encoding": field(text) }],
  (text) => [200, { code: text, message: [text], [text]: text }],
  (text) => [418, text, { "x-received": field(text) }, field(text)],
  (text) => `HTTP/1.1 ${text}\r\n\r\n`,
  (text) => `HTTP/1.1 401 No\r\ncontent-length: 9999\r\n\r\n{"code":401,"message":"${text}`,
];

function send(response: ServerResponse, answer: Answer | string): void {
  if (typeof answer === "string") return void response.socket?.end(answer);
  const [status, body, fields = {}, reason] = answer;
  if (typeof body === "object") json(response, status, body, fields);
  else response.writeHead(status, reason, fields).end(body);
}

// Up to 24 more requests, each of which the server may send back.
const outputs = fc
  .tuple(fc.subarray(["--json", "--verbose"]), fc.integer({ min: 0, max: 9 }))
  .map(([output, number]) => (number === 0 ? [...output, "--diagnose"] : output));
/** Invalid settings and usage errors, with which nothing is sent; or no mistake. */
const mistakes = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  fc.constantFrom("", "--base-url ftp://a", "--timeout x", "--nothing", "--profile p", "extra", "--digest x"),
);

test(
  "a server that sends a secret back, or a mistake, makes no output hold it, whatever its source, form and outcome",
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
        fc.constantFrom(...answers),
        fc.uniqueArray(fc.constantFrom(...Object.keys(writings)), { minLength: 1, maxLength: 3 }),
        outputs,
        mistakes,
        async (values, source, answer, writing, output, mistake) => {
          const text = writtenWith(writing, secretOf(values));
          reply = (response) => send(response, answer(text));
          const sends = mistake === null;
          const more = mistake?.split(" ").filter(Boolean) ?? ["--base-url", api.url, ...reports.flat()];
          const run = await testWith(values, source, folder, [...more, ...output]);
          const files = sends ? reports.map(([, path]) => readFileSync(path, "utf8")) : [];
          codes.add(run.exitCode);
          expect([2, 3].includes(run.exitCode)).toBe(!sends);
          const everything = [run.everything, ...files].join("\n");
          expect(shown({ ...run, everything }, secretOf(values), sends ? [text] : [])).toEqual([]);
        },
      ),
      { numRuns },
    );
    expect([...codes].sort()).toEqual([0, 2, 3, 4, 5, 6, 7]);
  },
);

const withoutTimes = (text: string): string =>
  text.replace(
    /\d+ ms|\d+ characters|\d{4}-\d\d-\d\dT[\d:.]+Z|"(?:durationMs|skewSeconds|uncertaintySeconds|connect|request|response)": -?\d+/g,
    "SIZE",
  );
const ownAnswers: ReadonlyArray<Answer | string> = [
  [200, success],
  [401, { code: 401, message: "No" }],
  [503, {}, { "retry-after": "7" }],
  [200, { code: 401, message: "No" }],
  [200, []],
  [302, {}, { location: "https://192.0.2.1/" }],
  [404, {}],
  [401, {}, { "www-authenticate": "Basic" }],
  "SSH-2.0\r\n",
  "",
];

test.each(ownAnswers.map((answer) => [answer]))(
  "a token that is a common word removes that word from no sentence of ours: %j",
  async (answer) => {
    const api = await serve((_request, response) => send(response, answer));
    const shown = async (args: readonly string[], token: string): Promise<string> => {
      const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: token };
      return withoutTimes((await runInProcess(args, { environment })).everything);
    };
    for (const command of ["test", "test --json", "test --diagnose", "config", "config --json"]) {
      const args = command.split(" ");
      const expected = await shown(args, "Zq8XvK2m-Zq8XvK2m");
      // What others wrote in it: the server's answer, and the host of the base URL.
      const foreign = /^(?:Hello|were|successfully|authenticated|planted|example|basic)$/i;
      const words = [...new Set(expected.match(/[A-Za-z]{4,}/g))].filter((word) => !foreign.test(word));
      const property = fc.asyncProperty(fc.constantFrom(...words), async (word) => {
        expect(await shown(args, word)).toBe(expected);
      });
      await fc.assert(property, { numRuns: Math.min(words.length, Math.ceil(numRuns / 60)) });
    }
  },
);
