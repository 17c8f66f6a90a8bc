import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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

const header = { InputError: "function", authHeaders: "function", wsseHeader: "function" };
const checks = { checkCredentials: "function", createChecker: "function" };
const codes = { combinedExitCode: "function", exitCodeOf: "object", exitCodeOfError: "function" };

test.each([
  ["referral-auth", { ...header, ...checks, ...codes, exitCodes: "object" }],
  ["referral-auth/header", header],
  ["referral-auth/emulator", { InputError: "function", startEmulator: "function" }],
])("%s gives what is promised and nothing else, whoever asks", (entry, promised) => {
  const { stdout, stderr } = runScript(
    "names.mjs",
    `import { createRequire } from "node:module";
     import * as imported from "${entry}";
     const required = createRequire(import.meta.url)("${entry}");
     const typesOf = (one) => Object.fromEntries(Object.keys(one).map((name) => [name, typeof one[name]]));
     console.log(JSON.stringify([imported, required].map(typesOf)));`,
  );

  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual([promised, promised]);
});

test("an InputError is of one class, whichever entry gives it and whoever asks", () => {
  const { stdout, stderr } = runScript(
    "classes.mjs",
    `import { createRequire } from "node:module";
     const entries = ["referral-auth", "referral-auth/header", "referral-auth/emulator"];
     const require = createRequire(import.meta.url);
     const all = [...(await Promise.all(entries.map((entry) => import(entry)))), ...entries.map((entry) => require(entry))];
     const failing = all.flatMap(({ authHeaders, createChecker, startEmulator }) => [authHeaders, createChecker, startEmulator ?? []].flat());
     const thrown = await Promise.all(failing.filter(Boolean).map(async (call) => call({ wrong: 1 })).map((promise) => promise.catch((error) => error)));
     const classes = new Set([...all.map(({ InputError }) => InputError), ...thrown.map((error) => error.constructor)]);
     console.log(thrown.length, [...classes].map(({ name }) => name).join());`,
  );

  expect([stdout, stderr]).toEqual(["8 InputError\n", ""]);
});

test("importing the package changes nothing and says nothing", () => {
  const run = runScript(
    "effects.cjs",
    `// All of a process that an import could change unseen.
     const state = () => ({
       globals: Reflect.ownKeys(globalThis).map(String).join(),
       listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]).join(),
       title: process.title,
       exitCode: process.exitCode,
       folder: process.cwd(),
       environment: JSON.stringify(process.env),
       waiting: process.getActiveResourcesInfo().filter((name) => name !== "Immediate").join(),
     });
     const before = state();
     require("referral-auth");
     setImmediate(() => {
       const after = state();
       console.log(JSON.stringify(Object.keys(after).filter((name) => after[name] !== before[name])));
     });`,
  );

  expect(run).toEqual({ stdout: "[]\n", stderr: "" });
});

test("the package keeps what is inside to itself", () => {
  const { stderr } = runScript("inside.cjs", `require("referral-auth/dist/referral-auth.cjs");`);

  expect(stderr).toContain("ERR_PACKAGE_PATH_NOT_EXPORTED");
});
