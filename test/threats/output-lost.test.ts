import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { combinedExitCode } from "../../src/exit-codes.ts";
import { formatNames } from "../../src/report/file-formats.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { childHome, childNode, contextOf, emptyFolder, launcher, runAsChild } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const environment = { ...childHome, REFERRAL_TOKEN: planted.token };

// A sentence and what to do, wrapped at will; no stack trace.
const onlyTheError = /^Error: The result could not be written\n {2}try(?![\s\S]*\n\s+at )/;

interface Ended {
  readonly exitCode: number | null;
  readonly stderr: string;
}

/** What the reader of a pipe wrote down, besides. */
interface EndedInPipe extends Ended {
  readonly read: string;
}

/** Runs the program with its standard output at `/dev/full`, on which every write fails. */
function intoFullDisk(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(childNode, [launcher, ...args], {
      cwd: emptyFolder,
      env: { ...environment, ...more },
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
    });
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    child.once("close", (exitCode) => resolve({ exitCode, stderr }));
  });
}

describe("on a full disk", () => {
  test.each<readonly [string, number, readonly string[]]>([
    ["an accepted credential", 200, ["test"]],
    ["an accepted credential as JSON", 200, ["test", "--json"]],
    ["a refused credential", 401, ["test"]],
    ["a broken server", 500, ["test", "--json"]],
  ])("%s exits 1: a verdict that nobody got is none", async (_, status, args) => {
    const api = await serve((_request, response) => json(response, status, { ...success, code: status }));
    const ended = await intoFullDisk(args, { REFERRAL_BASE_URL: api.url });
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toMatch(onlyTheError);
    expect(api.requests).toHaveLength(1);
  });

  test.each([
    [["header", "--token"]],
    [["config"]],
    [["config", "--json"]],
    [["--help"]],
    [["test", "--help"]],
    [["--version"]],
  ])("%j exits 1", async (args) => {
    const ended = await intoFullDisk(args);
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toContain("could not be written");
    expect(leaks(ended.stderr)).toEqual([]);
  });

  test("a JSON error that cannot be written does not exit 0 either", async () => {
    expect(await intoFullDisk(["test", "--json", "--nothing"])).toMatchObject({ exitCode: 1 });
  });
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

/** Runs the program in a shell as the first part of a pipe; resolves with its own exit code. */
function intoPipe(args: string, reader: string, url: string): Promise<EndedInPipe> {
  const place = folderWith({ read: "" });
  return new Promise((resolve) => {
    const script = `{ "$NODE" "$PROGRAM" ${args}; echo $? > "$PLACE/code"; } 2> "$PLACE/err" | ${reader}`;
    const child = spawn("/bin/sh", ["-c", script], {
      cwd: emptyFolder,
      env: {
        ...environment,
        PATH: process.env.PATH,
        NODE: childNode,
        PROGRAM: launcher,
        PLACE: place,
        REFERRAL_BASE_URL: url,
      },
      stdio: "ignore",
    });
    child.once("close", () =>
      resolve({
        exitCode: Number(readFileSync(join(place, "code"), "utf8")),
        stderr: readFileSync(join(place, "err"), "utf8"),
        read: readFileSync(join(place, "read"), "utf8"),
      }),
    );
  });
}

describe("into a pipe", () => {
  // Written as JSON each of these takes six bytes: more than a pipe holds.
  const long = { ...success, message: "é".repeat(300_000) };

  test("if a reader closes the pipe after one byte, a long document exits 1 without a stack trace", async () => {
    const api = await serve((_request, response) => json(response, 200, long));
    const ended = await intoPipe("test --json", "head -c 1", api.url);
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toMatch(onlyTheError);
  });

  test("a slow reader gets all of it", async () => {
    const api = await serve((_request, response) => json(response, 200, long));
    const ended = await intoPipe("test --json", '{ sleep 0.5; cat > "$PLACE/read"; }', api.url);
    expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(ended.read).checks[0].response.message).toBe(long.message);
  });

  test.each([[[]], [["--json"]]])(
    "a reader that is gone before the verdict makes %j exit 1",
    async (more) => {
      let gone: () => Promise<void> = async () => {};
      const api = await serve((_request, response) => {
        gone().then(() => json(response, 200, success));
      });
      const ended = await new Promise<Ended>((resolve) => {
        const child = spawn(childNode, [launcher, "test", ...more], {
          cwd: emptyFolder,
          env: { ...environment, REFERRAL_BASE_URL: api.url },
        });
        let stderr = "";
        gone = () =>
          new Promise((closed) => {
            child.stdout.once("close", closed);
            child.stdout.destroy();
          });
        child.stderr.on("data", (chunk) => {
          stderr += chunk;
        });
        child.once("close", (exitCode) => resolve({ exitCode, stderr }));
      });
      expect(ended.exitCode).toBe(1);
      expect(ended.stderr).toContain("could not be written");
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

test("a run that checked nothing does not exit 0", () => {
  expect(combinedExitCode([])).toBe(3);
});
