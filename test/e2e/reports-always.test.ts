import { expect, test } from "vitest";
import { OutputError } from "../../src/errors.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { planted } from "../support/planted.ts";
import type { GivenInProcess } from "../support/run.ts";
import { place, plain, rcOf } from "./profiles.ts";

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

const twoProfiles = rcOf(nobody, plain(2));

test.each([
  ["no token is set", [], {}, {}],
  ["--accounts has no account", ["--accounts", "-", "--shard", "2/2"], {}, {}],
  ["--accounts names a file that does not exist", ["--accounts", "absent"], {}, {}],
  ["unknown key", ["--all"], { ".referralrc": '{"x":1}' }, {}],
  ["concurrency", ["--all"], { ".referralrc": twoProfiles }, { REFERRAL_CONCURRENCY: "0" }],
])("a run that ends before its checks writes every report: %s", async (words, args, content, more) => {
  const { environment, reported } = await job({ ".referralrc": "{}", ...content });
  const { run, junit, metrics, summary } = await reported(args, { environment: { ...environment, ...more } });
  expect(run.exitCode).toBe(3);
  const sentence = /^Error: (.*)$/m.exec(run.stderr)?.[1] ?? "";
  expect(sentence.toLowerCase()).toContain(words);

  expect(junit).toContain('tests="1" failures="0" errors="1"');
  expect(junit).toContain(`<error type="not-checked" message="`);
  expect(metrics).toContain('\nreferral_auth_run_exit_code{report="run"} 3\n');
  expect(metrics).not.toContain("profile=");
  expect(summary).toMatch(/^### referral-auth: nothing was checked\n\n\S/);
  const said = expect.arrayContaining(sentence.match(/[a-z]{6,}/g) ?? []);
  expect(summary?.match(/[a-z]{4,}/g)).toEqual(said);
});

test("a bug before the checks has code 1 in every report, and its message is in none", async () => {
  const { reported } = await job({ ".referralrc": twoProfiles });
  const readFile = (): never => {
    throw new RangeError(planted.secret);
  };
  for (const form of [[], ["--json"], ["--ndjson"]]) {
    const { run, junit, metrics, summary } = await reported(["--all", ...form], {
      broken: () => ({ readFile }),
    });
    expect(run.exitCode).toBe(1);
    expect(junit).toContain('<error type="failed" message="This is a bug in referral-auth');
    expect(metrics).toContain('\nreferral_auth_run_exit_code{report="run"} 1\n');
    expect(summary).toContain("This is a bug in referral-auth");
  }
});

test.each([[["--all", "--profile", "a"]], [["--timeout", "soon"]]])(
  "wrong usage leaves the old reports, whoever finds it: %j",
  async (args) => {
    const { reported } = await job();
    const { run, junit, metrics, summary } = await reported(args);
    expect([run.exitCode, junit, metrics, summary]).toEqual([2, "old", "old", null]);
  },
);

test("an output that is lost in the middle of a run leaves no old report", async () => {
  const { environment, reported } = await job();
  const write = () => Promise.reject(new OutputError("The result could not be written"));
  const lost = { isTerminal: false, write };
  // A warning is the first that is written to standard error.
  const warned = { environment: { ...environment, REFERRAL_BASE_URL: "https://other.example" } };
  for (const given of [
    { broken: () => ({ stdout: lost }) },
    { ...warned, broken: () => ({ stderr: lost }) },
  ]) {
    const { run, junit, metrics } = await reported(["--all", "--ndjson"], given);
    expect(run.exitCode).toBe(1);
    expect(junit).toContain('<error type="failed" message="The result could not be written"');
    expect(metrics).toContain('\nreferral_auth_run_exit_code{report="run"} 1\n');
  }
});

test("if a stream breaks off, the results before are reported, and the error behind them", async () => {
  const { reported } = await job();
  async function* chunks() {
    yield Buffer.from(`${JSON.stringify({ profile: "first", token })}\n`);
    throw new FileProblem("EIO");
  }
  const openStream = async () => ({ chunks: chunks(), mode: null, owner: null, close: () => {} });
  const error = "Error: --accounts names a file that cannot be read (EIO)\n";
  const given = { broken: () => ({ openStream }) };
  const { run, junit, metrics, summary } = await reported(["--accounts", "-"], given);
  expect(run.exitCode).toBe(3);
  expect(run.stdout).toMatch(/^accepted +token of line 1 \(first\)/);
  expect(run.stdout).toMatch(
    /\nended early: 1 accepted, 0 not checked; 1 line read, the rest was not read; at http:\S+\n$/,
  );
  expect(run.stderr).toContain(error);
  expect(junit).toContain('tests="3" failures="0" errors="1" skipped="1"');
  expect(junit).toContain('<skipped message="the run ended early before it had read all accounts"/>');
  expect(metrics).toContain('referral_auth_accepted{report="run",profile="first",method="token"} 1\n');
  expect(summary).toContain("the rest was not read\n\n--accounts names a file");

  const { document, stderr } = (await reported(["--accounts", "-", "--json"], given)).run;
  // One document, which contains the error.
  const expected = { exitCode: 3, notRead: true, checks: [{ outcome: "accepted" }], error: { code: 3 } };
  expect(document).toMatchObject(expected);
  expect(stderr).toContain(error);
});

test.each([[["--all"]], [["--profile", "good", "--profile", "bad"]], [["--accounts", "accounts"]]])(
  "the mistake of the only account of a shard of %j is its result",
  async (args) => {
    const lines = [{ token }, { profile: "bad", baseUrl: "ftp://x", token }];
    const { reported } = await job({
      ".referralrc": rcOf(nobody, { good: {}, bad: { tokenFile: "absent" } }),
      accounts: lines.map((line) => JSON.stringify(line)).join("\n"),
    });
    const { run, junit, metrics } = await reported([...args, "--shard", "2/2", "--json"]);
    expect(run.stderr).toBe("");
    const checks = [{ profile: "bad", outcome: "not-checked" }];
    expect(run.document).toMatchObject({ exitCode: 3, error: null, checks });
    expect(junit).toContain('<testcase classname="referral-auth.bad" name="settings"');
    expect(metrics).toContain('referral_auth_accepted{report="run",profile="bad",method=""} 0\n');
  },
);
