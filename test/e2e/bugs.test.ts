import { expect, test } from "vitest";
import { OutputError } from "../../src/errors.ts";
import { planted } from "../support/planted.ts";
import { accept, place, refuse } from "./profiles.ts";

const { token, username, secret } = planted;
const bug = (): never => {
  throw new RangeError(`${secret}\n    at ${token}`);
};

test("a bug in one account's check is the outcome of that account only, has its class and place, never its message, and the run exits 1", async () => {
  const profiles = { first: {}, second: { username, secret }, third: { token: "wrong" }, last: {} };
  const { run, job } = await place({
    profiles,
    answer: (request, response) =>
      (request.headers["x-auth-token"] === token ? accept : refuse)(request, response),
  });
  // The second needs random bytes for its nonce, and gets a bug instead.
  const given = { environment: job, broken: () => ({ randomBytes: bug }) };
  const args = ["--all", "--diagnose", "--junit", "report.xml"];

  const { exitCode, stdout, file } = await run(args, given);
  expect(exitCode).toBe(1);
  expect(stdout.match(/^(?:accepted|[A-Z]+) +\w+ \(\w+\)/gm)).toEqual([
    "accepted    first (token)",
    "FAILED      second (wsse)",
    "REJECTED    third (token)",
    "accepted    last (token)",
  ]);
  expect(stdout).toMatch(/^2 accepted, 1 failed, 1 rejected; at http:\S+$/m);
  expect(stdout).toMatch(/^::error title=referral-auth second wsse::This is a bug in /m);
  expect(file("report.xml")).toContain('tests="4" failures="1" errors="1"');
  expect(file("report.xml")).toMatch(
    /<error type="failed" message="This is a bug in [^"]*RangeError at [^"]+"/,
  );
  expect(file("summary.md")).toContain("| second | wsse | failed | ");

  const { document, checks } = await run([...args, "--json"], given);
  expect(document).toMatchObject({ ok: false, exitCode: 1, notChecked: 0, error: null });
  const message = expect.stringMatching(/This is a bug in referral-auth \d+\.\d+\.\d+\S*: RangeError at \S/);
  expect(checks[1]?.findings).toEqual([
    { id: "bug", certainty: "measured", message, fix: expect.any(String) },
  ]);
});

test("a bug in the preparation of a single account is its outcome too", async () => {
  const { run } = await place();
  const args = ["--wsse", "--json", "--username", username, "--secret-file", "x"];
  const { exitCode, checks } = await run(args, { broken: () => ({ readNamedFile: bug }) });
  expect(exitCode).toBe(1);
  expect(checks).toMatchObject([{ outcome: "failed" }]);
});

test("an output that cannot be written is not a bug of one check: it ends the run", async () => {
  const { api, run } = await place({ answer: refuse });
  const write = () => Promise.reject(new OutputError("The result could not be written"));
  const broken = () => ({ stderr: { isTerminal: false, write } });
  const { exitCode, stdout } = await run(["--diagnose", "--json"], { broken });
  expect(exitCode).toBe(1);
  expect(stdout).not.toContain('"outcome"');
  expect(api.requests).toHaveLength(1);
});
