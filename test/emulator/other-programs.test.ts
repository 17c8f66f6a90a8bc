import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Context } from "../../src/system/context.ts";
import { version } from "../../src/version.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import { credentials, known, listening, send, startRun, startTestEmulator, wsse } from "./support.ts";

const given = Object.entries(credentials).flatMap(([name, value]) => [`--${name}`, value]);

describe("other programs", () => {
  const earlier = (): string => join(folderWith({ ready: "of an earlier run" }), "ready");

  test("get URL and accounts from --json, and then each request on a line, as GET /__emulator/requests lists it", async () => {
    const { document, url, stdout, stop } = await listening(["--json", "--control", ...given]);
    const { port } = document;
    expect(document).toEqual({ schemaVersion: 1, url: `http://127.0.0.1:${port}`, port, accounts: [known] });
    await send(url, { headers: { "X-Auth-Token": credentials.token, "X-Note": credentials.secret } });
    await send(url, { headers: { "X-WSSE": wsse({ secret: "other" }) } });
    const { body } = await send(url, { path: "/__emulator/requests" });
    expect(await stop()).toEqual([]);
    const [, ...lines] = stdout().trimEnd().split("\n");
    expect(lines.map((text) => JSON.parse(text))).toEqual(JSON.parse(body));
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain(credentials.secret);
  });

  test("find them in --ready-file while it listens, and nobody else does", async () => {
    const file = earlier();
    chmodSync(file, 0o644);
    const { url, stop } = await listening(["--ready-file", file, ...given]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ url, accounts: [known] });
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    await stop("SIGTERM");
    expect(existsSync(file)).toBe(false);
  });

  test("never find the file of an earlier run when the port cannot be opened", async () => {
    const { port } = await startTestEmulator();
    const file = earlier();
    await expect(startRun(["--ready-file", file, "--port", String(port)]).ended).rejects.toThrow(
      `Port ${port}`,
    );
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    [["--port", "x"], 2, "--port is not a whole number from 0 to 65535"],
    [["--accounts", "missing"], 3, "--accounts names a file that does not exist"],
  ])("are told on the first line of --json why %j does not start", async (args, code, message) => {
    const run = await runInProcess(["emulator", "--json", ...args]);
    expect([run.exitCode, run.stdout.match(/\n/g)]).toEqual([code, ["\n"]]);
    const error = { code, message, hint: expect.any(String) };
    expect(JSON.parse(run.stdout)).toEqual({ schemaVersion: 1, version, ok: false, exitCode: code, error });
    expect(run.stderr).toContain(`Error: ${message.slice(0, 20)}`);
  });

  test.each(["cert", "key", "accounts"])("are not written over the file of --%s", async (flag) => {
    const folder = folderWith({ file: "hello" });
    const args = [`--${flag}`, "file", "--ready-file", join(folder, "file")];
    const message = `--${flag} and --ready-file are the same file`;
    await expect(startRun(args, { workingFolder: folder }).ended).rejects.toThrow(message);
    expect(readFileSync(join(folder, "file"), "utf8")).toBe("hello");
    const empty = await runInProcess(["emulator", `--${flag}`, ""]);
    expect([empty.exitCode, empty.stderr]).toEqual([2, expect.stringContaining(`--${flag} is empty`)]);
  });

  test("are not written to -, and ./- is a file beside the accounts of standard input", async () => {
    const workingFolder = folderWith({});
    const command = ["/bin/sh", "-c", 'test -f "$0"', join(workingFolder, "-")];
    const run = (path: string) => {
      const args = ["emulator", "--accounts", "-", "--ready-file", path, ...command];
      return runInProcess(args, { workingFolder, stdin: "{}\n" });
    };
    expect(await run("./-")).toMatchObject({ exitCode: 0, stderr: "" });
    const refused = await run("-");
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("--ready-file takes a path, and - is none");
    for (const [stream, name] of [
      ["/dev/stdin", "--accounts and --ready-file"],
      ["/dev/stdout", "--ready-file and standard output"],
    ]) {
      const broken = ({ fileKey }: Context) => ({
        fileKey: (path: string) => fileKey(path === stream ? join(workingFolder, "ready") : path),
      });
      const args = ["emulator", "--accounts", "-", "--ready-file", "ready"];
      const { exitCode, stderr } = await runInProcess(args, { workingFolder, broken });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`Error: ${name} are the same file\n`)]);
    }
  });

  test("are not told where it cannot be written, and no server stays", async () => {
    const file = join(folderWith({ file: "" }), "file", "ready");
    await expect(startRun(["--ready-file", file]).ended).rejects.toThrow(
      `--ready-file: ${file} could not be written: not a directory (ENOTDIR)`,
    );
  });
});
