import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childNode } from "../support/run.ts";
import { type Packed, packed, root } from "./packed.ts";

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
  "checkCredentials",
  "combinedExitCode",
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
      stdout: "function function function object function object function 4\n",
      stderr: "",
    });
  });

  test.each([
    ["referral-auth", names],
    ["referral-auth/header", ["InputError", "wsseHeader"]],
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

describe("the example", () => {
  beforeAll(() => {
    const types = join(made.consumer, "node_modules", "@types");
    mkdirSync(types, { recursive: true });
    for (const [from, to] of [
      ["@types/node", join(types, "node")],
      ["undici-types", join(made.consumer, "node_modules", "undici-types")],
    ] as const)
      symlinkSync(join(root, "node_modules", from), to);
    writeFileSync(join(made.consumer, "package.json"), '{ "type": "module" }');
  });

  /** Compiles against the installed package, Node's types at hand. Gives what the compiler complains of. */
  function compile(...files: readonly string[]): string {
    const options = ["--module", "nodenext", "--target", "es2023", "--types", "node", "--strict"];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const run = spawnSync(process.execPath, [tsc, ...options, ...files], {
      cwd: made.consumer,
      encoding: "utf8",
    });
    return run.stdout;
  }

  test("compiles and runs, and so does CommonJS", () => {
    cpSync(join(root, "examples/check-account.ts"), join(made.consumer, "check-account.ts"));
    writeFileSync(
      join(made.consumer, "common.cts"),
      `import library = require("referral-auth");
       const made: string = library.wsseHeader({ username: "a", secret: "b" });
       console.log(made.length > 100);`,
    );

    expect(compile("check-account.ts", "common.cts")).toBe("");

    const program = [join(made.folder, "bin/launch.cjs"), "emulator", "--", childNode, "check-account.js"];
    const printed = execFileSync(childNode, program, { cwd: made.consumer, encoding: "utf8" });
    expect(printed).toMatch(/^token: Hello, [^\n]+\nwsse: Hello, [^\n]+\nfetch: 200\n$/);
    expect(runScript("common.cjs", readFileSync(join(made.consumer, "common.cjs"), "utf8")).stdout).toBe(
      "true\n",
    );
  });

  test("does not compile with a number as the secret: the types are seen", () => {
    const wrong =
      'import library = require("referral-auth");\nlibrary.wsseHeader({ username: "a", secret: 1 });\n';
    writeFileSync(join(made.consumer, "wrong.cts"), wrong);

    expect(compile("wrong.cts")).toMatch(
      /^wrong\.cts\(2,\d+\): error TS2322: Type 'number' is not assignable to type 'string'\.\n$/,
    );
  });
});
