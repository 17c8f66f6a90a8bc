import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { wsse } from "./diagnose.ts";

/** Runs `test --wsse` against a server that answers with these statuses in turn, then with success. */
async function run(
  statuses: readonly number[],
  retries: number,
  headers: Record<string, string> = {},
  more: readonly string[] = ["--json"],
) {
  const api = await serve((_, response) => {
    const status = statuses[api.requests.length - 1];
    if (status === undefined) json(response, 200, success);
    else json(response, status, {}, headers);
  });
  const { REFERRAL_USERNAME: username, REFERRAL_SECRET: secret } = wsse;
  const homeFolder = folderWith({ ".referralrc": { profiles: { mine: { username, secret } } } });
  const waits: number[] = [];
  const args = ["test", "--profile", "mine", "--base-url", api.url, "--retry", String(retries), ...more];
  return { ...(await runInProcess(args, { homeFolder, waits })), waits, requests: api.requests };
}
const attemptsIn = (stdout: string): number => JSON.parse(stdout).checks[0].request.attempts;

// test/check/retry.test.ts has the rule.
describe("--retry", () => {
  test("repeats a check after a temporary failure, each time with a new nonce, and says so", async () => {
    const { exitCode, stdout, stderr, waits, requests } = await run([503, 500], 3);
    expect([exitCode, attemptsIn(stdout), waits.length]).toEqual([0, 3, 2]);
    const nonces = requests.map(({ headers }) => /Nonce="([^"]*)"/.exec(String(headers["x-wsse"]))?.[1]);
    expect(new Set(nonces).size).toBe(3);
    const said = /^wsse of mine: attempt (\d) ended as unavailable; trying again in \d(?:\.\d)? s$/gm;
    expect([...stderr.matchAll(said)].map(([, attempt]) => attempt)).toEqual(["1", "2"]);
  });

  test("says when the last attempt began", async () => {
    const api = await serve((_, response) =>
      api.requests.length === 1
        ? json(response, 503, {}, { "retry-after": "7", "x-request-id": "first" })
        : json(response, 401, {}, { "x-request-id": "second" }),
    );
    let passed = 0;
    const { stdout } = await runInProcess(
      ["test", "--token", "abcdef", "--base-url", api.url, "--retry", "1", "--json"],
      {
        now: () => Date.parse("2026-11-22T17:30:05.345Z") + passed,
        waits: { push: (milliseconds) => (passed += milliseconds) },
      },
    );
    const [check] = JSON.parse(stdout).checks;
    expect(check.checkedAt).toBe("2026-11-22T17:30:12.345Z");
    expect(check.response.requestId).toBe("second");
  });

  test("prints nothing between attempts with --quiet", async () => {
    const { exitCode, everything, requests } = await run([503], 1, {}, ["--quiet"]);
    expect([exitCode, everything, requests.length]).toEqual([0, "", 2]);
  });

  test("waits as long as Retry-After asks, up to --max-wait", async () => {
    const patient = await run([429], 1, { "retry-after": "7" });
    expect([patient.exitCode, attemptsIn(patient.stdout), patient.waits]).toEqual([0, 2, [7_000]]);
    const endless = await run([503], 1, { "retry-after": "61" });
    expect([endless.exitCode, attemptsIn(endless.stdout), endless.waits]).toEqual([5, 1, []]);
    expect(JSON.parse(endless.stdout).checks[0].findings).toContainEqual(
      expect.objectContaining({
        id: "not-retried",
        message: "not retried: Retry-After is 61 s, the longest pause 60 s",
      }),
    );
    // The cause and the finding give one piece of advice.
    const fixes = JSON.parse(endless.stdout).checks[0].findings.map(({ fix }: { fix: string }) => fix);
    expect(new Set(fixes)).toEqual(
      new Set(["Try again in 61 s, or raise --max-wait (now set by the default)"]),
    );
  });
});
