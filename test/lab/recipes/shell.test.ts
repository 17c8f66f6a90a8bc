import { expect, test } from "vitest";
import { parse } from "yaml";
import { defaultAlgorithm } from "../../../src/wsse/digest.ts";
import { usernameToken, type WsseInput, wsseHeader } from "../../../src/wsse/header.ts";
import { emulate, hangs, hangsUp, webPage } from "../../support/emulate.ts";
import { recipe, textOf } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { bash, machineWith, npmMachine } from "./machine.ts";

test.each([
  ["accepts", {}, 0, /^accepted\n$/],
  ["refuses", { answer: 401 }, 4, /^refused: check the credential, and for WSSE the clock\n$/],
  ["is overloaded", { answer: 503 }, 5, /^no verdict now: try again later\n$/],
  ["is another server", { answers: [webPage] }, 6, /^no verdict: run it again without --quiet\n$/],
  ["hangs up", { answers: [hangsUp] }, 7, /^no verdict now: try again later\n$/],
  ["is not named", null, 3, /^a setting is missing or wrong/],
] as const)("the shell script tells what follows where the API %s", async (_, options, exitCode, stdout) => {
  const api = await emulate(options ?? {});
  const given = { REFERRAL_TOKEN: planted.token, ...(options && { REFERRAL_BASE_URL: api.url }) };

  const run = await bash(machineWith(), recipe("docs/ci.md", "Shell script", "bash"), given);

  expect(run).toMatchObject({ exitCode, stdout: expect.stringMatching(stdout) });
  if (options) expect(run.stderr).toBe("");
});

test.each([
  ["accepts", {}, 0],
  ["refuses", { answer: 401 }, 1],
  ["is overloaded", { answer: 503 }, 0],
  ["is another server", { answers: [webPage] }, 0],
  ["is not named", null, 0],
] as const)("the step fails only for a refused credential: the API %s", async (_, options, exitCode) => {
  const api = await emulate(options ?? {});
  const given = { REFERRAL_TOKEN: planted.token, ...(options && { REFERRAL_BASE_URL: api.url }) };
  const step = `${recipe("docs/ci.md", "Fail only for a refused credential", "bash")}\necho the next one`;
  const run = await bash(machineWith(), step, given, ["-e"]);
  expect(run.exitCode, run.everything).toBe(exitCode);
  expect(run.stdout.endsWith("the next one\n")).toBe(exitCode === 0);
});

test("the same step fails for a wrong clock with WSSE, and passes where the tool is not installed", async () => {
  const api = await emulate({ clockOffsetSeconds: 400 });
  const account = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };
  const given = { REFERRAL_BASE_URL: api.url, ...account };
  const step = recipe("docs/ci.md", "Fail only for a refused credential", "bash");
  expect(await bash(machineWith(), step, given)).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("behind the server"),
  });
  const missing = await bash(machineWith(), step, { ...given, PATH: "/usr/bin:/bin" }, ["-e"]);
  expect(missing).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("not found") });
});

test.each([
  ["OK", {}, 0],
  ["CRITICAL for a refusal", { answer: 401 }, 2],
  ["WARNING for 5", { answer: 503 }, 1],
  ["WARNING for 7", { answers: [hangsUp] }, 1],
  ["WARNING for 8", { answers: [hangs] }, 1],
  ["UNKNOWN for 6", { answers: [webPage] }, 3],
  ["UNKNOWN for 3", null, 3],
] as const)("the plugin for Nagios and Icinga says what it found and is %s", async (_, options, exitCode) => {
  const api = await emulate(options ?? {});
  const given = { REFERRAL_TOKEN: planted.token, ...(options && { REFERRAL_BASE_URL: api.url }) };
  const plugin = recipe("docs/ci.md", "Nagios and Icinga", "bash");
  const run = await bash(machineWith(), plugin, { ...given, REFERRAL_TIMEOUT: "1" });
  // They show what stands on standard output.
  expect(run).toMatchObject({ exitCode, stdout: expect.stringMatching(/\S/), stderr: "" });
});

test("the package is there, installed as the page says", async () => {
  const { archive, ...machine } = await npmMachine();
  const install = recipe("docs/emulator-in-tests.md", "Install", "bash");
  const use = `${install}\nnode --print 'typeof require("referral-auth/emulator").startEmulator'`;
  const run = await bash(machine, use, { REFERRAL_AUTH_PACKAGE: archive });
  expect(run, run.everything).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^function$/m) });
});

test("the tests that an emulator starts get its variables, and their exit code is its own", async () => {
  const script = 'test -n "$REFERRAL_SECRET" && referral-auth test --quiet && echo both accepted && exit 5';
  const machine = machineWith({ "package.json": JSON.stringify({ scripts: { test: script } }) });
  const run = await bash(machine, recipe("docs/emulator.md", "Start it", "bash"));
  expect(run, run.everything).toMatchObject({
    exitCode: 5,
    stdout: expect.stringMatching(/^both accepted$/m),
  });
});

test("both services start the same emulator, but for the name, and publish its port", () => {
  const compose = parse(recipe("docs/emulator-in-tests.md", "Compose", "yaml")).services["referral-api"];
  const { jobs } = parse(recipe("docs/emulator-in-tests.md", "GitHub Actions", "yaml"));
  const github = jobs.tests.services["referral-api"];
  expect(github.command).toBe(compose.command.replace(" --allow-host referral-api", ""));
  expect(github.ports).toEqual(["8080:8080"]);
  expect(github.options).toContain(`"${compose.healthcheck.test.slice(1).join(" ")}"`);
  for (const { image } of [compose, github]) expect(textOf("docs/ci.md")).toContain(image);
});

test("docs/emulator.md shows what the log says of a header that is pasted, stale and signed in another way", async () => {
  const api = await emulate();
  const nonce = Buffer.from("0123456789abcdef0123");
  const send = (changes: Partial<WsseInput>): Promise<Response> => {
    const token = usernameToken({ ...planted, ...defaultAlgorithm, nonce, now: Date.now(), ...changes });
    return fetch(`${api.url}/test-authentication`, { headers: { "X-WSSE": wsseHeader(token) } });
  };

  expect((await send({})).status).toBe(200);
  const later = { digest: "hex-digest", hash: "sha256", now: Date.now() - 400_000 } as const;
  expect((await send(later)).status).toBe(401);

  const shown = recipe("docs/emulator.md", "What the log says", "text").trim();
  expect(api.log.at(-1)?.replace(/^\S+/, "2026-11-21T03:31:00Z")).toBe(shown);
});
