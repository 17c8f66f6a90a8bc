import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import { exitCodes } from "../../src/exit-codes.ts";
import { definitionOf, settingNames } from "../../src/settings/table.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf } from "../support/run.ts";
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
  test("holds what is needed and nothing else, under 2.2 MB", () => {
    const sizes = filesIn(made.folder).map((name) => statSync(join(made.folder, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_200_000);
    const inside = /^dist\/library\/shared\/[\w-]+\.[cm]js$/;
    expect(filesIn(made.folder).filter((name) => !inside.test(name))).toEqual([
      ...[".referralrc.example", "CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"],
      "bin/launch.cjs",
      "bin/run.cjs",
      ...["emulator", "header", "index"].flatMap((entry) =>
        ["cjs", "d.cts", "d.mts", "mjs"].map((ending) => `dist/library/${entry}.${ending}`),
      ),
      ...["dist/referral-auth.1", "dist/referral-auth.cjs", "dist/third-party-licences.txt"],
      ...committed("docs").filter((page) => !ofTheProject.includes(page)),
      ...["examples/check-account.ts", "package.json"],
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
});

describe("the manual page", () => {
  const nothing = () => {};
  const { commands } = buildProgram(contextOf([]), nothing, nothing);
  /** The text as the page has it, in roff. */
  const roff = (text: string): string =>
    text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("…", "\\[u2026]");
  const page = (): string => textOf("dist/referral-auth.1");
  /** The part of the page below a heading, up to the next one. */
  const below = (heading: string): string =>
    page()
      .split(/^\.S[HS] /m)
      .find((part) => part.startsWith(heading)) ?? "";

  test.each(commands.map((command) => command.name()))("has the help of %s as it is", (name) => {
    const help = readFileSync(join(root, `test/commands/help/${name}.txt`), "utf8");
    expect(page()).toContain(roff(help.trim()).replace(/\n\n+/g, "\n.sp\n"));
  });

  test("is ASCII, and has every exit code and variable, no entry without a name and no text that is taken for a request", () => {
    for (const { code, meaning } of exitCodes)
      expect(below("EXIT STATUS")).toContain(`\\fB${code}\\fR\n${roff(meaning)}\n`);
    for (const variable of settingNames.flatMap((name) => definitionOf(name).variables))
      expect(below("ENVIRONMENT")).toContain(`\\fB${variable}\\fR`);
    // What only rc files set has no variable.
    expect(settingNames.filter((name) => definitionOf(name).variables.length === 0)).not.toEqual([]);
    expect(page()).not.toMatch(/^\.TP\n\n/m);
    expect(page()).toMatch(/^[\n\x20-\x7e]+$/);
    const requests = page().match(/^[.'].*/gm) ?? [];
    expect(requests.filter((line) => !/^\.(?:TH|SH|SS|TP|PP|nh|nf|fi|sp)\b/.test(line))).toEqual([]);
  });

  test("is where man looks for it after a global installation", () => {
    const prefix = folderWith();
    const options = ["--global", "--offline", "--loglevel=error", "--prefix", prefix];
    execFileSync("npm", ["install", ...options, made.tarball], { stdio: ["ignore", "ignore", "inherit"] });

    expect(readFileSync(join(prefix, "share/man/man1/referral-auth.1"), "utf8")).toBe(page());
  });
});
