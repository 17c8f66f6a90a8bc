import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { Interrupted, OutputError } from "../../src/errors.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf, type GivenInProcess, runInProcess } from "../support/run.ts";
import { json, type Served, serve, success } from "../support/serve.ts";
import { plain, rcOf } from "./profiles.ts";

const signals = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;
type Signal = (typeof signals)[number][0];

/** An API that accepts four of twenty accounts. The fifth request causes the signal and gets no response. */
async function interrupting(
  signal: Signal = "SIGINT",
): Promise<{ readonly api: Served; readonly given: GivenInProcess; readonly folder: string }> {
  const controller = new AbortController();
  const api = await serve((_, response) => {
    if (api.requests.length > 4) controller.abort(new Interrupted(signal));
    else json(response, 200, success);
  });
  const folder = folderWith({ ".referralrc": rcOf(api.url, plain(20)) });
  return {
    api,
    folder,
    given: { homeFolder: folder, workingFolder: folder, interrupted: controller.signal },
  };
}

const all = ["test", "--all", "--concurrency", "1"];

describe("a run that a signal ends", () => {
  test.each(signals)("ends its text with what was not checked: %s", async (signal, exitCode) => {
    const { api, given } = await interrupting(signal);
    const run = await runInProcess(all, given);
    expect(run).toMatchObject({ exitCode, stderr: "" });
    expect(await api.openConnections()).toBe(0);
    expect(run.stdout.split("\n").at(-2)).toBe(`interrupted: 4 accepted, 16 not checked; at ${api.url}`);
  });

  test("counts in JSON and JUnit the accounts that are left", async () => {
    const { given, folder } = await interrupting();
    const run = await runInProcess([...all, "--json", "--junit", "report.xml"], given);
    expect(run.exitCode).toBe(130);
    const document = JSON.parse(run.stdout);
    expect(document).toMatchObject({ ok: false, exitCode: 130, notChecked: 16, error: null });
    expect(document.checks).toHaveLength(4);
    const xml = readFileSync(join(folder, "report.xml"), "utf8");
    expect(xml).toContain('tests="20" failures="0" errors="0" skipped="16"');
    expect(xml.match(/<testcase /g)).toHaveLength(20);
    expect(xml.match(/<skipped /g)).toHaveLength(16);
    for (let index = 0; index < 20; index += 1) expect(xml).toContain(`"referral-auth.p${index}"`);
  });

  test("is reported in the job summary and in an annotation", async () => {
    const { given, folder } = await interrupting();
    const GITHUB_STEP_SUMMARY = join(folder, "summary.md");
    const run = await runInProcess(all, {
      ...given,
      environment: { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY },
    });
    const counts = "interrupted: 4 accepted, 16 not checked";
    expect(readFileSync(GITHUB_STEP_SUMMARY, "utf8")).toBe(`### referral-auth: ${counts}\n\n`);
    expect(run.stdout).toContain(`\n::error title=referral-auth::${counts}\n${counts}; at http`);
  });

  test("has the signal's code even if reports cannot be written, and writes those that can be", async () => {
    const { given, folder } = await interrupting();
    const own = contextOf([...all, "--json", "--junit", "report.xml"], given);
    const writeFile = () => Promise.reject(new FileProblem("ENOSPC"));
    expect(await main({ ...own, writeFile })).toBe(130);
    expect(JSON.parse(own.stdout.text)).toMatchObject({ exitCode: 130, notChecked: 16 });
    expect(own.stderr.text).toBe("Error: --junit names a file that could not be written (ENOSPC)\n");

    const closed = await interrupting();
    const blind = contextOf([...all, "--junit", "report.xml"], closed.given);
    // The signal means that the terminal was closed, so the streams fail from then on.
    const write = async () => {
      if (closed.given.interrupted?.aborted) throw new OutputError("The result could not be written");
    };
    const streams = { stdout: { ...blind.stdout, write }, stderr: { ...blind.stderr, write } };
    expect(await main({ ...blind, ...streams })).toBe(130);
    expect(readFileSync(join(closed.folder, "report.xml"), "utf8")).toContain('skipped="16"');
    expect(folder).not.toBe(closed.folder);
  });

  test("counts each account once if the terminal is closed while its result is written", async () => {
    const controller = new AbortController();
    const api = await serve((_, response) => json(response, 200, success));
    const folder = folderWith({ ".referralrc": rcOf(api.url, plain(20)) });
    const given = { homeFolder: folder, workingFolder: folder, interrupted: controller.signal };
    const own = contextOf([...all, "--junit", "report.xml"], given);
    const write = async (text: string) => {
      if (!text.includes("p3")) return;
      controller.abort(new Interrupted("SIGHUP"));
      throw new OutputError("The result could not be written");
    };
    expect(await main({ ...own, stdout: { ...own.stdout, write } })).toBe(129);
    expect(readFileSync(join(folder, "report.xml"), "utf8")).toContain(
      'tests="20" failures="0" errors="0" skipped="16"',
    );
  });
});

test("results that wait for an earlier profile are in every report that keeps the file's order", async () => {
  const controller = new AbortController();
  const api = await serve((_, response) => {
    if (api.requests.length === 4) controller.abort(new Interrupted("SIGINT"));
    // The first profile hangs.
    else if (api.requests.length > 1) json(response, 200, success);
  });
  const folder = folderWith({ ".referralrc": rcOf(api.url, plain(9)) });
  const given = { homeFolder: folder, workingFolder: folder, interrupted: controller.signal };
  const args = ["test", "--all", "--concurrency", "2", "--junit", "report.xml"];
  const run = await runInProcess(args, given);
  expect(run.exitCode).toBe(130);
  expect(run.stdout.match(/^accepted .*$/gm)).toMatchObject(
    [/p1/, /p2/].map((name) => expect.stringMatching(name)),
  );
  const cases = readFileSync(join(folder, "report.xml"), "utf8").match(/<testcase [^>]*name="token"/g);
  expect(cases).toMatchObject([/p1/, /p2/].map((name) => expect.stringMatching(name)));
});

test("if only the first of an account's two methods is finished, its result is reported and the account counts as not checked", async () => {
  const controller = new AbortController();
  const api = await serve((request, response) => {
    if (request.headers["x-wsse"] !== undefined) controller.abort(new Interrupted("SIGINT"));
    else json(response, 200, success);
  });
  const environment = {
    REFERRAL_BASE_URL: api.url,
    REFERRAL_TOKEN: "a-token",
    REFERRAL_USERNAME: "me@example.com",
    REFERRAL_SECRET: "a-secret",
  };
  const run = await runInProcess(["test", "--json"], { environment, interrupted: controller.signal });
  expect(run.exitCode).toBe(130);
  expect(JSON.parse(run.stdout)).toMatchObject({ notChecked: 1, checks: [{ outcome: "accepted" }] });
});

test("a signal that comes before any account is known still gives a JSON document", async () => {
  const interrupted = AbortSignal.abort(new Interrupted("SIGTERM"));
  const own = contextOf(["test", "--json", "--config", "rc.json"], { interrupted });
  const readNamedFile = () => Promise.reject(interrupted.reason);
  expect(await main({ ...own, readNamedFile })).toBe(143);
  expect(JSON.parse(own.stdout.text)).toMatchObject({
    exitCode: 143,
    checks: [],
    notChecked: 0,
    error: null,
  });
});
