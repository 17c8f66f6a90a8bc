import { expect, test } from "vitest";
import { FileProblem } from "../../src/system/file-reading.ts";
import { planted } from "../support/planted.ts";
import type { GivenInProcess } from "../support/run.ts";
import { place, plain, rcOf } from "./profiles.ts";

// test/report/documents.test.ts has what reports say at the end of such runs.

const { token } = planted;
const options = ["--junit", "report.xml", "--metrics", "run.prom"];
const nobody = "http://127.0.0.1:1";

/** A job in a folder with the reports of an earlier run. `reported` gives the reports of the next one as well. */
async function job(content: Readonly<Record<string, unknown>> = {}) {
  const files = { "report.xml": "old", "run.prom": "old", ...content };
  const { run, job: environment } = await place({ files });
  const reported = async (args: readonly string[], more: GivenInProcess = {}) => {
    const made = await run([...args, ...options], { environment, ...more });
    const [junit, metrics, summary] = ["report.xml", "run.prom", "summary.md"].map(made.file);
    return { run: made, junit, metrics, summary };
  };
  return { environment, reported };
}

const readFile = (): never => {
  throw new RangeError(planted.secret);
};

test.each<[string, string[], GivenInProcess, number]>([
  ["--accounts names a file that does not exist", ["--accounts", "absent"], {}, 3],
  ["REFERRAL_CONCURRENCY", ["--all"], { environment: { REFERRAL_CONCURRENCY: "0" } }, 3],
  ["This is a bug in referral-auth", ["--all"], { broken: () => ({ readFile }) }, 1],
])("a run that ends before its checks writes every report: %s", async (words, args, more, code) => {
  const rc = args[0] === "--all" ? rcOf(nobody, plain(2)) : "{}";
  const { environment, reported } = await job({ ".referralrc": rc });
  const given = { ...more, environment: { ...environment, ...more.environment } };
  const { run, junit, metrics, summary } = await reported(args, given);
  expect(run).toMatchObject({ exitCode: code, stdout: "", stderr: expect.stringContaining(words) });
  expect(run.stderr).toContain("\n::error title=referral-auth::");
  // A path that is given as a value may be a secret.
  expect(run.stderr).not.toContain("absent");
  expect(junit).toContain('tests="1" failures="0" errors="1"');
  expect(junit).toContain(`<error type="${code === 1 ? "failed" : "not-checked"}" message="`);
  expect(metrics).toContain(`\nreferral_auth_run_exit_code{report="run"} ${code}\n`);
  expect(metrics).not.toContain("profile=");
  expect(summary).toMatch(/^### referral-auth: nothing was checked\n\n\S/);
});

test.each([[["--all", "--profile", "a"]], [["--timeout", "soon"]]])(
  "wrong usage leaves the old reports, whoever finds it: %j",
  async (args) => {
    const { reported } = await job();
    const { run, junit, metrics, summary } = await reported(args);
    expect([run.exitCode, junit, metrics, summary]).toEqual([2, "old", "old", null]);
  },
);

test("if a stream breaks off, the results before are reported, and the error behind them", async () => {
  const { reported } = await job();
  async function* chunks() {
    yield Buffer.from(`${JSON.stringify({ profile: "first", token })}\n`);
    throw new FileProblem("EIO");
  }
  const openStream = async () => ({ chunks: chunks(), mode: null, owner: null, size: null, close: () => {} });
  const given = { broken: () => ({ openStream }) };
  const { run, junit, metrics, summary } = await reported(["--accounts", "-", "--json"], given);
  const expected = { exitCode: 3, notRead: true, checks: [{ outcome: "accepted" }], error: { code: 3 } };
  expect(run.document).toMatchObject(expected);
  expect(run.stderr).toContain("Error: --accounts names a file that cannot be read (EIO)\n");
  expect(junit).toContain('tests="3" failures="0" errors="1" skipped="1"');
  expect(metrics).toContain('referral_auth_accepted{report="run",profile="first",method="token"} 1\n');
  expect(summary).toContain("the rest was not read\n\n--accounts names a file");
});
