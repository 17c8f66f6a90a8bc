import { describe, expect, test } from "vitest";
import { Interrupted, OutputError } from "../../src/errors.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { folderWith } from "../support/folder.ts";
import { type GivenInProcess, runInProcess } from "../support/run.ts";
import { json } from "../support/serve.ts";
import { type Answer, accept, place, plain, wsse } from "./profiles.ts";

/** A place with so many profiles, whose API answers some requests. The next one causes the signal and gets no response. */
async function interrupting(answered: number, answer: Answer = accept, count = 20) {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Interrupted("SIGINT"));
  const { api, run, job } = await place({
    profiles: plain(count),
    answer: (request, response) => (api.requests.length > answered ? abort() : answer(request, response)),
  });
  const { signal: interrupted } = controller;
  const environment = { ...wsse, REFERRAL_BASE_URL: api.url };
  return {
    api,
    abort,
    job,
    interrupted,
    run: (args: readonly string[], given: GivenInProcess = {}) => run(args, { interrupted, ...given }),
    /** Runs over an account of WSSE, without an rc file. */
    runAlone: (
      args: readonly string[],
      more: Readonly<Record<string, string>> = {},
      homeFolder = folderWith(),
    ) =>
      run(args, {
        interrupted,
        environment: { ...environment, ...more },
        homeFolder,
        workingFolder: homeFolder,
      }),
  };
}

const all = ["--all", "--concurrency", "1", "--junit", "report.xml"];
const junitCounts = 'tests="20" failures="0" errors="0" skipped="16"';
const unwritten = new OutputError("The result could not be written");

describe("a run over twenty accounts that a signal ends after four", () => {
  test("says what was not checked: in the text, an annotation, JUnit and the job summary", async () => {
    const { api, run, job } = await interrupting(4);
    const { exitCode, stdout, stderr, file } = await run(all, { environment: job });
    const counts = "interrupted: 4 accepted, 16 not checked";
    expect([exitCode, stderr]).toEqual([130, ""]);
    expect(stdout).toContain(`\n::error title=referral-auth::${counts}\n${counts}; at ${api.url}\n`);
    expect(file("summary.md")).toBe(`### referral-auth: ${counts}\n\n`);
    const xml = file("report.xml");
    expect(xml).toContain(junitCounts);
    expect(xml?.match(/<skipped /g)).toHaveLength(16);
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

  test("writes its files even if the terminal is closed, so that both streams fail from then on", async () => {
    const { run, interrupted } = await interrupting(4);
    const write = async () => {
      if (interrupted.aborted) throw unwritten;
    };
    const output = { isTerminal: false, write };
    const { exitCode, file } = await run(all, { broken: () => ({ stdout: output, stderr: output }) });
    expect(exitCode).toBe(130);
    expect(file("report.xml")).toContain(junitCounts);
  });

  test("counts each account once if the terminal is closed while its result is written", async () => {
    const { run } = await interrupting(4);
    const closed = new AbortController();
    const write = async (text: string) => {
      if (!text.includes("p3")) return;
      closed.abort(new Interrupted("SIGHUP"));
      throw unwritten;
    };
    const broken = () => ({ stdout: { isTerminal: false, write } });
    const { exitCode, file } = await run(all, { interrupted: closed.signal, broken });
    expect(exitCode).toBe(129);
    expect(file("report.xml")).toContain(junitCounts);
  });
});

describe("a run that a signal ends", () => {
  test("reports what waited for an earlier profile, in the file's order", async () => {
    // The first profile hangs.
    const answer: Answer = (request, response) => {
      if (api.requests.length > 1) accept(request, response);
    };
    const { api, run } = await interrupting(3, answer, 9);
    const { exitCode, stdout, file } = await run(["--all", "--concurrency", "2", "--junit", "report.xml"]);
    expect(exitCode).toBe(130);
    const both = [expect.stringContaining("p1"), expect.stringContaining("p2")];
    expect(stdout.match(/^accepted .*$/gm)).toMatchObject(both);
    expect(file("report.xml")?.match(/<testcase [^>]*name="token"/g)).toMatchObject(both);
  });

  test("reports the finished one of an account's two methods, and counts the account as not checked", async () => {
    const { runAlone } = await interrupting(1);
    const { document } = await runAlone(["--json"], { REFERRAL_TOKEN: "a-token" });
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

const refuse: Answer = ({ headers }, response) =>
  json(response, 401, { message: headers["x-wsse"] ? "No" : "None" });
const fieldNeeded: Answer = (request, response) =>
  (request.headers.authorization ? accept : refuse)(request, response);
const stopped = "diagnosis ended early: the run was interrupted";
const possible = (message: string) => ({
  id: "authorization",
  certainty: "possible",
  message: expect.stringContaining(message),
});
const measured = (message: string) => ({ id: "diagnosis-stopped", certainty: "measured", message });

const progress =
  /^wsse: diagnosis, (?:at most )?\d+ further requests?.*\n(?:wsse: diagnosis, request .*\n)*$/;

describe("a diagnosis that a signal ends keeps the verdict and what it has found:", () => {
  test.each([
    ["at its first request", 1, refuse, [measured(stopped)]],
    ["later", 3, refuse, [measured(`${stopped}; so far ruled out: a header lost on the way and the clock`)]],
    ["during the control", 4, fieldNeeded, [possible("but this is not proved: the run was interrupted")]],
    ["in the request after an acceptance", 1, accept, null],
  ] as const satisfies [string, number, Answer, object[] | null][])(
    "%s",
    async (_, answered, answer, findings) => {
      const { api, runAlone } = await interrupting(answered, answer);
      const { document, stderr } = await runAlone(["--diagnose", "--json"]);
      expect(api.requests).toHaveLength(answered + 1);
      expect(stderr).toMatch(progress);
      const checks = [findings === null ? { outcome: "accepted" } : { outcome: "rejected", findings }];
      expect(document).toMatchObject({ exitCode: 130, notChecked: 0, checks });
    },
  );

  test("while the spare token's command runs", async () => {
    const { api, abort, runAlone } = await interrupting(1, (request, response) => {
      refuse(request, response);
      setTimeout(abort, 100);
    });
    const homeFolder = folderWith({ ".referralrc": "tokenCommand: [sleep, '20']\n" });
    const { document } = await runAlone(["--wsse", "--diagnose", "--json"], {}, homeFolder);
    const checks = [{ outcome: "rejected", findings: [measured(stopped)] }];
    expect(document).toMatchObject({ exitCode: 130, checks });
    expect(api.requests).toHaveLength(1);
  });
});

test("a signal ends config --all while it goes through many profiles", async () => {
  const homeFolder = folderWith({ ".referralrc": { profiles: plain(200) } });
  const push = () => {
    throw new Interrupted("SIGTERM");
  };
  const result = await runInProcess(["config", "--all"], { homeFolder, waits: { push } });
  expect(result).toMatchObject({ exitCode: 143, stdout: "", stderr: "" });
});
