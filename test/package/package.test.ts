import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { childNode } from "../support/run.ts";
import { type Packed, packed, root } from "./packed.ts";

let made: Packed;
beforeAll(() => {
  made = packed();
});
afterAll(() => made?.remove());

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

const manifestOf = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** What publint says of a package's folder. */
const publintOf = async (pkgDir: string): Promise<readonly string[]> =>
  (await publint({ pkgDir, pack: false, strict: true })).messages.map(({ code }) => code);

/** are-the-types-wrong on a package, which exits with 1 where they are. */
function typesChecked(what: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  const cli = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
  return spawnSync(process.execPath, [cli, "--no-color", ...what], { encoding: "utf8" });
}

/** A copy of the package whose types stand where only some look for them. */
function brokenCopy(): string {
  const folder = join(folderWith(), "package");
  cpSync(made.folder, folder, { recursive: true });
  const { scripts: _, exports: __, ...rest } = manifestOf(folder);
  const manifest = { ...rest, types: "./dist/index.d.cts", exports: { types: "./dist/missing.d.ts" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  return folder;
}

describe("the package", () => {
  test("holds what is needed and nothing else", () => {
    const inside = /^dist\/library\/(?:types\/(?:[\w/-]+\.d\.ts|package\.json)|shared\/[\w-]+\.[cm]js)$/;
    expect(filesIn(made.folder).filter((name) => !inside.test(name))).toEqual([
      ".referralrc.example",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "bin/launch.cjs",
      ...["emulator", "header", "index"].flatMap((entry) =>
        ["cjs", "d.cts", "d.mts", "mjs"].map((ending) => `dist/library/${entry}.${ending}`),
      ),
      "dist/referral-auth.1",
      "dist/referral-auth.cjs",
      "dist/third-party-licences.txt",
      ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
      "examples/check-account.ts",
      "package.json",
      "schema/referralrc.schema.json",
      "schema/result.schema.json",
    ]);
  });

  test("holds every file that one of its pages links", () => {
    for (const page of filesIn(made.folder).filter((name) => name.endsWith(".md"))) {
      const text = readFileSync(join(made.folder, page), "utf8");
      const linked = [...text.matchAll(/\]\((?!https:)([^)#]+)[^)]*\)/g)].map(([, path = ""]) => path);
      const missing = linked.filter((path) => !existsSync(join(made.folder, dirname(page), path)));
      expect(missing, page).toEqual([]);
    }
  });

  test("is under 1.7 MB unpacked", () => {
    const sizes = filesIn(made.folder).map((name) => statSync(join(made.folder, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_700_000);
  });

  test("leaves out what its own runs keep in it, when it is packed again", () => {
    const copy = join(folderWith(), "package");
    cpSync(made.folder, copy, { recursive: true });
    execFileSync(childNode, [join(copy, "bin/launch.cjs"), "--help"], { env: {} });
    expect(filesIn(join(copy, "dist/cache"))).toHaveLength(1);

    const pack = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
    const [packed] = JSON.parse(execFileSync("npm", pack, { cwd: copy, encoding: "utf8" }));

    const names = packed.files.map((file: { path: string }) => file.path).sort();
    expect(names).toEqual(filesIn(made.folder));
  });

  test("brings nothing along and runs nothing when it is installed", () => {
    const manifest = manifestOf(made.folder);
    for (const kind of ["dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"])
      expect(manifest).not.toHaveProperty(kind);
    for (const step of ["preinstall", "install", "postinstall", "prepare"])
      expect(manifest.scripts).not.toHaveProperty(step);
    expect(readdirSync(join(made.consumer, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "referral-auth",
    ]);
  });

  test("names no file of this machine", () => {
    for (const name of filesIn(made.folder)) {
      const text = readFileSync(join(made.folder, name), "utf8");
      for (const folder of [root, `${homedir()}/`, join(tmpdir(), "referral-auth-")])
        expect(text, name).not.toContain(folder);
    }
  });

  test("has types that need neither Node's nor those of a newer TypeScript", () => {
    for (const name of filesIn(made.folder).filter((file) => file.endsWith(".d.ts")))
      expect(readFileSync(join(made.folder, name), "utf8"), name).not.toMatch(
        /\bBuffer\b|NodeJS\.|Uint8Array</,
      );
  });

  test("carries the licences of what is bundled", () => {
    const text = readFileSync(join(made.folder, "dist/third-party-licences.txt"), "utf8");
    for (const name of ["commander", "chalk", "cosmiconfig", "undici", "yaml"])
      expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
    // What undici embeds.
    expect(text).toContain("llhttp, a part of undici\nCopyright Fedor Indutny, 2018.");
    expect(text).toContain("Matteo Collina");
  });

  test("is good to publint, which sees a broken copy", async () => {
    expect(await publintOf(made.folder)).toEqual([]);
    expect(await publintOf(brokenCopy())).not.toEqual([]);
  });

  test("has types that are right for every kind of import, and a broken copy has not", () => {
    expect(typesChecked([made.tarball])).toMatchObject({ status: 0 });
    expect(typesChecked(["--pack", brokenCopy()])).toMatchObject({ status: 1 });
  });
});
