import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { folderWith, namedPipe } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { childHome, childNode, emptyFolder, launcher } from "../support/run.ts";
import { serve } from "../support/serve.ts";

interface Ended {
  readonly exitCode: number | null;
  /** The signal that ended it without a code. */
  readonly signalled: string | null;
  readonly output: string;
}

function start(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(childNode, [launcher, ...args], {
    cwd: emptyFolder,
    env: { ...childHome, ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  }
  const ended = new Promise<Ended>((resolve) =>
    child.once("close", (exitCode, signalled) => resolve({ exitCode, signalled, output })),
  );
  return { child, ended };
}

const signals = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

describe.each(signals)("%s", (signal, exitCode) => {
  const environment = { REFERRAL_TOKEN: planted.token };
  const nothingChecked = "interrupted: 0 accepted, 1 not checked\n";

  /** Runs `test` with these arguments against a server that sends the signal once it has a request, and answers in part. */
  async function interrupted(
    args: readonly string[],
    answer: (response: ServerResponse, kill: () => void) => void,
  ) {
    let running: ReturnType<typeof start> | undefined;
    const api = await serve((_request, response) => answer(response, () => void running?.child.kill(signal)));
    running = start(["test", ...args], { ...environment, REFERRAL_BASE_URL: api.url });
    const ended = await running.ended;
    expect(ended).toMatchObject({ exitCode, signalled: null });
    expect(api.requests).toHaveLength(1);
    return ended.output;
  }

  test(`ends a request under way with ${exitCode}, and says what was not checked`, async () => {
    expect(await interrupted([], (_, kill) => kill())).toBe(nothingChecked);
    const document = JSON.parse(await interrupted(["--json"], (_, kill) => kill()));
    expect(document).toMatchObject({ ok: false, exitCode, checks: [], notChecked: 1, error: null });
  });

  test(`ends an answer under way with ${exitCode}`, async () => {
    const output = await interrupted([], (response, kill) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{", kill);
    });
    expect(output).toBe(nothingChecked);
  });

  test(`ends the pause before another attempt with ${exitCode}`, async () => {
    const api = await serve((_request, response) => response.writeHead(503, { "retry-after": "60" }).end());
    const args = ["test", "--retry", "3", "--timeout", "600"];
    const { child, ended } = start(args, { ...environment, REFERRAL_BASE_URL: api.url });
    // The pause is announced when it begins.
    child.stderr?.once("data", () => child.kill(signal));
    const { exitCode: code, output } = await ended;
    expect(code, output).toBe(exitCode);
    expect(output).not.toMatch(/\n\s+at /);
    expect(api.requests).toHaveLength(1);
  });

  test(`ends waiting for standard input with ${exitCode}`, async () => {
    // The warning about --secret is written before anything is read.
    const args = ["test", "--username", "a@example.com", "--secret", planted.secret, "--token-file", "-"];
    const { child, ended } = start(args, { REFERRAL_BASE_URL: "http://127.0.0.1:1" });
    child.stderr?.once("data", () => child.kill(signal));
    const { exitCode: code, output } = await ended;
    expect(code, output).toBe(exitCode);
    expect(output).toMatch(/^Warning: [^\n]*\ninterrupted: 0 accepted, 1 not checked\n$/);
  });
});

test("SIGINT ends waiting for a pipe that a user named", async () => {
  const pipe = namedPipe();
  const { child, ended } = start(["header", "--token-file", pipe], {});
  // A writer that opens the pipe gets through only when the program has opened it as well.
  const writer = spawn("/bin/sh", ["-c", `exec 3> "${pipe}"; echo open; sleep 20`]);
  onTestFinished(() => void writer.kill("SIGKILL"));
  writer.stdout.once("data", () => child.kill("SIGINT"));
  const { exitCode, signalled, output } = await ended;
  expect([exitCode, signalled, output]).toEqual(signalled === null ? [130, null, ""] : [null, "SIGINT", ""]);
});

test("SIGINT ends waiting for the reader of a report, and the JSON document says so", async () => {
  // A report of so many accounts is more than a pipe holds.
  const accounts = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`account-${index}`, {}]));
  const config = join(folderWith({ "rc.json": { profiles: accounts } }), "rc.json");
  const pipe = namedPipe();
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  const environment = { REFERRAL_BASE_URL: "http://127.0.0.1:1", REFERRAL_TOKEN: planted.token };
  const { child, ended } = start(
    ["test", "--all", "--config", config, "--json", "--junit", pipe],
    environment,
  );

  // Without a writer it reads nothing, and with one that has written nothing it fails.
  await vi.waitFor(() => expect(readSync(reader, Buffer.alloc(1))).toBe(1), { timeout: 50_000 });
  child.kill("SIGINT");

  const { exitCode, output } = await ended;
  expect(exitCode, output).toBe(130);
  expect(JSON.parse(output)).toMatchObject({ ok: false, exitCode: 130, notChecked: 0, error: null });
  expect(JSON.parse(output).checks).toHaveLength(600);
});
