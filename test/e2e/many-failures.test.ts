import { expect, test } from "vitest";
import { meanings } from "../../src/check/outcome.ts";
import { emulate } from "../support/emulate.ts";
import { runInProcess } from "../support/run.ts";
import { json } from "../support/serve.ts";
import { place, plain } from "./profiles.ts";

const nobodyListens = "http://127.0.0.1:1";

test("the report of fifty accounts and a server that is down fits on one screen, with every name; of its annotations ten, and one that counts the rest", async () => {
  const { run } = await place({ url: nobodyListens, profiles: plain(50) });
  const lines = (await run(["--all"], { environment: { GITHUB_ACTIONS: "true" } })).stdout.split("\n");

  const annotations = lines.filter((line) => line.startsWith("::error "));
  expect(annotations).toHaveLength(11);
  expect(annotations.at(-1)).toBe("::error title=referral-auth::40 more checks failed");
  const report = lines.filter((line) => !line.startsWith("::")).join("\n");
  expect(report.split("\n").length).toBeLessThan(24);
  expect(report.match(/^UNREACHABLE /gm)).toHaveLength(10);
  // The report has the details once.
  expect(report.match(/^ {2}request /gm)).toHaveLength(1);
  const end = report.slice(report.indexOf("  failed    50 × 127.0.0.1 port 1 refused the connection"));
  for (const name of Object.keys(plain(50))) expect(end).toMatch(new RegExp(`\\b${name}\\b`));
  expect(report).toMatch(/\n0 accepted, 50 unreachable; at http:\/\/127\.0\.0\.1:1\n$/);
});

test("the report has a line for each check, details of equal failures once, and names and counts at its end", async () => {
  const { url } = await emulate();
  const [wrong, away] = [{ token: "not-the-token" }, { baseUrl: nobodyListens }];
  const profiles = { a: {}, b: wrong, c: away, d: wrong, e: away, f: {}, g: { baseUrl: "ftp://x" } };

  const { stdout: report } = await (await place({ url, profiles })).run(["--all"]);

  expect(report.match(/^(\w+|NOT-CHECKED) +(?:token of )?\w\b/gm)).toEqual([
    "accepted    token of a",
    "REJECTED    token of b",
    "UNREACHABLE token of c",
    "REJECTED    token of d",
    "UNREACHABLE token of e",
    "accepted    token of f",
    "NOT-CHECKED g",
  ]);
  expect(report.match(/^ {2}response /gm)).toHaveLength(1);
  expect(report).toContain(`  failed    2 × ${meanings.rejected}: b, d\n`);
  expect(report).toMatch(/ {2}failed {4}2 × 127\.0\.0\.1 port 1 refused[^:]*: c, e\n/);
  expect(report).toMatch(/\n2 accepted, 2 rejected, 2 unreachable, 1 not-checked; at 2 origins\n$/);
});

test("--failed-only leaves the accepted out and counts them; failures of both methods are one group at the end", async () => {
  const { url } = await emulate();
  const wsse = { username: "me@example.com", secret: "not-the-secret" };
  const profiles = { ...plain(9), a: { token: "no" }, b: wsse, c: { token: "no", ...wsse } };

  const { stdout: report } = await (await place({ url, profiles })).run(["--all", "--failed-only"]);

  expect(report).toMatch(/^REJECTED +token of a: /);
  expect(report).not.toMatch(/^accepted /m);
  expect(report).toContain(`\n  failed    4 × ${meanings.rejected}: a, b, c\n`);
  expect(report).toMatch(/\n9 accepted, 4 rejected; at http:\S+\n$/);
});

test("invalid lines of a stream are equal failures, named by their line numbers", async () => {
  const stdin = Array.from({ length: 30 }, () => "{").join("\n");
  const { exitCode, stdout } = await runInProcess(["test", "--accounts", "-"], { stdin });
  expect(exitCode).toBe(3);
  expect(stdout.split("\n").length).toBeLessThan(24);
  expect(stdout).toContain("30 × line … of --accounts is not a JSON object: line 1, line 2,");
});

test.each([
  ["what the server says", ["No such token", "The account is locked"], 2],
  ["a number, an address or a quoted word in it", ["No 12 'a' x@a.bc", "No 34 'b' y@a.bc"], 1],
])("failures that differ in %s are shown apart: %j in %i", async (_, messages, count) => {
  const { run } = await place({
    profiles: { a: { token: "0" }, b: { token: "1" }, c: { token: "1" } },
    answer: (request, response) =>
      json(response, 401, { code: 401, message: messages[Number(request.headers["x-auth-token"])] }),
  });
  const { stdout: report } = await run(["--all"]);
  expect(report.match(/^ {2}message {3}/gm)).toHaveLength(count);
  expect(report).toContain(`  failed    3 × ${meanings.rejected}: a, b, c\n`);
});
