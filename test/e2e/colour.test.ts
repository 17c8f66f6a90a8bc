import { describe, expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runAsChild, runInProcess, ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const given = async (environment: Readonly<Record<string, string>> = {}) => {
  const api = await serve((_request, response) => json(response, 200, success));
  return {
    environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token, ...environment },
  };
};

const painted = "\u001b[32m\u001b[1maccepted\u001b[22m\u001b[39m    token: ";
const plain = "accepted    token: ";

describe.each(ways)("colour, %s,", (_, run) => {
  test.each([
    ["nothing", {}, plain],
    ["FORCE_COLOR=1", { FORCE_COLOR: "1" }, painted],
    ["FORCE_COLOR=0", { FORCE_COLOR: "0" }, plain],
    ["FORCE_COLOR=1 and NO_COLOR=1", { FORCE_COLOR: "1", NO_COLOR: "1" }, plain],
  ] as const)("with %s and no terminal", async (_name, environment, expected) => {
    const { exitCode, stdout } = await run(["test"], await given(environment));
    expect(exitCode).toBe(0);
    expect(stdout.startsWith(expected)).toBe(true);
  });
});

test("--no-color wins over FORCE_COLOR", async () => {
  const { stdout } = await runAsChild(["test", "--no-color"], await given({ FORCE_COLOR: "1" }));
  expect(stdout.startsWith(plain)).toBe(true);
});

test("a terminal gets colour, but not if TERM is dumb", async () => {
  const run = async (environment: Readonly<Record<string, string>>) =>
    (await runInProcess(["test"], { ...(await given(environment)), terminal: true })).stdout;
  expect(await run({ TERM: "xterm" })).toContain(painted);
  expect(await run({ TERM: "dumb" })).toContain(plain);
});
