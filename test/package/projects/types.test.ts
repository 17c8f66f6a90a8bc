import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { childNode } from "../../support/run.ts";
import { root } from "../packed.ts";
import { installed, printed, projectWith } from "./project.ts";

const example = readFileSync(join(root, "examples/check-account.ts"), "utf8");

/** Everything that the package exports, without a type of Node. */
const everything = `
import { authHeaders, checkCredentials, type CheckerOptions, type CheckResult, combinedExitCode, createChecker, exitCodeOf,
  exitCodeOfError, exitCodes, type FindingId, InputError, type OutcomeKind, type Phase, wsseHeader } from "referral-auth";
import { wsseHeader as alone } from "referral-auth/header";
import { type Emulator, startEmulator } from "referral-auth/emulator";
const options: CheckerOptions = { baseUrl: "https://a.example" };
const result: Promise<CheckResult> = createChecker(options).check({ method: "token", token: "a" }, { diagnose: true });
const same: Promise<CheckResult> = checkCredentials({ ...options, credential: { method: "token", token: "a" } });
const id: FindingId = "clock-ahead";
const kind: OutcomeKind = "accepted";
const phase: Phase = "tls";
const texts: string[] = [wsseHeader({ username: "a", secret: "b" }), alone({ username: "a", secret: "b" })];
const code: number = combinedExitCode([kind]) + exitCodeOf.rejected + exitCodeOfError(new InputError("usage", "", ""));
const emulator: Promise<Emulator> = startEmulator({ accounts: [{ username: "a", secret: "b" }] });
export { authHeaders, code, emulator, exitCodes, id, phase, result, same, texts };
`;

const compilers = {
  newest: join(root, "node_modules/typescript"),
  "5.0": join(installed, "node_modules/typescript-5.0"),
};
const strict = [
  "--strict",
  "--exactOptionalPropertyTypes",
  "--noUncheckedIndexedAccess",
  "--skipLibCheck",
  "false",
];

/** What a compiler complains of. */
function complaints(compiler: string, cwd: string, ...args: readonly string[]): string {
  const tsc = join(compiler, "bin/tsc");
  return spawnSync(process.execPath, [tsc, ...strict, "--target", "es2022", ...args], {
    cwd,
    encoding: "utf8",
  }).stdout;
}

describe.each(Object.entries(compilers))("TypeScript %s", (version, compiler) => {
  const types = version === "5.0" ? "types-node-20" : join(root, "node_modules/@types/node");
  const withNode = ["--types", types];
  const modules = {
    "an ES module": ["main.mts", "--module", "nodenext"],
    "a CommonJS module": ["main.cts", "--module", "nodenext"],
    "a module for a bundler": ["main.ts", "--module", "esnext", "--moduleResolution", "bundler"],
  };

  test.each(Object.entries(modules))(
    "takes all types in %s, with its own libraries and with Node's",
    (_, args) => {
      const [file = ""] = args;
      const folder = projectWith({ [file]: everything });

      expect(complaints(compiler, folder, ...args, "--noEmit", "--types", "")).toBe("");
      expect(complaints(compiler, folder, ...args, "--noEmit", "--lib", "es2022", ...withNode)).toBe("");
    },
  );

  test("compiles the example, which handles every outcome and runs", async () => {
    const folder = projectWith({ "main.mts": example });

    expect(complaints(compiler, folder, "main.mts", "--module", "nodenext", ...withNode)).toBe("");
    const launcher = join(installed, "node_modules/referral-auth/bin/launch.cjs");
    expect(await printed(folder, [launcher, "emulator", "--", childNode, "main.mjs"])).toMatch(
      /^token: Hello, [^\n]+\nwsse: Hello, [^\n]+\nfetch: 200\n/,
    );
  });

  test.each(["accepted", "timeout", "unexpected"])("does not compile it without %s", (kind) => {
    const without = example.replace(new RegExp(`    case "${kind}":\n(?:      .*\n)+`), "");
    const folder = projectWith({ "main.mts": without });

    expect(complaints(compiler, folder, "main.mts", "--module", "nodenext", ...withNode)).toMatch(
      /^main\.mts\(\d+,\d+\): error TS2366: Function lacks ending return statement/,
    );
  });
});
