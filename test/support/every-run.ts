import { existsSync, lstatSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "vitest";
import { formatNames } from "../../src/run/options.ts";
import { leaks } from "./planted.ts";
import { expectResultDocument } from "./schema.ts";

/** The result of a run. `everything` is both streams together, to check that neither contains a text. */
export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly everything: string;
}

/** A check in a document of results, as far as tests read it. */
interface CheckDocument {
  readonly profile: string | null;
  readonly line: number | null;
  readonly method: string | null;
  readonly outcome: string;
  readonly request: { readonly attempts: number; readonly durationMs: number };
  readonly failure: { readonly code: string } | null;
  readonly findings: ReadonlyArray<Readonly<Record<"id" | "certainty" | "message" | "fix", string>>>;
}

/** The checks that `--ndjson` printed. Throws if the output is not lines of JSON. */
export const checksIn = (stdout: string): readonly CheckDocument[] =>
  stdout.split("\n").flatMap((line) => (line === "" ? [] : JSON.parse(line)));

/** A run of this program, and what it wrote. Two runs that are compared are equal without it. */
export interface ProgramRun extends Run {
  /** The document that `--json` printed. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The checks that `--json` or `--ndjson` printed. */
  readonly checks: readonly CheckDocument[];
  /** The text of a file in the working folder, null if there is none. */
  file(name: string): string | null;
}

/** These options ask for lines on standard error, or are warned of. */
const speaks = /^--(?:diagnose|verbose|retry|token|secret)(?:=|$)/;

/** What other runs with a verdict wrote to standard error, until the test looks at it. An error has its text there in any case. */
const unread = new Map<object, string>();

/** Fails a test that does not say what stands on standard error, or that it is empty. */
export function expectNothingUnread(): void {
  const texts = [...unread.values()];
  unread.clear();
  expect(texts, "the test says what stands on standard error, or that it is empty").toEqual([]);
}

/** The codes that are no verdict, and of a run that a signal ended. */
const isError = (exitCode: number): boolean => [1, 2, 3].includes(exitCode) || exitCode > 100;

/** The reports that a run has written to files. A file that another option names as well is none. */
function reportsOf(args: readonly string[], workingFolder: string, summary: string): readonly string[] {
  const words = args.flatMap((word) => word.split(/(?<=^--[\w-]+)=/));
  const files = words.map((word) => resolve(workingFolder, word));
  const named = files.filter((_, index) => formatNames.some((name) => words[index - 1] === `--${name}`));
  return [...named, ...(summary === "" ? [] : [resolve(workingFolder, summary)])].flatMap((file) => {
    const isOther = files.filter((one) => one === file).length > 1;
    return !isOther && existsSync(file) && lstatSync(file).isFile() ? readFileSync(file, "utf8") : [];
  });
}

/**
 * The result of a run, of which holds what holds for every one: no stream and no report has a planted secret, `--json` prints a
 * document of the schema, and the test says what stands on standard error beside a verdict. Only `header` prints a credential: that is its result.
 */
export function runOf(
  args: readonly string[],
  { workingFolder, summary }: { readonly workingFolder: string; readonly summary: string },
  { exitCode, stdout, stderr }: Pick<Run, "exitCode" | "stdout" | "stderr">,
): ProgramRun {
  const printsSecret = args[0] === "header" && exitCode === 0;
  const shown = [printsSecret ? "" : stdout, stderr, ...reportsOf(args, workingFolder, summary)];
  expect(leaks(shown.join("\n"))).toEqual([]);
  expectResultDocument(args, stdout);
  const run = {
    exitCode,
    stdout,
    get stderr(): string {
      unread.delete(run);
      return stderr;
    },
    everything: stdout + stderr,
  };
  if (stderr !== "" && !isError(exitCode) && !args.some((word) => speaks.test(word))) unread.set(run, stderr);
  const checks = () => (args.includes("--ndjson") ? checksIn(stdout) : JSON.parse(stdout).checks);
  const file = (name: string): string | null => {
    const path = resolve(workingFolder, name);
    return existsSync(path) ? readFileSync(path, "utf8") : null;
  };
  const more = {
    document: { get: () => JSON.parse(stdout) },
    checks: { get: checks },
    file: { value: file },
  };
  return Object.defineProperties(run, more) as ProgramRun;
}
