import { expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";
import { plain, rcOf } from "./profiles.ts";

const nobodyListens = "http://127.0.0.1:1";
const fifty = Array.from({ length: 50 }, (_, index) => `p${index}`);

test("the report of fifty accounts and a server that is down fits on one screen, with every name", async () => {
  const homeFolder = folderWith({ ".referralrc": rcOf(nobodyListens, plain(50)) });

  const { exitCode, stdout } = await runInProcess(["test", "--all"], { homeFolder });

  expect(exitCode).toBe(7);
  expect(stdout.split("\n").length).toBeLessThan(24);
  expect(stdout.match(/^UNREACHABLE /gm)).toHaveLength(10);
  // The report has the details once.
  expect(stdout.match(/^ {2}request /gm)).toHaveLength(1);
  const end = stdout.slice(stdout.indexOf("  failed    50 × nothing listens at 127.0.0.1 port 1"));
  for (const name of fifty) expect(end).toMatch(new RegExp(`\\b${name}\\b`));
  expect(stdout).toMatch(/\n0 accepted, 50 unreachable; at http:\/\/127\.0\.0\.1:1\n$/);
});

test("the report has a line for each check, details of equal failures once, and names and counts at its end", async () => {
  const api = await emulate();
  const wrong = { token: "not-the-token" };
  const away = { baseUrl: nobodyListens };
  const profiles = { a: {}, b: wrong, c: away, d: wrong, e: away, f: {}, g: { baseUrl: "ftp://x" } };
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });

  const { stdout } = await runInProcess(["test", "--all"], { homeFolder });

  expect(stdout.match(/^(\w+|NOT-CHECKED) +(?:token of )?\w\b/gm)).toEqual([
    "accepted    token of a",
    "REJECTED    token of b",
    "UNREACHABLE token of c",
    "REJECTED    token of d",
    "UNREACHABLE token of e",
    "accepted    token of f",
    "NOT-CHECKED g",
  ]);
  expect(stdout.match(/^ {2}response /gm)).toHaveLength(1);
  expect(stdout).toContain("  failed    2 × the API refused this credential: b, d\n");
  expect(stdout).toMatch(/ {2}failed {4}2 × nothing listens[^:]*: c, e\n/);
  expect(stdout).toMatch(/\n2 accepted, 2 rejected, 2 unreachable, 1 not-checked; at 2 origins\n$/);
});

test("--failed-only leaves the accepted out, and counts them", async () => {
  const api = await emulate();
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, { ...plain(9), wrong: { token: "no" } }) });

  const { exitCode, stdout } = await runInProcess(["test", "--all", "--failed-only"], { homeFolder });

  expect(exitCode).toBe(4);
  expect(stdout).toMatch(/^REJECTED +token of wrong: /);
  expect(stdout).not.toMatch(/^accepted /m);
  expect(stdout).toMatch(/\n9 accepted, 1 rejected; at http:\S+\n$/);
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
  const api = await serve((request, response) =>
    json(response, 401, { code: 401, message: messages[Number(request.headers["x-auth-token"])] }),
  );
  const profiles = { a: { token: "0" }, b: { token: "1" }, c: { token: "1" } };
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const { stdout } = await runInProcess(["test", "--all"], { homeFolder });
  expect(stdout.match(/^ {2}message {3}/gm)).toHaveLength(count);
  expect(stdout).toContain("  failed    3 × the API refused this credential: a, b, c\n");
});

test("equal failures of both methods are in one group at the end", async () => {
  const api = await emulate();
  const wsse = { username: "me@example.com", secret: "not-the-secret" };
  const profiles = { a: { token: "no" }, b: wsse, c: { token: "no", ...wsse } };
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const { stdout } = await runInProcess(["test", "--all"], { homeFolder });
  expect(stdout).toMatch(
    /\n {2}failed {4}4 × the API refused this credential: a, c, b\n0 accepted, 4 rejected; at http:\S+\n$/,
  );
});

test("under GitHub Actions ten failures are annotated, and one line counts the rest", async () => {
  const homeFolder = folderWith({ ".referralrc": rcOf(nobodyListens, plain(50)) });
  const { stdout } = await runInProcess(["test", "--all"], {
    homeFolder,
    environment: { GITHUB_ACTIONS: "true" },
  });
  const annotations = stdout.split("\n").filter((line) => line.startsWith("::error "));
  expect(annotations).toHaveLength(11);
  expect(annotations.at(-1)).toBe("::error title=referral-auth::40 more checks failed");
  // The last line names the origin, as everywhere.
  expect(stdout).toMatch(/\n0 accepted, 50 unreachable; at http:\/\/127\.0\.0\.1:1\n$/);
});
