import { expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { leaks, planted } from "../support/planted.ts";
import { accountNames, rcWith } from "./accounts.ts";
import { bash, machineWith } from "./machine.ts";
import { headingsOf, recipe } from "./pages.ts";

const page = "docs/ci.md";

const nobodyListens = "http://127.0.0.1:1";

test("each recipe is one that is tried", () => {
  expect(headingsOf(page)).toEqual([
    "Shell script",
    "GitHub Actions",
    "GitLab CI",
    "Container image",
    "Kubernetes",
    "GNU parallel",
    "curl",
  ]);
});

test.each([
  ["accepts", undefined, 0, "accepted"],
  ["refuses", 401, 4, "refused: replace the credential"],
  ["is overloaded", 503, 5, "no verdict now: try again later"],
  ["is another server", "html", 6, "no verdict: run it again without --quiet"],
  ["hangs up", "reset", 7, "no verdict now: try again later"],
] as const)("the shell script tells what follows where the API %s", async (_, answer, exitCode, stdout) => {
  const api = await emulate(answer === undefined ? {} : { answer });
  const given = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token };

  const run = await bash(machineWith(), recipe(page, "Shell script", "bash"), given);

  expect(run).toMatchObject({ exitCode, stdout: `${stdout}\n`, stderr: "" });
});

test("the shell script points at the settings where they are incomplete", async () => {
  const run = await bash(machineWith(), recipe(page, "Shell script", "bash"), {
    REFERRAL_TOKEN: planted.token,
  });

  expect(run.exitCode).toBe(3);
  expect(run.stdout).toMatch(/^a setting is missing or wrong/);
});

test("GNU parallel checks every account once", async () => {
  const api = await emulate();
  const machine = machineWith({ ".referralrc": rcWith(api.url) });

  const run = await bash(machine, recipe(page, "GNU parallel", "bash"));

  expect(run.exitCode).toBe(0);
  for (const name of accountNames) expect(run.stdout.split(name)).toHaveLength(2);
  expect(api.log).toHaveLength(accountNames.length);
});

test.each([
  ["refused", { token: "not-the-token" }, 4],
  ["out of reach", { token: planted.token, baseUrl: nobodyListens }, 7],
])(
  "GNU parallel ends as the shard did whose account is %s, and the others are still checked",
  async (_, account, exitCode) => {
    const api = await emulate();
    const machine = machineWith({ ".referralrc": rcWith(api.url, { fourth: account }) });

    const run = await bash(machine, recipe(page, "GNU parallel", "bash"));

    expect(run.exitCode).toBe(exitCode);
    for (const name of accountNames) expect(run.stdout).toContain(name);
    expect(leaks(run.everything)).toEqual([]);
  },
);

test("curl is accepted with the header that it is handed", async () => {
  const api = await emulate();
  const given = {
    REFERRAL_BASE_URL: api.url,
    REFERRAL_USERNAME: planted.username,
    REFERRAL_SECRET: planted.secret,
  };

  const run = await bash(machineWith(), recipe(page, "curl", "bash"), given);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(run.stdout)).toMatchObject({ code: 200 });

  const refused = await bash(machineWith(), recipe(page, "curl", "bash"), {
    ...given,
    REFERRAL_SECRET: "wrong",
  });
  expect(refused.exitCode).toBe(22);
  expect(JSON.parse(refused.stdout)).toMatchObject({ code: 401 });
});
