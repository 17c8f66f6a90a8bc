import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { OutputError } from "../../src/errors.ts";
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
    folder,
    environment,
    given: { homeFolder: folder, workingFolder: folder, environment } satisfies GivenInProcess,
    junit: () => read("report.xml"),
    metrics: () => read("run.prom"),
    summary: () => read("summary.md"),
  };
}

const bug = (): never => {
  throw new RangeError(planted.secret);
};

describe("a run that ends before its checks writes every report:", () => {
  test.each([
    [3, "No token is set and no base URL is set", [], {}, "", {}],
    [3, "--accounts has no account", ["--accounts", "-"], {}, "\n \n", {}],
    [3, "--accounts has no account", ["--accounts", "-", "--shard", "2/2"], {}, "", {}],
    [3, "--accounts names a file that does not exist", ["--accounts", "absent"], {}, "", {}],
    [3, "there is no rc file", ["--profile", "absent"], {}, "", {}],
    [3, "unknown key", ["--all"], { ".referralrc": '{"x":1}' }, "", {}],
    [
      3,
      "concurrency",
      ["--all"],
      { ".referralrc": rcOf("http://x", plain(2)) },
      "",
      { REFERRAL_CONCURRENCY: "0" },
    ],
  ])("code %i, %s", async (code, words, args, content, stdin, more) => {
    const reports = reportsIn(content);
    const environment = { ...reports.environment, ...more };
    const run = await runInProcess(["test", ...args, ...files], { ...reports.given, environment, stdin });
    expect(run).toMatchObject({ exitCode: code });
    const sentence = /^Error: (.*)$/m.exec(run.stderr)?.[1] ?? "";
    expect(sentence.toLowerCase()).toContain(words.toLowerCase().split(" and ")[0]);

    expect(reports.junit()).toContain('tests="1" failures="0" errors="1"');
    expect(reports.junit()).toContain(`<error type="not-checked" message="`);
    expect(reports.metrics()).toContain(`\nreferral_auth_run_exit_code ${code}\n`);
    expect(reports.metrics()).not.toContain("profile=");
    expect(reports.summary()).toMatch(/^### referral-auth: nothing was checked\n\n\S/);
    expect(reports.summary().match(/[a-z]{4,}/g)).toEqual(
      expect.arrayContaining(sentence.match(/[a-z]{6,}/g) ?? []),
    );
  });

  test("a bug has code 1 in them, and its message is in none", async () => {
    const reports = reportsIn({ ".referralrc": rcOf("http://127.0.0.1:1", plain(2)) });
    for (const form of [[], ["--json"], ["--ndjson"]]) {
      const own = contextOf(["test", "--all", ...files, ...form], reports.given);
      expect(await main({ ...own, readFile: bug })).toBe(1);
      const texts = [reports.junit(), reports.metrics(), reports.summary(), own.stdout.text, own.stderr.text];
      expect(reports.junit()).toContain('<error type="failed" message="This is a bug in referral-auth');
      expect(reports.metrics()).toContain("\nreferral_auth_run_exit_code 1\n");
      expect(reports.summary()).toContain("This is a bug in referral&#45;auth");
      for (const text of texts) expect(leaks(text)).toEqual([]);
    }
  });

  test("wrong usage leaves the old ones, whoever finds it", async () => {
    for (const args of [
      ["--all", "--profile", "a"],
      ["--timeout", "soon"],
    ]) {
      const reports = reportsIn();
      expect((await runInProcess(["test", ...args, ...files], reports.given)).exitCode).toBe(2);
      expect([reports.junit(), reports.metrics(), reports.summary()]).toEqual(["old", "old", ""]);
    }
  });

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
      expect(reports.metrics()).toContain("\nreferral_auth_run_exit_code 1\n");
    }
  });
});

test("if a stream breaks off, the results before are reported, and the error behind them", async () => {
  const api = await emulate();
  const reports = reportsIn();
  const own = contextOf(["test", "--accounts", "-", "--base-url", api.url, ...files], reports.given);
  async function* chunks() {
    yield Buffer.from(`${JSON.stringify({ profile: "first", token })}\n`);
    const { FileProblem } = await import("../../src/system/file-reading.ts");
    throw new FileProblem("EIO");
  }
  const openStream = async () => ({ chunks: chunks(), mode: null, owner: null, close: () => {} });
  expect(await main({ ...own, openStream })).toBe(3);
  expect(own.stdout.text).toMatch(/^accepted +token of line 1 \(first\)[\s\S]*\n1 accepted; at http:\S+\n/);
  expect(own.stderr.text).toContain("Error: --accounts names a file that cannot be read (EIO)\n");
  expect(reports.junit()).toContain('tests="2" failures="0" errors="1"');
  expect(reports.metrics()).toContain('referral_auth_accepted{profile="first",method="token"} 1\n');
  expect(reports.summary()).toContain("### referral-auth: 1 accepted\n\n&#45;&#45;accounts names a file");

  const json = contextOf([...own.args, "--json"], reports.given);
  expect(await main({ ...json, openStream })).toBe(3);
  // One document, which contains the error.
  const document = { exitCode: 3, checks: [{ outcome: "accepted" }], error: { code: 3 } };
  expect(JSON.parse(json.stdout.text)).toMatchObject(document);
  expect(json.stderr.text).toContain("Error: --accounts names a file that cannot be read (EIO)\n");
});

describe("one of several stays one of several:", () => {
  test.each([
    ["--all", ["--all", "--shard", "2/2"]],
    ["--profile", ["--profile", "good", "--profile", "bad", "--shard", "2/2"]],
    ["--accounts", ["--accounts", "accounts", "--shard", "2/2"]],
  ])("with %s, the mistake of a shard's only account is its result", async (_, args) => {
    const api = await emulate();
    const lines = [{ token }, { profile: "bad", baseUrl: "ftp://x", token }];
    const reports = reportsIn({
      ".referralrc": rcOf(api.url, { good: {}, bad: { tokenFile: "absent" } }),
      accounts: lines.map((line) => JSON.stringify(line)).join("\n"),
    });
    chmodSync(join(reports.folder, "accounts"), 0o600);
    const run = await runInProcess(["test", ...args, "--json", ...files], reports.given);
    expect(run).toMatchObject({ exitCode: 3, stderr: "" });
    expect(JSON.parse(run.stdout)).toMatchObject({
      error: null,
      checks: [{ profile: "bad", outcome: "not-checked" }],
    });
    expect(reports.junit()).toContain('<testcase classname="referral-auth.bad" name="settings"');
    expect(reports.metrics()).toContain('referral_auth_accepted{profile="bad",method=""} 0\n');
  });
});
