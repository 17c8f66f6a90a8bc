import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { childNode } from "../../support/run.ts";

/** The folders into which `.ci/run` installs the packed package with the tools of its users: the newest, or an older TypeScript. */
const folders = resolve(process.env.PACKAGE_PROJECTS || "PACKAGE_PROJECTS names no folder");
export const installedAs = (name: string): string => join(folders, name);
export const newest = installedAs("newest");
export const typescript50 = installedAs("typescript-5.0");

/** A tool of that folder, as a program of CommonJS gets it. */
export const tool = createRequire(join(newest, "package.json"));

/** The folder of a project that uses what is installed there, until the test is finished. */
export function projectWith(files: Readonly<Record<string, string>>, installed = newest): string {
  const folder = mkdtempSync(join(installed, "project-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries({ "package.json": "{}", ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** What the compiler of an installation complains of. */
export function complaints(installed: string, cwd: string, ...args: readonly string[]): string {
  const tsc = join(installed, "node_modules/typescript/bin/tsc");
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const all = [tsc, ...strict, "--target", "es2022", ...args];
  return spawnSync(process.execPath, all, { cwd, encoding: "utf8" }).stdout;
}

/** What a program prints, on both streams. Rejects if it fails. */
export async function printed(
  cwd: string,
  args: readonly string[],
  program = childNode,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { PATH } = process.env;
  const env = { PATH, HOME: cwd, ...more };
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env });
  return stdout + stderr;
}

const imports = {
  "referral-auth": "createChecker",
  "referral-auth/header": "authHeaders",
  "referral-auth/emulator": "startEmulator",
  "node:http": "get",
};

/** How each kind of module imports what `scenario` uses. */
export const statements = {
  es: Object.entries(imports).map(([from, name]) => `import { ${name} } from "${from}";\n`),
  cjs: Object.entries(imports).map(([from, name]) => `const { ${name} } = require("${from}");\n`),
} as const;

/** A function that makes a check and a request with a header of its own against an emulator. */
export const scenario = `
async function scenario() {
  const emulator = await startEmulator();
  const [{ username, secret }] = emulator.accounts;
  const credential = { method: "wsse", username, secret };
  const { outcome } = await createChecker({ baseUrl: emulator.url }).check(credential);
  const status = await new Promise((resolve, reject) => {
    const url = emulator.url + "/test-authentication";
    const answered = (response) => resolve(response.resume().statusCode);
    get(url, { headers: authHeaders(credential) }, answered).on("error", reject);
  });
  const closed = emulator.url;
  await emulator.close();
  const unreachable = await createChecker({ baseUrl: closed }).check(credential);
  return [outcome.kind, status, emulator.requests.length, unreachable.outcome.failure.code].join(" ");
}
`;

/** What it returns. The code of a refused connection shows that errors of Node are understood. */
export const scenarioResult = "accepted 200 2 ECONNREFUSED";

/** A whole program of it, which prints the result. */
export const program = (kind: keyof typeof statements): string =>
  `${statements[kind].join("")}${scenario}scenario().then((line) => process.stdout.write(line + "\\n"));\n`;
