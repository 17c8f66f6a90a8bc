import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { Interrupted, OutputError } from "../../src/errors.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { wsse } from "./diagnose.ts";
import { plain, rcOf } from "./profiles.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const accept: Answer = (_, response) => json(response, 200, success);

/** An API that answers some requests. The next one causes the signal and gets no response. */
async function interrupting(answered: number, answer: Answer = accept) {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Interrupted("SIGINT"));
  const api = await serve((request, response) => {
    if (api.requests.length > answered) abort();
    else answer(request, response);
  });
  return { api, abort, interrupted: controller.signal };
}

/** Twenty profiles, of which four are accepted before the signal comes. */
async function ofTwenty() {
  const { api, interrupted } = await interrupting(4);
  const folder = folderWith({ ".referralrc": rcOf(api.url, plain(20)) });
  const given = { homeFolder: folder, workingFolder: folder, interrupted };
  return { api, given, read: (name: string) => readFileSync(join(folder, name), "utf8"), folder };
}

const all = ["test", "--all", "--concurrency", "1", "--junit", "report.xml"];
const junitCounts = 'tests="20" failures="0" errors="0" skipped="16"';
const unwritten = new OutputError("The result could not be written");

describe("a run that a signal ends", () => {
  test("says what was not checked: in the text, an annotation, JUnit and the job summary", async () => {
    const { api, given, read, folder } = await ofTwenty();
    const environment = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
    const run = await runInProcess(all, { ...given, environment });
    const counts = "interrupted: 4 accepted, 16 not checked";
    expect(run).toMatchObject({ exitCode: 130, stderr: "" });
    expect(run.stdout).toContain(`\n::error title=referral-auth::${counts}\n${counts}; at ${api.url}\n`);
    expect(read("summary.md")).toBe(`### referral-auth: ${counts}\n\n`);
    expect(await api.openConnections()).toBe(0);
    const xml = read("report.xml");
    expect(xml).toContain(junitCounts);
    expect(xml.match(/<testcase /g)).toHaveLength(20);
    expect(xml.match(/<skipped /g)).toHaveLength(16);
    for (let index = 0; index < 20; index += 1) expect(xml).toContain(`"referral-auth.p${index}"`);
  });

  test("has the signal's code and its JSON document even if a report cannot be written", async () => {
    const { given } = await ofTwenty();
    const own = contextOf([...all, "--json"], given);
    const openTarget: typeof own.openTarget = (...given) => ({
      ...own.openTarget(...given),
      write: () => Promise.reject(new FileProblem("ENOSPC")),
    });
    expect(await main({ ...own, openTarget })).toBe(130);
    const document = JSON.parse(own.stdout.text);
    expect(document).toMatchObject({ ok: false, exitCode: 130, notChecked: 16, error: { code: 1 } });
    expect(document.checks).toHaveLength(4);
    expect(own.stderr.text).toMatch(
      /^Error: --junit: \/\S+\/report\.xml could not be written: no space left on device \(ENOSPC\)\n$/,
    );
  });

  test("writes its files even if the terminal is closed, so that both streams fail from then on", async () => {
    const { given, read } = await ofTwenty();
    const own = contextOf(all, given);
    const write = async () => {
      if (given.interrupted.aborted) throw unwritten;
    };
    const streams = { stdout: { ...own.stdout, write }, stderr: { ...own.stderr, write } };
    expect(await main({ ...own, ...streams })).toBe(130);
    expect(read("report.xml")).toContain(junitCounts);
  });

  test("counts each account once if the terminal is closed while its result is written", async () => {
    const { given, read } = await ofTwenty();
    const closed = new AbortController();
    const own = contextOf(all, { ...given, interrupted: closed.signal });
    const write = async (text: string) => {
      if (!text.includes("p3")) return;
      closed.abort(new Interrupted("SIGHUP"));
      throw unwritten;
    };
    expect(await main({ ...own, stdout: { ...own.stdout, write } })).toBe(129);
    expect(read("report.xml")).toContain(junitCounts);
  });

  test("reports what waited for an earlier profile, in the file's order", async () => {
    // The first profile hangs.
    const { api, interrupted } = await interrupting(3, (_, response) => {
      if (api.requests.length > 1) json(response, 200, success);
    });
    const folder = folderWith({ ".referralrc": rcOf(api.url, plain(9)) });
    const args = ["test", "--all", "--concurrency", "2", "--junit", "report.xml"];
    const given = { homeFolder: folder, workingFolder: folder, interrupted };
    const { exitCode, stdout } = await runInProcess(args, given);
    expect(exitCode).toBe(130);
    const both = [expect.stringContaining("p1"), expect.stringContaining("p2")];
    expect(stdout.match(/^accepted .*$/gm)).toMatchObject(both);
    const xml = readFileSync(join(folder, "report.xml"), "utf8");
    expect(xml.match(/<testcase [^>]*name="token"/g)).toMatchObject(both);
  });

  test("reports the finished one of an account's two methods, and counts the account as not checked", async () => {
    const { api, interrupted } = await interrupting(1);
    const environment = { ...wsse, REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: "a-token" };
    const { exitCode, stdout } = await runInProcess(["test", "--json"], { environment, interrupted });
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ notChecked: 1, checks: [{ outcome: "accepted" }] });
  });

  test("has a JSON document even if no account is known yet", async () => {
    const interrupted = AbortSignal.abort(new Interrupted("SIGTERM"));
    const own = contextOf(["test", "--json", "--config", "rc.json"], { interrupted });
    const readNamedFile = () => Promise.reject(interrupted.reason);
    expect(await main({ ...own, readNamedFile })).toBe(143);
    const document = { exitCode: 143, checks: [], notChecked: 0, notRead: true, error: null };
    expect(JSON.parse(own.stdout.text)).toMatchObject(document);
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

describe("a diagnosis that a signal ends keeps the refusal and what it has found:", () => {
  test.each([
    ["at its first request", 1, refuse, [measured(stopped)]],
    ["later", 3, refuse, [measured(`${stopped}; so far ruled out: a header lost on the way and the clock`)]],
    ["during the control", 4, fieldNeeded, [possible("but this is not proved: the run was interrupted")]],
  ] as const satisfies [string, number, Answer, object[]][])("%s", async (_, answered, answer, findings) => {
    const { api, interrupted } = await interrupting(answered, answer);
    const environment = { ...wsse, REFERRAL_BASE_URL: api.url };
    const run = await runInProcess(["test", "--diagnose", "--json"], { environment, interrupted });
    expect(api.requests).toHaveLength(answered + 1);
    const checks = [{ outcome: "rejected", findings }];
    expect(run.stderr).toMatch(progress);
    expect(JSON.parse(run.stdout)).toMatchObject({ exitCode: 130, notChecked: 0, checks });
  });

  test("while the spare token's command runs", async () => {
    const { api, abort, interrupted } = await interrupting(1, (request, response) => {
      refuse(request, response);
      setTimeout(abort, 100);
    });
    const homeFolder = folderWith({ ".referralrc": "tokenCommand: [sleep, '20']\n" });
    const given = { homeFolder, environment: { ...wsse, REFERRAL_BASE_URL: api.url }, interrupted };
    const { exitCode, stdout } = await runInProcess(["test", "--wsse", "--diagnose", "--json"], given);
    expect([exitCode, api.requests.length]).toEqual([130, 1]);
    const checks = [{ outcome: "rejected", findings: [measured(stopped)] }];
    expect(JSON.parse(stdout)).toMatchObject({ checks });
  });
});

test("a signal during the request after an acceptance keeps the acceptance", async () => {
  const { api, interrupted } = await interrupting(1);
  const environment = { ...wsse, REFERRAL_BASE_URL: api.url };
  const { exitCode, stdout, stderr } = await runInProcess(["test", "--diagnose", "--json"], {
    environment,
    interrupted,
  });
  expect([exitCode, api.requests.length]).toEqual([130, 2]);
  expect(stderr).toMatch(progress);
  expect(JSON.parse(stdout)).toMatchObject({ exitCode: 130, checks: [{ outcome: "accepted" }] });
});

test("a signal ends config --all while it goes through many profiles", async () => {
  const profiles = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`p${index}`, {}]));
  const homeFolder = folderWith({ ".referralrc": { profiles } });
  const waits = {
    push: () => {
      throw new Interrupted("SIGTERM");
    },
  };
  const result = await runInProcess(["config", "--all"], { homeFolder, waits });
  expect(result).toMatchObject({ exitCode: 143, stdout: "", stderr: "" });
});
