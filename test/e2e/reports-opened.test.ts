import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Interrupted, OutputError } from "../../src/errors.ts";
import { formatNames } from "../../src/run/options.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { place } from "./profiles.ts";

const both = ["--all", ...formatNames.flatMap((name) => [`--${name}`, name])];
const otherThan = (format: string): string => formatNames.find((name) => name !== format) ?? "";
/** Standard output to which nothing can be written. */
const closed = {
  isTerminal: false,
  write: () => Promise.reject(new OutputError("The result could not be written")),
};

describe("a report is opened before the first request:", () => {
  test("the missing folders of its path are made", async () => {
    const { run, folder } = await place();
    const made = await run(["--all", "--junit", "a/b/report"]);
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    expect(made.file("a/b/report")).toContain("p2");
    expect(readdirSync(join(folder, "a/b"))).toEqual(["report"]);
  });

  test.each([
    ["junit", "a folder", "in", "illegal operation on a directory (EISDIR)"],
    ["metrics", "a descriptor that is not open", "/dev/fd/999", "bad file descriptor (EBADF)"],
  ])("--%s that names %s ends the run with 1, its path and the reason", async (format, _, path, reason) => {
    const { api, run, folder } = await place({ files: { "in/side": "", report: "old" } });
    const args = ["--all", `--${format}`, path, `--${otherThan(format)}`, "report"];
    const { exitCode, stdout, stderr, file } = await run(args);
    expect([exitCode, stdout, api.requests.length]).toEqual([1, "", 0]);
    const shown = path.startsWith("/") ? path : join(folder, path);
    const said = `Error: --${format}: ${shown} could not be written: ${reason}; nothing was sent\n  try `;
    expect(stderr.slice(0, said.length)).toBe(said);
    // The other report has one error and no account.
    expect(file("report")).toMatch(
      /run_exit_code\{report="report"\} 1\n|tests="1" failures="0" errors="1" skipped="0"/,
    );
    expect(file("report")).not.toMatch(/\bp[012]\b/);
    const json = await run([...args, "--json"]);
    expect(json.stderr).toBe(stderr);
    expect(json.document).toMatchObject({ checks: [], error: { code: 1 } });
  });

  test("a signal's code is before it", async () => {
    const interrupted = AbortSignal.abort(new Interrupted("SIGTERM"));
    const made = await (await place()).run(["--all", "--junit", "/dev/fd/999"], { interrupted });
    expect(made).toMatchObject({ exitCode: 143, stderr: expect.stringContaining("--junit: /dev/fd/999") });
  });

  test("for a job summary a warning is enough", async () => {
    const { run, job, api } = await place({ files: { "summary.md/side": "" } });
    const { exitCode, stderr } = await run(["--all"], { environment: job });
    expect([exitCode, api.requests.length]).toEqual([0, 3]);
    expect(stderr).toMatch(/^Warning: GITHUB_STEP_SUMMARY: \S+ could not be written: .* \(EISDIR\)\n$/);
    const unnamed = await run([], { environment: { ...job, GITHUB_STEP_SUMMARY: "" } });
    expect(unnamed).toMatchObject({ exitCode: 0, stderr: "" });
  });
});

describe("a report that fails later stops nothing:", () => {
  test.each(formatNames)("--%s at its end", async (format) => {
    const { api, run } = await place({ files: { junit: "old", metrics: "old" } });
    const full = {
      [Symbol.iterator]: () => {
        throw new FileProblem("ENOSPC");
      },
    };
    const { exitCode, stderr, document, checks, file } = await run([...both, "--json"], {
      broken: ({ openTarget }) => ({
        openTarget: (path, isAppended) => {
          const target = openTarget(path, isAppended);
          const write: typeof target.write = (_, interrupted) => target.write(full, interrupted);
          return path.endsWith(format) ? { ...target, write } : target;
        },
      }),
    });
    expect([exitCode, api.requests.length, file(format)]).toEqual([1, 3, null]);
    const intact = /="accepted"\} 3\n|tests="3" failures="0"/;
    expect(file(otherThan(format))).toMatch(intact);
    expect(checks).toHaveLength(3);
    const message = expect.stringContaining(`--${format}: `);
    expect(document).toMatchObject({ ok: false, exitCode: 1, notChecked: 0, error: { code: 1, message } });
    expect(stderr).toContain("no space left on device (ENOSPC)");
  });

  test("standard output that is closed, beside another report", async () => {
    const { api, run } = await place();
    const args = ["--all", "--concurrency", "1", "--json", "--junit", "report"];
    const { exitCode, stderr, file } = await run(args, { broken: () => ({ stdout: closed }) });
    expect([exitCode, api.requests.length]).toEqual([1, 3]);
    expect(file("report")?.match(/name="token" time="[\d.]+"\/>/g)).toHaveLength(3);
    expect(stderr).toMatch(/^Error: The result could not be written\n/);
  });
});
