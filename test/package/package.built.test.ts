import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Packed, packed, root } from "./packed.ts";

let made: Packed;
beforeAll(() => {
  made = packed();
});
afterAll(() => made?.remove());

const textOf = (name: string): string => readFileSync(join(made.folder, name), "utf8");
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();

/** The files of a folder that Git keeps. */
const committed = (folder: string): readonly string[] =>
  execFileSync("git", ["ls-files", folder], { cwd: root, encoding: "utf8" }).trim().split("\n");

/** Pages for whoever works on the project. Only the README's list of pages links them. */
const ofTheProject = ["CONTRIBUTING.md", "docs/benchmarks.md", "docs/maintaining.md"];

describe("the package", () => {
  test("holds what is needed and nothing else, under 1.75 MB", () => {
    const sizes = filesIn(made.folder).map((name) => statSync(join(made.folder, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_750_000);
    const inside = /^dist\/library\/shared\/[\w-]+\.[cm]js$/;
    expect(filesIn(made.folder).filter((name) => !inside.test(name))).toEqual([
      ...[".referralrc.example", "CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"],
      "bin/launch.cjs",
      ...["emulator", "header", "index"].flatMap((entry) =>
        ["cjs", "d.cts", "d.mts", "mjs"].map((ending) => `dist/library/${entry}.${ending}`),
      ),
      ...["dist/referral-auth.cjs", "dist/third-party-licences.txt"],
      ...committed("docs").filter((page) => !ofTheProject.includes(page)),
      ...committed("examples"),
      "package.json",
      ...["schema/referralrc.schema.json", "schema/result.schema.json"],
    ]);
  });

  test("holds every file that one of its pages links", () => {
    for (const page of filesIn(made.folder).filter((name) => name.endsWith(".md"))) {
      const linked = [...textOf(page).matchAll(/\]\((?!https:)([^)#]+)[^)]*\)/g)].map(
        ([, path = ""]) => path,
      );
      const missing = linked.filter((path) => !existsSync(join(made.folder, dirname(page), path)));
      expect(missing.toSorted(), page).toEqual(page === "README.md" ? ofTheProject : []);
    }
  });

  test("brings nothing along and runs nothing when it is installed", () => {
    const { scripts, ...manifest } = JSON.parse(textOf("package.json"));
    for (const kind of ["dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"])
      expect(manifest).not.toHaveProperty(kind);
    for (const step of ["preinstall", "install", "postinstall"]) expect(scripts).not.toHaveProperty(step);
    // npm runs `prepare` in a checkout and for a package from Git. It builds, so it would fail here.
    expect(scripts.prepare).toBe("npm run --silent package");
    const installed = readdirSync(join(made.consumer, "node_modules"));
    expect(installed.filter((name) => !name.startsWith("."))).toEqual(["referral-auth"]);
  });

  test("names no file of this machine, and no type of Node's or of a newer TypeScript", () => {
    const ours = [root, `${homedir()}/`, join(tmpdir(), "referral-auth-")];
    for (const name of filesIn(made.folder)) {
      const text = textOf(name);
      for (const folder of ours) expect(text, name).not.toContain(folder);
      if (/\.d\.[cm]ts$/.test(name)) expect(text, name).not.toMatch(/\bBuffer\b|NodeJS\.|Uint8Array</);
    }
  });

  test("carries the licences of what is bundled", () => {
    const text = textOf("dist/third-party-licences.txt");
    for (const name of ["commander", "chalk", "cosmiconfig", "undici", "yaml"])
      expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
    // What undici embeds.
    expect(text).toMatch(/^llhttp, a part of undici\n\nMIT License\n\nCopyright Fedor Indutny, 2018\.$/m);
    expect(text).toContain("Matteo Collina");
  });

  test("is good to publint, and its types are right for every kind of import", async () => {
    const { messages } = await publint({ pkgDir: made.folder, pack: false, strict: true });
    const cli = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const { status, stdout } = spawnSync(process.execPath, [cli, "--no-color", made.tarball]);

    expect(messages).toEqual([]);
    expect(status, `${stdout}`).toBe(0);
  });

  test("gives workers its header alone: bundled for no platform, it imports node:crypto and nothing else", async () => {
    const input = join(made.consumer, "worker.mjs");
    writeFileSync(input, 'export { wsseHeader } from "referral-auth/header";\n');
    const { output } = await build({ input, platform: "neutral", external: /^node:/, write: false });

    const { code } = output[0];
    expect([...code.matchAll(/"(node:[^"]+)"/g)].map(([, name]) => name)).toEqual(["node:crypto"]);
    expect(code).not.toContain('require("');
  });
});
