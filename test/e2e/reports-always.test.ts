import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { OutputError } from "../../src/errors.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { contextOf, type GivenInProcess, runInProcess } from "../support/run.ts";
import { plain, rcOf } from "./profiles.ts";

const { token } = planted;
const files = ["--junit", "report.xml", "--metrics", "run.prom"];

/** A folder with the reports of an earlier run, and what reads those of the next one. */
function reportsIn(content: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ "report.xml": "old", "run.prom": "old", ...content });
  const read = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "";
  const environment = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  return {
    environment,
    given: { homeFolder: folder, workingFolder: folder, environment } satisfies GivenInProcess,
    junit: () => read("report.xml"),
    metrics: () => read("run.prom"),
    summary: () => read("summary.md"),
  };
}

const twoProfiles = rcOf("http://127.0.0.1:1", plain(2));

test.each([
  ["no token is set", [], {}, {}],
  ["--accounts has no account", ["--accounts", "-", "--shard", "2/2"], {}, {}],
  ["--accounts names a file that does not exist", ["--accounts", "absent"], {}, {}],
  ["unknown key", ["--all"], { ".referralrc": '{"x":1}' }, {}],
  ["concurrency", ["--all"], { ".referralrc": twoProfiles }, { REFERRAL_CONCURRENCY: "0" }],
])("a run that ends before its checks writes every report: %s", async (words, args, content, more) => {
  const reports = reportsIn(content);
  const environment = { ...reports.environment, ...more };
  const run = await runInProcess(["test", ...args, ...files], { ...reports.given, environment });
  expect(run.exitCode).toBe(3);
  const sentence = /^Error: (.*)$/m.exec(run.stderr)?.[1] ?? "";
  expect(sentence.toLowerCase()).toContain(words);

  expect(reports.junit()).toContain('tests="1" failures="0" errors="1"');
  expect(reports.junit()).toContain(`<error type="not-checked" message="`);
  expect(reports.metrics()).toContain('\nreferral_auth_run_exit_code{report="run"} 3\n');
  expect(reports.metrics()).not.toContain("profile=");
  expect(reports.summary()).toMatch(/^### referral-auth: nothing was checked\n\n\S/);
  const said = expect.arrayContaining(sentence.match(/[a-z]{6,}/g) ?? []);
  expect(reports.summary().match(/[a-z]{4,}/g)).toEqual(said);
});

test("a bug before the checks has code 1 in every report, and its message is in none", async () => {
  const reports = reportsIn({ ".referralrc": twoProfiles });
  const readFile = (): never => {
    throw new RangeError(planted.secret);
  };
  for (const form of [[], ["--json"], ["--ndjson"]]) {
    const own = contextOf(["test", "--all", ...files, ...form], reports.given);
    expect(await main({ ...own, readFile })).toBe(1);
    expect(reports.junit()).toContain('<error type="failed" message="This is a bug in referral-auth');
    expect(reports.metrics()).toContain('\nreferral_auth_run_exit_code{report="run"} 1\n');
    expect(reports.summary()).toContain("This is a bug in referral-auth");
    const texts = [reports.junit(), reports.metrics(), reports.summary(), own.stdout.text, own.stderr.text];
    expect(texts.flatMap((text) => leaks(text))).toEqual([]);
  }
});

test.each([[["--all", "--profile", "a"]], [["--timeout", "soon"]]])(
  "wrong usage leaves the old reports, whoever finds it: %j",
  async (args) => {
    const reports = reportsIn();
    expect((await runInProcess(["test", ...args, ...files], reports.given)).exitCode).toBe(2);
    expect([reports.junit(), reports.metrics(), reports.summary()]).toEqual(["old", "old", ""]);
  },
);

test("an output that is lost in the middle of a run leaves no old report", async () => {
  const api = await emulate();
  const reports = reportsIn({ ".referralrc": rcOf(api.url, plain(3)) });
  const own = contextOf(["test", "--all", "--ndjson", ...files], reports.given);
  const write = () => Promise.reject(new OutputError("The result could not be written"));
  const { stdout, stderr } = own;
  // A warning is the first that is written to standard error.
  const environment = { ...own.environment, REFERRAL_TOKENS: "x" };
  for (const lost of [{ stdout: { ...stdout, write } }, { environment, stderr: { ...stderr, write } }]) {
    expect(await main({ ...own, ...lost })).toBe(1);
    expect(reports.junit()).toContain('<error type="failed" message="The result could not be written"');
    expect(reports.metrics()).toContain('\nreferral_auth_run_exit_code{report="run"} 1\n');
  }
});

test("if a stream breaks off, the results before are reported, and the error behind them", async () => {
  const api = await emulate();
  const reports = reportsIn();
  async function* chunks() {
    yield Buffer.from(`${JSON.stringify({ profile: "first", token })}\n`);
    throw new FileProblem("EIO");
  }
  const openStream = async () => ({ chunks: chunks(), mode: null, owner: null, close: () => {} });
  const error = "Error: --accounts names a file that cannot be read (EIO)\n";
  const own = contextOf(["test", "--accounts", "-", "--base-url", api.url, ...files], reports.given);
  expect(await main({ ...own, openStream })).toBe(3);
  expect(own.stdout.text).toMatch(
    /^accepted +token of line 1 \(first\)[\s\S]*\nended early: 1 accepted, 0 not checked; 1 line read, the rest was not read; at http:\S+\n$/,
  );
  expect(own.stderr.text).toContain(error);
  expect(reports.junit()).toContain('tests="3" failures="0" errors="1" skipped="1"');
  expect(reports.junit()).toContain(
    '<skipped message="the run ended early before it had read all accounts"/>',
  );
  expect(reports.metrics()).toContain(
    'referral_auth_accepted{report="run",profile="first",method="token"} 1\n',
  );
  expect(reports.summary()).toContain("the rest was not read\n\n--accounts names a file");

  const json = contextOf([...own.args, "--json"], reports.given);
  expect(await main({ ...json, openStream })).toBe(3);
  // One document, which contains the error.
  const document = { exitCode: 3, notRead: true, checks: [{ outcome: "accepted" }], error: { code: 3 } };
  expect(JSON.parse(json.stdout.text)).toMatchObject(document);
  expect(json.stderr.text).toContain(error);
});

test.each([[["--all"]], [["--profile", "good", "--profile", "bad"]], [["--accounts", "accounts"]]])(
  "the mistake of the only account of a shard of %j is its result",
  async (args) => {
    const lines = [{ token }, { profile: "bad", baseUrl: "ftp://x", token }];
    const reports = reportsIn({
      ".referralrc": rcOf("http://127.0.0.1:1", { good: {}, bad: { tokenFile: "absent" } }),
      accounts: lines.map((line) => JSON.stringify(line)).join("\n"),
    });
    const run = await runInProcess(["test", ...args, "--shard", "2/2", "--json", ...files], reports.given);
    expect(run).toMatchObject({ exitCode: 3, stderr: "" });
    const checks = [{ profile: "bad", outcome: "not-checked" }];
    expect(JSON.parse(run.stdout)).toMatchObject({ error: null, checks });
    expect(reports.junit()).toContain('<testcase classname="referral-auth.bad" name="settings"');
    expect(reports.metrics()).toContain('referral_auth_accepted{report="run",profile="bad",method=""} 0\n');
  },
);
