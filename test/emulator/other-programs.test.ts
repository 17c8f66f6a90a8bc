import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { optionRows } from "../../src/emulator/options.ts";
import { version } from "../../src/version.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";
import * as support from "./support.ts";

const { credentials, known, listening, raw, send, startRun, startTestEmulator, until, wsse } = support;

const given = Object.entries(credentials).flatMap(([name, value]) => [`--${name}`, value]);

const head = "HEAD / HTTP/1.1\r\nHost: a\r\n";

describe("other programs", () => {
  const earlier = (): string => join(folderWith({ ready: "of an earlier run" }), "ready");

  test("get URL and accounts from --json", async () => {
    const args = ["--json", "--answer=503", "--authorization=wsse", ...given];
    const { stdout, document, url, stop } = await listening(args);
    expect(stdout()).toMatch(/^\{.*\}\n$/);
    const { port } = document;
    const accounts = [{ ...known, authorization: "wsse" }];
    expect(document).toEqual({ schemaVersion: 1, url: `http://127.0.0.1:${port}`, port, accounts });
    expect((await send(url)).status).toBe(503);
    await stop();
  });

  test("get each request on a line of its own after them, as GET /__emulator/requests lists it", async () => {
    const { url, stdout, stop } = await listening(["--json", "--control", ...given]);
    await send(url, { headers: { "X-Auth-Token": credentials.token } });
    await send(url, { path: "/\u0007", headers: { "X-Note": credentials.secret } }).catch(() => {});
    await send(url, { headers: { "X-WSSE": wsse({ secret: "other" }) } });
    const { body } = await send(url, { path: "/__emulator/requests" });
    expect(await stop()).toEqual([]);
    const [, ...lines] = stdout().trimEnd().split("\n");
    expect(lines.map((text) => JSON.parse(text))).toEqual(JSON.parse(body));
    expect(lines.length).toBeGreaterThan(1);
    expect(stdout().split("\n").slice(1).join()).not.toContain(credentials.secret);
  });

  test("may stop reading after the first line, and the emulator still ends", async () => {
    const texts: string[] = [];
    const write = (text: string): Promise<void> => {
      texts.push(text);
      return texts.length > 1 ? new Promise(() => {}) : Promise.resolve();
    };
    const run = startRun(["--json", ...given], { stdout: { isTerminal: false, write } });
    await until(() => texts.length > 0);
    const { port } = JSON.parse(texts[0] ?? "");
    await raw(port, `${`${head}\r\n`.repeat(10_050)}${head}Connection: close\r\n\r\n`);
    expect(texts).toHaveLength(10_001);
    run.interrupt("SIGINT");
    await expect(run.ended).rejects.toMatchObject({ signal: "SIGINT" });
    expect(texts.at(-1)).toBe('{"dropped":51}\n');
  });

  test("are told before the next line how many were dropped", async () => {
    const texts: string[] = [];
    let read = (): void => {};
    const write = (text: string): Promise<void> => {
      texts.push(text);
      return new Promise((resolve) => (read = resolve));
    };
    const { url, stop } = await listening([], { stderr: { isTerminal: false, write } });
    await raw(Number(new URL(url).port), `${`${head}\r\n`.repeat(10_001)}${head}Connection: close\r\n\r\n`);
    expect(texts).toHaveLength(10_000);
    // Reading the last line makes room for one.
    read();
    await send(url);
    await stop();
    const told = "Warning: 2 lines of this log were dropped: nobody read it\n";
    expect(texts.slice(10_000)).toEqual([told, expect.stringContaining(" 401 missing: ")]);
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
    await expect(startRun(["--ready-file", file, "--port", String(port)]).ended).rejects.toThrow("in use");
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    [["--port", "x"], 2, "--port is not a whole number from 0 to 65535"],
    [["--nothing"], 2, "--nothing is no option of emulator"],
    [["npm"], 2, "--json cannot be used with a command, which has standard output for itself"],
    [["--accounts", "missing"], 3, "--accounts names a file that does not exist"],
  ])("are told on the first line of --json why %j does not start", async (args, code, message) => {
    const run = await runInProcess(["emulator", "--json", ...args]);
    expect([run.exitCode, run.stdout.match(/\n/g)]).toEqual([code, ["\n"]]);
    const error = { code, message, hint: expect.any(String) };
    expect(JSON.parse(run.stdout)).toEqual({ schemaVersion: 1, version, ok: false, exitCode: code, error });
    expect(run.stderr).toContain(`Error: ${message.slice(0, 20)}`);
  });

  test("and a command's own --json makes no error of the emulator JSON", async () => {
    const flags = optionRows.flatMap(([, { flag = [] }]) => flag);
    for (const flag of [...flags, "--token <value>", "--accounts <file>", "--ready-file <path>", "--json"]) {
      const [name = "", value] = flag.split(" ");
      const own = ["emulator", "--clock-offset", "x", name, ...(value ? ["1"] : [])];
      for (const args of [own, [...own, "pytest", "--json"], [...own, "--", "pytest", "--json"]]) {
        const { stdout, stderr } = await runInProcess(args);
        expect(stdout !== "", args.join(" ")).toBe(name === "--json");
        expect(stderr).toMatch(/^Error: /);
      }
      const { stdout, stderr } = await runInProcess([...own, "--json"]);
      expect(stdout).toContain('"ok":false');
      expect(stderr).toMatch(/^Error: /);
    }
  });

  test.each(["cert", "key", "accounts"])("are not written over the file of --%s", async (flag) => {
    const folder = folderWith({ file: "hello" });
    const args = [`--${flag}`, "file", "--ready-file", join(folder, "file")];
    const message = `--${flag} and --ready-file are the same file`;
    await expect(startRun(args, { workingFolder: folder }).ended).rejects.toThrow(message);
    expect(readFileSync(join(folder, "file"), "utf8")).toBe("hello");
    await expect(startRun([`--${flag}`, ""]).ended).rejects.toThrow(`--${flag} is empty`);
  });

  test("are not written to -, and ./- is a file beside the accounts of standard input", async () => {
    const workingFolder = folderWith({});
    const script = `require("fs").readFileSync(${JSON.stringify(join(workingFolder, "-"))})`;
    const args = (path: string) => [
      "emulator",
      "--accounts",
      "-",
      "--ready-file",
      path,
      process.execPath,
      "-e",
      script,
    ];
    const run = (path: string) => runInProcess(args(path), { workingFolder, stdin: "{}\n" });
    expect(await run("./-")).toMatchObject({ exitCode: 0, stderr: "" });
    const refused = await run("-");
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("--ready-file takes a path, and - is none");
  });

  test.each([
    [["missing", "ready"], "no such file or directory (ENOENT)"],
    [["file", "ready"], "not a directory (ENOTDIR)"],
    [[`${"long".repeat(99)}`], "name too long (ENAMETOOLONG)"],
  ])("are not told where %j cannot be written, and no server stays", async (parts, problem) => {
    const file = join(folderWith({ file: "" }), ...parts);
    await expect(startRun(["--ready-file", file]).ended).rejects.toThrow(
      `--ready-file: ${file} could not be written: ${problem}`,
    );
  });
});
