import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { formatNames } from "../../src/report/file-formats.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { childHome, childNode, contextOf, emptyFolder, launcher, runAsChild } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { inShell } from "./shell.ts";

const environment = { ...childHome, REFERRAL_TOKEN: planted.token };

// A sentence and what to do, wrapped at will; no stack trace.
const onlyTheError = /^Error: The result could not be written\n {2}try(?![\s\S]*\n\s+at )/;

interface Ended {
  readonly exitCode: number | null;
  readonly stderr: string;
}

/** Collects what a child writes to standard error until it ends. */
function ended(child: ChildProcess): Promise<Ended> {
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once("close", (exitCode) => resolve({ exitCode, stderr })));
}

/** Runs the program with its standard output at `/dev/full`, on which every write fails. */
const intoFullDisk = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  ended(
    spawn(childNode, [launcher, ...args], {
      cwd: emptyFolder,
      env: { ...environment, ...more },
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
    }),
  );

describe("on a full disk", () => {
  test.each<readonly [string, number, readonly string[]]>([
    ["an accepted credential", 200, ["test"]],
    ["an accepted credential as JSON", 200, ["test", "--json"]],
    ["a refused credential", 401, ["test"]],
    ["a broken server", 500, ["test", "--json"]],
  ])("%s exits 1: a verdict that nobody got is none", async (_, status, args) => {
    const api = await serve((_request, response) => json(response, status, { ...success, code: status }));
    const result = await intoFullDisk(args, { REFERRAL_BASE_URL: api.url });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toMatch(onlyTheError);
    expect(api.requests).toHaveLength(1);
  });

  test.each(["header --token", "config --json", "test --help", "--version", "test --json --nothing"])(
    "%s exits 1",
    async (args) => {
      const result = await intoFullDisk(args.split(" "));
      expect(result.exitCode).toBe(1);
      expect(result.stderr).toMatch(/could not be written|no such option/);
      expect(leaks(result.stderr)).toEqual([]);
    },
  );
});

describe.each(formatNames)("the file of --%s", (format) => {
  // A refused write is handed in: to name /dev/full would, with the rights of root, put a file in its place.
  test("on a full disk exits 1, and the error names it", async () => {
    const api = await serve((_request, response) => json(response, 200, success));
    const context = contextOf(["test", "--token-file", "-", `--${format}`, "report"], {
      stdin: planted.token,
      environment: { REFERRAL_BASE_URL: api.url },
    });
    const writeFile = () => Promise.reject(new FileProblem("ENOSPC"));
    expect(await main({ ...context, writeFile })).toBe(1);
    expect(context.stderr.text).toContain(`--${format} names a file that could not be written (ENOSPC)`);
    expect(api.requests).toHaveLength(1);
  });

  test("in a folder that does not exist exits 1, and the error names it", async () => {
    const api = await serve((_request, response) => json(response, 200, success));
    const run = await runAsChild(["test", "--json", `--${format}`, join(folderWith(), "missing", "report")], {
      environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token },
    });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(`--${format} names a file that could not be written (ENOENT)`);
    expect(leaks(run.everything)).toEqual([]);
  });
});

/** Runs the program in a shell as the first part of a pipe; gives its own exit code, and what the reader put into `read`. */
async function intoPipe(args: string, reader: string, url: string) {
  const place = folderWith({ read: "" });
  const script = `{ $RUN ${args}; echo $? > code; } 2> err | ${reader}`;
  await inShell(script, { ...environment, REFERRAL_BASE_URL: url }, place);
  const [code = "", stderr, read] = ["code", "err", "read"].map((name) =>
    readFileSync(join(place, name), "utf8"),
  );
  return { exitCode: Number(code), stderr, read };
}

describe("into a pipe", () => {
  // Written as JSON each of these takes six bytes: more than a pipe holds.
  const long = { ...success, message: "é".repeat(300_000) };

  test("if a reader closes the pipe after one byte, a long document exits 1 without a stack trace", async () => {
    const api = await serve((_request, response) => json(response, 200, long));
    const result = await intoPipe("test --json", "head -c 1", api.url);
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toMatch(onlyTheError);
  });

  test("a slow reader gets all of it", async () => {
    const api = await serve((_request, response) => json(response, 200, long));
    const result = await intoPipe("test --json", "{ sleep 0.5; cat > read; }", api.url);
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(result.read ?? "").checks[0].response.message).toBe(long.message);
  });

  test.each([[[]], [["--json"]]])(
    "a reader that is gone before the verdict makes %j exit 1",
    async (more) => {
      let gone: () => Promise<void> = async () => {};
      const api = await serve((_request, response) => {
        gone().then(() => json(response, 200, success));
      });
      const child = spawn(childNode, [launcher, "test", ...more], {
        cwd: emptyFolder,
        env: { ...environment, REFERRAL_BASE_URL: api.url },
      });
      gone = () =>
        new Promise((closed) => {
          child.stdout.once("close", closed);
          child.stdout.destroy();
        });
      const result = await ended(child);
      expect(result.exitCode).toBe(1);
      expect(result.stderr).toContain("could not be written");
    },
  );
});

test("a write that never ends exits 1, since no result is proven", async () => {
  const mute = `
    process.stdout.write = () => true;
    require("node:fs").writeSync = () => {
      throw new Error("nobody reads");
    };
  `;
  const preload = join(folderWith({ "mute.cjs": mute }), "mute.cjs");
  for (const args of [["--version"], ["config"], ["header", "--token"]]) {
    const environment = {
      REFERRAL_TOKEN: planted.token,
      NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
    };
    expect(await runAsChild(args, { environment })).toMatchObject({ exitCode: 1, stdout: "" });
  }
});
