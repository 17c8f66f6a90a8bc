import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { OutputError } from "../../src/errors.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { contextOf } from "../support/run.ts";
import { expectResultDocument } from "../support/schema.ts";
import { json, serve, success } from "../support/serve.ts";

const bug = (): never => {
  throw new RangeError(`${planted.secret}\n    at ${planted.token}`);
};

const wsse = { username: planted.username, secret: planted.secret };
const { token } = planted;
const profiles = { first: { token }, second: wsse, third: { token: "wrong" }, last: { token } };

/** Runs the program over four accounts. The second needs random bytes for its nonce, and gets a bug instead. */
async function runWithBug(...more: readonly string[]) {
  const api = await serve((request, response) =>
    request.headers["x-auth-token"] === planted.token
      ? json(response, 200, success)
      : json(response, 401, { code: 401, message: "No" }),
  );
  const folder = folderWith({ ".referralrc": { baseUrl: api.url, profiles } });
  const args = ["test", "--all", "--diagnose", "--junit", "report.xml", ...more];
  const GITHUB_STEP_SUMMARY = join(folder, "summary.md");
  const own = contextOf(args, {
    homeFolder: folder,
    workingFolder: folder,
    environment: { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY },
  });
  const exitCode = await main({ ...own, randomBytes: bug });
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const { stdout, stderr } = own;
  expectResultDocument(args, stdout.text);
  return {
    exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
    xml: read("report.xml"),
    summary: read("summary.md"),
  };
}

const message = /This is a bug in referral-auth \d+\.\d+\.\d+: RangeError at \S/;

describe("a bug in one account's check", () => {
  test("is the outcome of that account only, and makes the run exit 1 whatever the other outcomes are", async () => {
    const run = await runWithBug();

    expect(run.exitCode).toBe(1);
    expect(run.stdout).toMatch(/^accepted +token of first: /m);
    expect(run.stdout).toMatch(/^FAILED +wsse of second: This is a bug in /m);
    expect(run.stdout).toMatch(/^REJECTED +token of third: /m);
    expect(run.stdout).toMatch(/^accepted +token of last: /m);
    expect(run.stdout).toMatch(/^2 accepted, 1 failed, 1 rejected; at http:\S+$/m);
    expect(run.stdout).toMatch(/^::error title=referral-auth second wsse::This is a bug in /m);
    expect(run.summary).toContain("| second | wsse | failed | ");
    expect(run.xml).toContain('tests="4" failures="1" errors="1"');
    expect(run.xml).toMatch(/<error type="failed" message="This is a bug in [^"]*RangeError at [^"]+"/);
  });

  test("is in the JSON with its class and place, and never with its message", async () => {
    const run = await runWithBug("--json");

    expect(run.exitCode).toBe(1);
    const document = JSON.parse(run.stdout);
    expect(document).toMatchObject({ ok: false, exitCode: 1, notChecked: 0, error: null });
    expect(document.checks.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "accepted",
      "failed",
      "rejected",
      "accepted",
    ]);
    expect(document.checks[1].findings).toEqual([
      { id: "bug", certainty: "measured", message: expect.stringMatching(message), fix: expect.any(String) },
    ]);
    for (const text of Object.values(run)) expect(leaks(String(text))).toEqual([]);
  });

  test.each(["test", "plan"])("holds for a single account too (%s)", async (where) => {
    const { url } = await serve((_, response) => json(response, 200, success));
    const own = contextOf(["test", "--wsse", "--json", ...(where === "plan" ? ["--secret-file", "x"] : [])], {
      environment: {
        REFERRAL_BASE_URL: url,
        REFERRAL_USERNAME: planted.username,
        ...(where === "test" && { REFERRAL_SECRET: planted.secret }),
      },
    });
    const context = where === "plan" ? { ...own, readNamedFile: bug } : { ...own, randomBytes: bug };
    expect(await main(context)).toBe(1);
    expectResultDocument(["test", "--json"], own.stdout.text);
    expect(JSON.parse(own.stdout.text)).toMatchObject({
      exitCode: 1,
      checks: [{ outcome: "failed" }],
      error: null,
    });
    expect(leaks(own.stdout.text + own.stderr.text)).toEqual([]);
  });

  test("an output that cannot be written is not a bug of one check: it ends the run", async () => {
    const api = await serve((_, response) => json(response, 401, { code: 401, message: "No" }));
    const own = contextOf(["test", "--diagnose", "--json"], {
      environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token },
    });
    const write = () => Promise.reject(new OutputError("The result could not be written"));
    expect(await main({ ...own, stderr: { ...own.stderr, write } })).toBe(1);
    expect(own.stdout.text).not.toContain('"outcome"');
    expect(api.requests).toHaveLength(1);
  });
});
