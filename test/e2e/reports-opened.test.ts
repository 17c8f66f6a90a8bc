import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { Interrupted, OutputError } from "../../src/errors.ts";
import { formatNames } from "../../src/run/options.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { contextOf, type GivenInProcess, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { plain, rcOf } from "./profiles.ts";

const { token } = planted;
const unwritten = new OutputError("The result could not be written");

/** An API, and a folder with three profiles for it. */
async function place(content: Readonly<Record<string, string>> = {}) {
  const api = await serve((_, response) => json(response, 200, success));
  const folder = folderWith({ ".referralrc": rcOf(api.url, plain(3)), ...content });
  const read = (name: string): string | null =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : null;
  const given = { homeFolder: folder, workingFolder: folder } satisfies GivenInProcess;
  return { api, folder, read, given };
}

describe("a report is opened before the first request:", () => {
  test.each(formatNames)("--%s makes the missing folders of its path", async (format) => {
    const { given, read, folder } = await place();
    const run = await runInProcess(["test", "--all", `--${format}`, "a/b/report"], given);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(read("a/b/report")).toContain("p2");
    expect(readdirSync(join(folder, "a/b"))).toEqual(["report"]);
  });

  const other = { junit: "metrics", metrics: "junit" } as const;
  describe.each(formatNames)("--%s that cannot be written", (format) => {
    test.each([
      ["a folder", "in", "illegal operation on a directory \\(EISDIR\\)"],
      ["below a file", ".referralrc/report", "not a directory \\(ENOTDIR\\)"],
      [
        "a missing folder where none can be made",
        "/proc/missing/report",
        "no such file or directory \\(ENOENT\\)",
      ],
      ["a descriptor that is not open", "/dev/fd/999", "bad file descriptor \\(EBADF\\)"],
    ])("because it names %s ends the run with 1, its path and the reason", async (_, path, reason) => {
      const { api, given, read, folder } = await place({ "in/side": "", report: "old" });
      const args = ["test", "--all", `--${format}`, path, `--${other[format]}`, "report"];
      const run = await runInProcess(args, given);
      expect([run.exitCode, run.stdout, api.requests.length]).toEqual([1, "", 0]);
      const shown = path.startsWith("/") ? path : join(folder, path);
      expect(run.stderr.replace(/\s+/g, " ")).toMatch(
        new RegExp(`^Error: --${format}: ${shown} could not be written: ${reason}; nothing was sent try `),
      );
      // The other report has one error and no account.
      expect(read("report")).toMatch(
        /run_exit_code\{report="report"\} 1\n|tests="1" failures="0" errors="1" skipped="0"/,
      );
      expect(read("report")).not.toMatch(/\bp[012]\b/);
      const json = await runInProcess([...args, "--json"], given);
      expect(json.stderr).toBe(run.stderr);
      expect(JSON.parse(json.stdout)).toMatchObject({ checks: [], error: { code: 1 } });
    });
  });

  test("both errors are told, and the code is 1, if the settings are wrong as well", async () => {
    const { given } = await place({ ".referralrc": "{" });
    const run = await runInProcess(["test", "--all", "--junit", "/dev/fd/999", "--metrics", "m"], given);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/^Error: [\s\S]*referralrc[\s\S]*\nError: --junit: \/dev\/fd\/999/);
  });

  test("a signal's code is before it", async () => {
    const { given } = await place();
    const interrupted = AbortSignal.abort(new Interrupted("SIGTERM"));
    const run = await runInProcess(["test", "--all", "--junit", "/dev/fd/999"], { ...given, interrupted });
    expect(run.exitCode).toBe(143);
    expect(run.stderr).toContain("--junit: /dev/fd/999");
  });

  test("for a job summary a warning is enough", async () => {
    const { given, folder, api } = await place({ "in/side": "" });
    const environment = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(folder, "in") };
    const run = await runInProcess(["test", "--all"], { ...given, environment });
    expect([run.exitCode, api.requests.length]).toEqual([0, 3]);
    expect(run.stderr).toMatch(/^Warning: GITHUB_STEP_SUMMARY: \S+ could not be written: .* \(EISDIR\)\n$/);
  });

  test.each(formatNames)("- as the path of --%s is wrong usage, which names /dev/stdout", async (format) => {
    const { given, folder, api } = await place();
    const run = await runInProcess(["test", "--all", `--${format}`, "-"], given);
    expect([run.exitCode, api.requests.length, readdirSync(folder)]).toEqual([2, 0, [".referralrc"]]);
    expect(run.stderr).toContain(`Write --${format} /dev/stdout`);
  });

  test("two reports of one file are found even if its folder does not exist yet", async () => {
    const { given, folder } = await place();
    const run = await runInProcess(["test", "--all", "--junit", "a/b", "--metrics", "./a/b"], given);
    expect([run.exitCode, readdirSync(folder)]).toEqual([2, [".referralrc"]]);
    expect(run.stderr).toContain("--junit and --metrics are the same file");
  });
});

describe("a report that fails later stops nothing:", () => {
  test.each(formatNames)("--%s at its end", async (format) => {
    const { api, given, read } = await place({ junit: "old", metrics: "old" });
    const own = contextOf(["test", "--all", "--json", "--junit", "junit", "--metrics", "metrics"], given);
    const openTarget: typeof own.openTarget = (path, isAppended) => {
      const target = own.openTarget(path, isAppended);
      const full = {
        [Symbol.iterator]: () => {
          throw new FileProblem("ENOSPC");
        },
      };
      const write: typeof target.write = (_, interrupted) => target.write(full, interrupted);
      return path.endsWith(format) ? { ...target, write } : target;
    };
    expect(await main({ ...own, openTarget })).toBe(1);
    expect([api.requests.length, read(format)]).toEqual([3, null]);
    expect(read(format === "junit" ? "metrics" : "junit")).toMatch(
      /="accepted"\} 3\n|tests="3" failures="0"/,
    );
    const document = JSON.parse(own.stdout.text);
    expect(document.checks).toHaveLength(3);
    const message = expect.stringContaining(`--${format}: `);
    expect(document).toMatchObject({ ok: false, exitCode: 1, notChecked: 0, error: { code: 1, message } });
    expect(own.stderr.text).toContain("no space left on device (ENOSPC)");
  });

  test("several, each of them is told", async () => {
    const { given } = await place();
    const own = contextOf(["test", "--all", "--junit", "junit", "--metrics", "metrics"], given);
    const openTarget: typeof own.openTarget = (...target) => ({
      ...own.openTarget(...target),
      write: () => Promise.reject(new FileProblem("EIO")),
    });
    expect(await main({ ...own, openTarget })).toBe(1);
    expect(own.stdout.text).toContain("\n3 accepted; at http");
    expect(own.stderr.text.match(/--(?:junit|metrics): /g)).toEqual(["--metrics: ", "--junit: "]);
  });

  test.each(["--ndjson", "--json", "--failed-only"])(
    "standard output that is closed, with %s, beside another report",
    async (form) => {
      const { api, given, read } = await place();
      const own = contextOf(["test", "--all", "--concurrency", "1", form, "--junit", "report"], given);
      const write = () => Promise.reject(unwritten);
      expect(await main({ ...own, stdout: { ...own.stdout, write } })).toBe(1);
      expect(api.requests).toHaveLength(3);
      expect(read("report")?.match(/name="token" time="[\d.]+"\/>/g)).toHaveLength(3);
      expect(own.stderr.text).toMatch(/^Error: The result could not be written\n/);
    },
  );

  test("standard output alone ends the run", async () => {
    const { api, given } = await place();
    const own = contextOf(["test", "--all", "--concurrency", "1", "--ndjson"], given);
    const write = () => Promise.reject(unwritten);
    expect(await main({ ...own, stdout: { ...own.stdout, write } })).toBe(1);
    expect(api.requests.length).toBeLessThan(3);
  });
});

describe("a shard without accounts says so, with code 0:", () => {
  const words = "0 accepted; --shard 3/4 holds no account\n";
  test.each([
    [[], words, ""],
    [["--json"], expect.stringContaining('"ok": true'), words],
    [["--ndjson"], "", words],
    [["--quiet"], "", ""],
  ])("%j", async (form, stdout, stderr) => {
    const api = await emulate();
    const folder = folderWith({ ".referralrc": rcOf(api.url, { only: { token } }) });
    const args = ["test", "--profile", "only", "--shard", "3/4", "--junit", "report", ...form];
    const run = await runInProcess(args, { homeFolder: folder, workingFolder: folder });
    expect(run).toMatchObject({ exitCode: 0, stdout, stderr });
    expect(readFileSync(join(folder, "report"), "utf8")).toContain(
      'name="run" time="0.000">\n      <skipped message="--shard 3/4 holds no account"/>',
    );
  });
});

test("a run removes only what it made: files that are named like its temporary ones stay", async () => {
  const dead = 2 ** 22 + 1;
  const names = [`report.${dead}.tmp`, `report.${dead}.3.tmp`, "report.0123456789ab.tmp", "report.tmp"];
  const { given, folder } = await place(Object.fromEntries(names.map((name) => [name, "kept"])));
  expect(await runInProcess(["test", "--all", "--junit", "report"], given)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(folder).toSorted()).toEqual([".referralrc", "report", ...names].toSorted());
});
