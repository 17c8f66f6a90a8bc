import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { planted } from "../support/planted.ts";
import { childNode, emptyFolder, launcher } from "../support/run.ts";
import { serve } from "../support/serve.ts";
import { folderWith } from "./places.ts";

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

function start(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(childNode, [launcher, ...args], {
    cwd: emptyFolder,
    env: { HOME: emptyFolder, ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  }
  const ended = new Promise<Ended>((resolve) => child.once("close", (exitCode) => resolve({ exitCode, output })));
  return { child, ended };
}

const signals = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

describe.each(signals)("%s", (signal, exitCode) => {
  const environment = { REFERRAL_TOKEN: planted.token };

  test(`ends a request under way with ${exitCode}, and nothing is said`, async () => {
    let running: ReturnType<typeof start> | undefined;
    const api = await serve(() => void running?.child.kill(signal));
    running = start(["test", "--json"], { ...environment, REFERRAL_BASE_URL: api.url });
    expect(await running.ended).toEqual({ exitCode, output: "" });
    expect(api.requests).toHaveLength(1);
  });

  test(`ends an answer under way with ${exitCode}`, async () => {
    let running: ReturnType<typeof start> | undefined;
    const api = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{", () => running?.child.kill(signal));
    });
    running = start(["test"], { ...environment, REFERRAL_BASE_URL: api.url });
    expect(await running.ended).toEqual({ exitCode, output: "" });
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
    const { child, ended } = start(["header", "--token", "lost", "--token-file", "-", "--json"].slice(0, 1).concat("--token-file", "-"), {});
    // Nothing tells from outside that it waits: once it has taken what was written, it does.
    child.stdin?.write("part of a token", () => child.kill(signal));
    const { exitCode: code, output } = await ended;
    expect(output).not.toMatch(/\n\s+at /);
    expect([exitCode, null]).toContain(code);
  });
});

test("SIGINT ends waiting for a pipe that a user named", async () => {
  const pipe = join(folderWith(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const { child, ended } = start(["header", "--token-file", pipe], {});
  // A writer that opens the pipe gets through only when the program has opened it as well.
  const writer = spawn("/bin/sh", ["-c", `exec 3> "${pipe}"; echo open; sleep 20`]);
  onTestFinished(() => void writer.kill("SIGKILL"));
  writer.stdout.once("data", () => child.kill("SIGINT"));
  expect(await ended).toEqual({ exitCode: 130, output: "" });
}, 10_000);
