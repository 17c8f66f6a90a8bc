import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { formsOf, planted } from "../support/planted.ts";
import { type Run, runInProcess } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";
import { foreignText } from "./arbitraries.ts";
import { answers, writings } from "./echoes.ts";
import { manyRuns, numRuns } from "./runs.ts";

type Method = "token" | "wsse";
type Source = "flag" | "environment" | "rc file" | "file" | "standard input";
const sources: readonly Source[] = ["flag", "environment", "rc file", "file", "standard input"];

/** Runs `test` with the secret given in one of the ways. */
function check(
  method: Method,
  source: Source,
  secret: string,
  place: string,
  more: readonly string[],
): Promise<Run> {
  const name = method === "token" ? "token" : "secret";
  const [rc, file] = [join(place, ".referralrc.json"), join(place, "secret.txt")];
  const username = method === "wsse" ? { username: "a@example.com" } : {};
  writeFileSync(rc, JSON.stringify({ ...username, ...(source === "rc file" ? { [name]: secret } : {}) }), {
    mode: 0o600,
  });
  if (source === "file") writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  const given: Readonly<Record<Source, readonly string[]>> = {
    flag: [`--${name}=${secret}`],
    environment: [],
    "rc file": [],
    file: [`--${name}-file`, file],
    "standard input": [`--${name}-file`, "-"],
  };
  return runInProcess(["test", "--config", rc, ...given[source], ...more], {
    environment: source === "environment" ? { [`REFERRAL_${name.toUpperCase()}`]: secret } : {},
    ...(source === "standard input" ? { stdin: `${secret}\n` } : {}),
  });
}

function place(): string {
  const path = mkdtempSync(join(tmpdir(), "referral-auth-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** Both streams: as they are, and as a reader of JSON, of our own escapes or of misread UTF-8 would see them. */
function readings({ stdout, everything }: Run): readonly string[] {
  const unescaped = everything.replace(/\\u\{?([0-9a-f]{1,6})\}?/gi, (_, code) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  const document = stdout.startsWith("{") ? JSON.stringify(JSON.parse(stdout)) : "";
  const decoded = [...everything.matchAll(/[\w+/-]{16,}/g)].map(([text]) =>
    Buffer.from(text, "base64").toString(),
  );
  return [everything, unescaped, document, Buffer.from(everything, "latin1").toString(), ...decoded];
}

/** The forms of the secret that a run shows, in whatever letter case. */
function shown(run: Run, secret: string): readonly string[] {
  const forms = formsOf(secret).map((form) => form.toLowerCase());
  return readings(run).flatMap((text) => forms.filter((form) => text.toLowerCase().includes(form)));
}

const letters = fc.string({
  unit: fc.constantFrom(..."BCDFGHJKLMNPQRSTVWXZbcdfghjkmnpqrstvwxz23456789"),
  minLength: 5,
});
const around = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(letters, inner, letters).map((parts) => parts.join(""));
const credentials = fc.oneof(
  fc.record({ method: fc.constant<Method>("token"), secret: around(fc.string({ maxLength: 20 })) }),
  fc.record({
    method: fc.constant<Method>("wsse"),
    secret: around(foreignText.map((text) => Buffer.from(text).toString())),
  }),
);
const outputs = fc.subarray(["--json", "--verbose"]);

test(
  "a server that sends a secret back makes no output hold it, whatever its source, form and outcome",
  manyRuns,
  async () => {
    let reply: (response: ServerResponse) => void = () => {};
    const api = await serve((_request, response) => reply(response));
    const folder = place();
    const codes = new Set<number>();
    const names = <Table extends object>(table: Table) =>
      fc.constantFrom(...(Object.keys(table) as (keyof Table & string)[]));
    await fc.assert(
      fc.asyncProperty(
        credentials,
        fc.constantFrom(...sources),
        names(answers),
        names(writings),
        outputs,
        async ({ method, secret }, source, answer, writing, output) => {
          reply = (response) => answers[answer]?.(response, writings[writing]?.(secret) ?? "");
          const run = await check(method, source, secret, folder, ["--base-url", api.url, ...output]);
          codes.add(run.exitCode);
          expect([0, 4, 5, 6, 7]).toContain(run.exitCode);
          expect(shown(run, secret)).toEqual([]);
        },
      ),
      { numRuns },
    );
    expect([...codes].sort()).toEqual([0, 4, 5, 6, 7]);
  },
);

test("a secret is in no output where nothing is sent: wrong settings and wrong usage", manyRuns, async () => {
  const folder = place();
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

describe("a secret that comes back", () => {
  test.each([
    [
      "HTML-escaped in a page's title",
      "wsse",
      "Ab&cd<ef>'gh\"Ij",
      (text: string) => text.replace(/[&<>'"]/g, (character) => `&#${character.codePointAt(0)};`),
    ],
    [
      "as base64 of a longer text",
      "token",
      planted.token,
      (text: string) => Buffer.from(`x-auth-token: ${text}; host`).toString("base64"),
    ],
    [
      "as base64 one byte further",
      "token",
      planted.token,
      (text: string) => Buffer.from(`Bearer: ${text}.`).toString("base64"),
    ],
    [
      "as UTF-8 in a header field, which is read as latin1",
      "wsse",
      "pässwörd-ünïque",
      (text: string) => text,
    ],
    [
      "with JSON's other way to escape",
      "wsse",
      "pässwörd-ünïque",
      (text: string) =>
        text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ],
    ["with JSON's escaped slash", "token", "Ab/Cd+Ef/Gh==", (text: string) => text.replaceAll("/", "\\/")],
  ] as const)("%s is not shown", async (_, method, secret, write) => {
    const api = await serve((_request, response) => {
      const text = write(secret);
      response
        .writeHead(403, { "content-type": "text/html", "x-received": Buffer.from(text).toString("latin1") })
        .end(`<!doctype html><title>${text}</title>`);
    });
    const run = await check(method, "environment", secret, place(), ["--base-url", api.url, "--verbose"]);
    expect(run.exitCode).toBe(6);
    expect(shown(run, secret)).toEqual([]);
    expect(run.everything).not.toContain(write(secret));
  });

  test("as a number is not shown", async () => {
    const api = await serve((_request, response) => json(response, 401, { code: 8812345678, message: "No" }));
    const run = await check("token", "environment", "8812345678", place(), ["--base-url", api.url, "--json"]);
    expect(run.everything).not.toContain("8812345678");
  });
});
