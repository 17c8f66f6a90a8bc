import { chmodSync, chownSync, closeSync, constants, openSync, readSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isForeignPipe } from "../../src/system/file-writing.ts";
import { startRun, until } from "../emulator/support.ts";
import { folderWith, namedPipe } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const [us, other] = [1000, 3000];

test.each([
  ["our own, which only we can write", us, 0o644, false],
  ["our own, which our group can write", us, 0o620, true],
  ["our own, which all can write", us, 0o602, true],
  ["another user's", other, 0o600, true],
  ["root's", 0, 0o600, true],
])("a pipe is foreign unless it is the user's and only the user can write to it: %s", (_, uid, mode, is) => {
  const pipe = { uid, mode, isFIFO: () => true };
  expect(isForeignPipe(pipe, us)).toBe(is);
  expect(isForeignPipe({ ...pipe, isFIFO: () => false }, us)).toBe(false);
  expect(isForeignPipe(pipe, undefined)).toBe(false);
});

/** A pipe of this owner and mode in a folder like /tmp, a link to it, and what its reader got. */
function plantedPipe(owner: number, mode: number) {
  const pipe = namedPipe();
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  chownSync(pipe, owner, owner);
  chmodSync(pipe, mode);
  chmodSync(dirname(pipe), 0o1777);
  const link = join(folderWith(), "link");
  symlinkSync(pipe, link);
  const got = (): string => {
    const bytes = Buffer.alloc(64 * 1024);
    return bytes.toString("utf8", 0, readSync(reader, bytes));
  };
  return { pipe, link, got };
}

async function writeReport(args: readonly string[], environment = {}) {
  const api = await serve((_, response) => json(response, 200, success));
  const all = ["test", "--token", "a-token", "--base-url", api.url, ...args];
  const { exitCode, stderr } = await runInProcess(all, { environment });
  return { exitCode, stderr: stderr.replace(/\s+/g, " ") };
}

const writers = {
  "--junit": (path: string) => writeReport(["--junit", path]),
  "--metrics": (path: string) => writeReport(["--metrics", path]),
  GITHUB_STEP_SUMMARY: (path: string) =>
    writeReport([], { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: path }),
  async "--ready-file"(path: string) {
    const run = startRun(["--ready-file", path]);
    let hasEnded = false;
    run.ended.catch(() => {
      hasEnded = true;
    });
    // It prints how to reach it when the file is written.
    await until(() => hasEnded || run.stdout() !== "");
    run.interrupt("SIGTERM");
    const error: Error = await run.ended.catch((reason) => reason);
    return { exitCode: error.name === "Interrupted" ? 0 : 1, stderr: error.message };
  },
};

// Only root can make files of other users. The rule above is for everybody.
describe.runIf(process.getuid?.() === 0).each(Object.entries(writers))("the file of %s", (name, writer) => {
  // For a job summary, a warning is enough.
  const exitCode = name === "GITHUB_STEP_SUMMARY" ? 0 : 1;
  const refused = `${name} names a pipe that belongs to another user or that others can write to; nothing was written to it`;

  test.each([
    ["of another user", other, 0o644],
    ["of our own that our group can write", 0, 0o664],
    ["of our own that all can write", 0, 0o622],
  ])("is no pipe %s, nor a link to one", async (_, owner, mode) => {
    const { pipe, link, got } = plantedPipe(owner, mode);
    for (const path of [pipe, link])
      expect(await writer(path)).toEqual({ exitCode, stderr: expect.stringContaining(refused) });
    expect(got()).toBe("");
  });

  test("is a pipe of our own that only we can write, and a link to one", async () => {
    const { pipe, link, got } = plantedPipe(0, 0o644);
    for (const path of [pipe, link]) {
      expect(await writer(path)).toMatchObject({ exitCode: 0 });
      expect(got()).not.toBe("");
    }
  });

  test("is a device, and a descriptor that the shell has opened, whatever it leads to", async () => {
    const { pipe, got } = plantedPipe(other, 0o600);
    const descriptor = openSync(pipe, constants.O_WRONLY);
    onTestFinished(() => closeSync(descriptor));
    for (const path of ["/dev/null", `/dev/fd/${descriptor}`])
      expect(await writer(path)).toMatchObject({ exitCode: 0 });
    expect(got()).not.toBe("");
  });

  test("is no pipe without a reader, and it is not waited for", async () => {
    const stderr = expect.stringMatching(/ENXIO|is not a regular file/);
    expect(await writer(namedPipe())).toEqual({ exitCode, stderr });
  });
});
