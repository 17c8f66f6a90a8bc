import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { wsse } from "./diagnose.ts";

/** The run of a diagnosis whose nth request after the refused one causes SIGINT and gets no response. */
async function interruptedAt(
  nth: number,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  args: readonly string[] = [],
) {
  const controller = new AbortController();
  let count = 0;
  const { url, requests } = await serve((request, response) => {
    count += 1;
    if (count > nth) controller.abort(new Interrupted("SIGINT"));
    else answer(request, response);
  });
  const run = await runInProcess(["test", "--diagnose", ...args], {
    environment: { ...wsse, REFERRAL_BASE_URL: url },
    interrupted: controller.signal,
  });
  expect(run.exitCode).toBe(130);
  expect(requests).toHaveLength(nth + 1);
  return run;
}
const refuse = (request: IncomingMessage, response: ServerResponse): void =>
  json(response, 401, { message: request.headers["x-wsse"] ? "No" : "None" });
const stopped = "diagnosis ended early: the run was interrupted";

test.each([
  ["at the first request", 1, stopped],
  ["later", 3, `${stopped}; so far ruled out: a header lost on the way and the clock`],
])("an interruption %s keeps the refusal and what the diagnosis has found", async (_, nth, message) => {
  const run = await interruptedAt(nth, refuse, ["--json"]);
  expect(JSON.parse(run.stdout)).toMatchObject({
    exitCode: 130,
    notChecked: 0,
    checks: [
      { outcome: "rejected", findings: [{ id: "diagnosis-stopped", certainty: "measured", message }] },
    ],
  });
});

test("so it does where the header may be ignored", async () => {
  const run = await interruptedAt(3, (_, response) => json(response, 401, {}), ["--json"]);
  expect(JSON.parse(run.stdout).checks[0].findings).toMatchObject([
    { id: "diagnosis-stopped", message: `${stopped}; so far refused as well: the clock` },
    { id: "header-ignored" },
  ]);
});

test.each([
  ["during the control", 4, "but this is not proved: the run was interrupted"],
  ["while it is made simpler", 6, "which of these are needed is not known: the run was interrupted"],
])(
  "an interruption %s of an accepted request proves nothing, and keeps what was accepted",
  async (_, nth, why) => {
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      request.headers.authorization ? json(response, 200, success) : refuse(request, response);
    const run = await interruptedAt(nth, answer, ["--json"]);
    expect(JSON.parse(run.stdout).checks[0].findings).toMatchObject([
      { id: "authorization", certainty: "possible", message: expect.stringContaining(why) },
    ]);
  },
);

test("an interruption while the spare token's command runs keeps the refusal", async () => {
  const controller = new AbortController();
  const { url, requests } = await serve((request, response) => {
    refuse(request, response);
    setTimeout(() => controller.abort(new Interrupted("SIGINT")), 100);
  });
  const file = join(folderWith({ ".referralrc": "tokenCommand: [sleep, '20']\n" }), ".referralrc");
  const run = await runInProcess(["test", "--wsse", "--diagnose", "--json", "--config", file], {
    environment: { ...wsse, REFERRAL_BASE_URL: url },
    interrupted: controller.signal,
  });
  expect([run.exitCode, requests.length]).toEqual([130, 1]);
  expect(JSON.parse(run.stdout).checks).toMatchObject([
    { outcome: "rejected", findings: [{ id: "diagnosis-stopped", message: stopped }] },
  ]);
});

test("an interruption of the request after an acceptance keeps it", async () => {
  const run = await interruptedAt(1, (_, response) => json(response, 200, success), ["--json"]);
  expect(JSON.parse(run.stdout)).toMatchObject({ exitCode: 130, checks: [{ outcome: "accepted" }] });
});

test("the text ends with the counts", async () => {
  const { stdout } = await interruptedAt(1, refuse);
  expect(stdout).toMatch(/^REJECTED +wsse: the API refused this credential$/m);
  expect(stdout).toMatch(/\ninterrupted: 0 accepted, 1 rejected, 0 not checked\n$/);
});
