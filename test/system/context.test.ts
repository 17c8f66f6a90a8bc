import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Context, processContext } from "../../src/system/context.ts";

const { HOME, PATH } = process.env;
const { title, argv } = process;

/** The context of this very process, made after the environment was changed so. */
function contextWith(environment: Readonly<Record<string, string>> = {}): Context {
  Object.assign(process.env, environment);
  return processContext();
}

beforeEach(() => {
  process.argv = [...argv.slice(0, 2), "test", "--token", "planted"];
});
afterEach(() => {
  process.title = title;
  process.argv = argv;
  Object.assign(process.env, { HOME });
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
});

test("has the arguments after the program's name, and blanks them in the title", () => {
  expect(contextWith().args).toEqual(["test", "--token", "planted"]);
  expect(process.title).toBe("referral-auth");
});

test("has the environment as it was, and takes from Node the variable that would switch verification off", () => {
  const { environment } = contextWith({ NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  expect(environment).toMatchObject({ PATH, NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  expect(process.env).not.toHaveProperty("NODE_TLS_REJECT_UNAUTHORIZED");
});

test.each([
  ["/home/me", "/home/me"],
  ["relative", null],
  ["", null],
])("with HOME=%s has the home %s", (home, expected) => {
  expect(contextWith({ HOME: home }).homeFolder).toBe(expected);
});

test("knows this folder, this user, and that its output is no terminal; and writes to the streams of the process", async () => {
  const { workingFolder, userId, stdout } = contextWith();
  expect([workingFolder, userId]).toEqual([process.cwd(), process.getuid?.() ?? null]);
  expect(stdout).toMatchObject({ isTerminal: process.stdout.isTTY === true });
  await expect(stdout.write("")).resolves.toBeUndefined();
});

test.each([
  [
    "that is gone",
    () => {
      throw new Error("ENOENT");
    },
  ],
  ["whose path is not UTF-8", () => "/home/me/caf\ufffd"],
])("has no working folder for one %s", (_, cwd) => {
  const spy = vi.spyOn(process, "cwd").mockImplementation(cwd);
  onTestFinished(() => spy.mockRestore());
  expect(contextWith().workingFolder).toBeNull();
});

test("waits as long as it is told", async () => {
  const began = performance.now();
  await contextWith().wait(30);
  expect(performance.now() - began).toBeGreaterThan(25);
});

test.each(["SIGHUP", "SIGINT", "SIGTERM"] as const)("stops waiting when %s arrives", async (signal) => {
  const { wait, interrupted } = contextWith();
  const waiting = wait(60_000);
  process.emit(signal);
  await expect(waiting).rejects.toMatchObject({ name: "Interrupted", signal });
  expect(interrupted.aborted).toBe(true);
  await expect(wait(60_000)).rejects.toBe(interrupted.reason);
});
