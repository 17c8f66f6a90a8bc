import { describe, expect, test } from "vitest";
import { Interrupted, OutputError } from "../../src/errors.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { folderWith } from "../support/folder.ts";
import { type GivenInProcess, runInProcess } from "../support/run.ts";
import { type Answer, accept, place, plain, refuse, wsse } from "./profiles.ts";

/** A place with twenty profiles, whose API answers some requests. The next one causes the signal and gets no response. */
async function interrupting(answered: number, answer: Answer = accept) {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Interrupted("SIGINT"));
  const { api, run, job } = await place({
    profiles: plain(20),
    answer: (request, response) => (api.requests.length > answered ? abort() : answer(request, response)),
  });
  const { signal: interrupted } = controller;
  const environment = { ...wsse, REFERRAL_BASE_URL: api.url };
  return {
    api,
    abort,
    job,
    run: (args: readonly string[], given: GivenInProcess = {}) => run(args, { interrupted, ...given }),
    /** Runs over an account of WSSE. */
    runAlone: (args: readonly string[], { rc = "", more = {} } = {}) => {
      const homeFolder = folderWith({ ".referralrc": rc });
      const folders = { homeFolder, workingFolder: homeFolder };
      return run(args, { ...folders, interrupted, environment: { ...environment, ...more } });
    },
  };
}

const all = ["--all", "--concurrency", "1", "--junit", "report.xml"];
const junitCounts = 'tests="20" failures="0" errors="0" skipped="16"';

// test/report/documents.test.ts has what reports say at the end of such a run.
describe("a run over twenty accounts that a signal ends after four", () => {
  test("says what was not checked in every report", async () => {
    const { api, run, job } = await interrupting(4);
    const { exitCode, stdout, stderr, file } = await run(all, { environment: job });
    const counts = "interrupted: 4 accepted, 16 not checked";
    expect([exitCode, stderr]).toEqual([130, ""]);
    expect(stdout).toContain(`\n::error title=referral-auth::${counts}\n${counts}; at ${api.url}\n`);
    expect(file("summary.md")).toBe(`### referral-auth: ${counts}\n\n`);
    const xml = file("report.xml");
    expect(xml).toContain(junitCounts);
    for (const name of Object.keys(plain(20))) expect(xml?.split(`"referral-auth.${name}"`)).toHaveLength(2);
  });

  test("has the signal's code and its JSON document even if a report cannot be written", async () => {
    const { run } = await interrupting(4);
    const write = () => Promise.reject(new FileProblem("ENOSPC"));
    const { document, checks, stderr } = await run([...all, "--json"], {
      broken: ({ openTarget }) => ({ openTarget: (...target) => ({ ...openTarget(...target), write }) }),
    });
    expect(document).toMatchObject({ ok: false, exitCode: 130, notChecked: 16, error: { code: 1 } });
    expect(checks).toHaveLength(4);
    expect(stderr).toMatch(
      /^Error: --junit: \/\S+\/report\.xml could not be written: no space left on device \(ENOSPC\)\n$/,
    );
  });

  test("counts each account once and writes its files if the terminal is closed while a result is written", async () => {
    const { run } = await interrupting(4);
    const closed = new AbortController();
    const write = async (text: string) => {
      if (!closed.signal.aborted && !text.includes("p3")) return;
      closed.abort(new Interrupted("SIGHUP"));
      throw new OutputError("The result could not be written");
    };
    const output = { isTerminal: false, write };
    const broken = () => ({ stdout: output, stderr: output });
    const { exitCode, file } = await run(all, { interrupted: closed.signal, broken });
    expect(exitCode).toBe(129);
    expect(file("report.xml")).toContain(junitCounts);
  });
});

describe("a run that a signal ends", () => {
  test("reports the finished one of an account's two methods, and counts the account as not checked", async () => {
    const { runAlone } = await interrupting(1);
    const { document } = await runAlone(["--json"], { more: { REFERRAL_TOKEN: "a-token" } });
    expect(document).toMatchObject({ exitCode: 130, notChecked: 1, checks: [{ outcome: "accepted" }] });
  });

  test("has a JSON document even if no account is known yet", async () => {
    const interrupted = AbortSignal.abort(new Interrupted("SIGTERM"));
    const broken = () => ({ readNamedFile: () => Promise.reject(interrupted.reason) });
    const { document } = await runInProcess(["test", "--json", "--config", "rc.json"], {
      interrupted,
      broken,
    });
    expect(document).toMatchObject({ exitCode: 143, checks: [], notChecked: 0, notRead: true, error: null });
  });
});

// test/check/diagnose has what a diagnosis says that ends early.
test("a diagnosis that a signal ends while the spare token's command runs keeps the verdict and says why it ended", async () => {
  const stopped = "diagnosis ended early: the run was interrupted";
  const checks = [{ outcome: "rejected", findings: [{ id: "diagnosis-stopped", message: stopped }] }];
  const { api, abort, runAlone } = await interrupting(1, (request, response) => {
    refuse(request, response);
    setTimeout(abort, 100);
  });
  const rc = "tokenCommand: [sleep, '20']\n";
  const { document } = await runAlone(["--wsse", "--diagnose", "--json"], { rc });
  expect(document).toMatchObject({ exitCode: 130, checks });
  expect(api.requests).toHaveLength(1);
});

test("a signal ends config --all while it goes through many profiles", async () => {
  const homeFolder = folderWith({ ".referralrc": { profiles: plain(200) } });
  const push = () => {
    throw new Interrupted("SIGTERM");
  };
  const result = await runInProcess(["config", "--all"], { homeFolder, waits: { push } });
  expect(result).toMatchObject({ exitCode: 143, stdout: "", stderr: "" });
});
