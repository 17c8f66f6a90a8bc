import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { OutputError } from "../../src/errors.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { contextOf } from "../support/run.ts";
import { expectResultDocument } from "../support/schema.ts";
import { json, serve, success } from "../support/serve.ts";
import { checksOf } from "./profiles.ts";

const bug = (): never => {
  throw new RangeError(`${planted.secret}\n    at ${planted.token}`);
};
const { token, username, secret } = planted;
const profiles = {
  first: { token },
  second: { username, secret },
  third: { token: "wrong" },
  last: { token },
};

test("a bug in one account's check is the outcome of that account only, has its class and place, never its message, and the run exits 1", async () => {
  const api = await serve((request, response) =>
    request.headers["x-auth-token"] === token
      ? json(response, 200, success)
      : json(response, 401, { code: 401, message: "No" }),
  );
  const folder = folderWith({ ".referralrc": { baseUrl: api.url, profiles } });
  const environment = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  /** Runs the program over the accounts. The second needs random bytes for its nonce, and gets a bug instead. */
  const output = async (...more: readonly string[]): Promise<string> => {
    const args = ["test", "--all", "--diagnose", "--junit", "report.xml", ...more];
    const own = contextOf(args, { homeFolder: folder, workingFolder: folder, environment });
    expect(await main({ ...own, randomBytes: bug })).toBe(1);
    expectResultDocument(args, own.stdout.text);
    expect(leaks(own.stdout.text + own.stderr.text)).toEqual([]);
    return own.stdout.text;
  };

  const text = await output();
  expect(text.match(/^(?:accepted|[A-Z]+) +\w+ of \w+/gm)).toEqual([
    "accepted    token of first",
    "FAILED      wsse of second",
    "REJECTED    token of third",
    "accepted    token of last",
  ]);
  expect(text).toMatch(/^2 accepted, 1 failed, 1 rejected; at http:\S+$/m);
  expect(text).toMatch(/^::error title=referral-auth second wsse::This is a bug in /m);
  const [xml = "", summary = ""] = ["report.xml", "summary.md"].map((name) =>
    readFileSync(join(folder, name), "utf8"),
  );
  expect(xml).toContain('tests="4" failures="1" errors="1"');
  expect(xml).toMatch(/<error type="failed" message="This is a bug in [^"]*RangeError at [^"]+"/);
  expect(summary).toContain("| second | wsse | failed | ");
  expect(leaks(xml + summary)).toEqual([]);

  const document = JSON.parse(await output("--json"));
  expect(document).toMatchObject({ ok: false, exitCode: 1, notChecked: 0, error: null });
  const message = expect.stringMatching(/This is a bug in referral-auth \d+\.\d+\.\d+: RangeError at \S/);
  expect(document.checks[1].findings).toEqual([
    { id: "bug", certainty: "measured", message, fix: expect.any(String) },
  ]);
});

test.each([
  ["in its check", [], { REFERRAL_SECRET: secret }, { randomBytes: bug }],
  ["in its preparation", ["--secret-file", "x"], {}, { readNamedFile: bug }],
])("a bug %s is the outcome of a single account too", async (_, more, environment, broken) => {
  const { url } = await serve((_, response) => json(response, 200, success));
  const args = ["test", "--wsse", "--json", "--base-url", url, "--username", username, ...more];
  const own = contextOf(args, { environment });
  expect(await main({ ...own, ...broken })).toBe(1);
  expectResultDocument(args, own.stdout.text);
  expect(checksOf(own.stdout.text)).toMatchObject([{ outcome: "failed" }]);
  expect(leaks(own.stdout.text + own.stderr.text)).toEqual([]);
});

test("an output that cannot be written is not a bug of one check: it ends the run", async () => {
  const api = await serve((_, response) => json(response, 401, { code: 401, message: "No" }));
  const own = contextOf(["test", "--diagnose", "--json"], {
    environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: token },
  });
  const write = () => Promise.reject(new OutputError("The result could not be written"));
  expect(await main({ ...own, stderr: { ...own.stderr, write } })).toBe(1);
  expect(own.stdout.text).not.toContain('"outcome"');
  expect(api.requests).toHaveLength(1);
});
