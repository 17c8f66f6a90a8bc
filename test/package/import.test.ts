import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childNode } from "../support/run.ts";
import { type Packed, packed } from "./packed.ts";

let made: Packed;
beforeAll(() => {
  made = packed();
});
afterAll(() => made?.remove());

/** Runs a script beside the installed package. */
function runScript(name: string, text: string): { readonly stdout: string; readonly stderr: string } {
  writeFileSync(join(made.consumer, name), text);
  const options = { cwd: made.consumer, env: {}, encoding: "utf8" } as const;
  const { stdout, stderr } = spawnSync(childNode, [name], options);
  return { stdout, stderr };
}

/** All of a process that an import could change unseen. */
const state = `() => ({
  globals: Reflect.ownKeys(globalThis).map(String).join(),
  listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]).join(),
  title: process.title,
  exitCode: process.exitCode,
  folder: process.cwd(),
  environment: JSON.stringify(process.env),
  waiting: process.getActiveResourcesInfo().filter((name) => name !== "Immediate").join(),
})`;

const names = [
  "InputError",
  "authHeaders",
  "checkCredentials",
  "combinedExitCode",
  "createChecker",
  "exitCodeOf",
  "exitCodeOfError",
  "exitCodes",
  "wsseHeader",
] as const;

describe("importing the package", () => {
  test.each([
    ["require.cjs", `const { ${names} } = require("referral-auth");`],
    ["import.mjs", `import { ${names} } from "referral-auth";`],
  ])("gives all that is promised, by name: %s", (file, statement) => {
    const run = runScript(
      file,
      `${statement}\nconsole.log([${names}].map((one) => typeof one).join(" "), exitCodeOf.rejected);`,
    );

    expect(run).toEqual({
      stdout: `${"function ".repeat(5)}object function object function 4\n`,
      stderr: "",
    });
  });

  test.each([
    ["referral-auth", names],
    ["referral-auth/header", ["InputError", "authHeaders", "wsseHeader"]],
    ["referral-auth/emulator", ["InputError", "startEmulator"]],
  ])("gives nothing else, whoever asks: %s", (entry, expected) => {
    const { stdout, stderr } = runScript(
      "names.mjs",
      `import { createRequire } from "node:module";
       import * as imported from "${entry}";
       const required = createRequire(import.meta.url)("${entry}");
       console.log(JSON.stringify([imported, required].map((one) => Object.keys(one).sort())));`,
    );

    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([expected, expected]);
  });

  test("changes nothing and says nothing", () => {
    const run = runScript(
      "effects.cjs",
      `const state = ${state};
       const before = state();
       require("referral-auth");
       setImmediate(() => {
         const after = state();
         console.log(JSON.stringify(Object.keys(after).filter((name) => after[name] !== before[name])));
       });`,
    );

    expect(run).toEqual({ stdout: "[]\n", stderr: "" });
  });

  test("keeps what is inside to itself", () => {
    const { stderr } = runScript("inside.cjs", `require("referral-auth/dist/referral-auth.cjs");`);

    expect(stderr).toContain("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });
});
