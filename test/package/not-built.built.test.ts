import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { childNode, emptyFolder } from "../support/run.ts";
import { root } from "./packed.ts";

/** A checkout without node_modules and dist. */
function checkout(): string {
  const folder = join(folderWith(), "checkout");
  mkdirSync(folder);
  for (const name of ["bin", "scripts", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  return folder;
}

test("npm test without the development dependencies says in one line what to run", () => {
  const { stdout, stderr, status } = spawnSync("npm", ["test"], { cwd: checkout(), encoding: "utf8" });

  expect(stderr).toBe("The development dependencies are not installed. Run: npm ci --include=dev\n");
  expect(stdout.replace(/^(?:> .*)?\n/gm, "")).toBe("");
  expect(status).toBe(1);
});

test("a program that may not read its own files says in one line what forbids it", () => {
  const launcher = join(root, "bin/launch.cjs");
  const flag =
    Number(process.versions.node.split(".")[0]) < 22 ? "--experimental-permission" : "--permission";
  const args = [
    "--no-warnings",
    flag,
    `--allow-fs-read=${launcher}`,
    `--allow-fs-read=${join(root, "package.json")}`,
  ];
  const { stdout, stderr, status } = spawnSync(childNode, [...args, launcher, "test"], { encoding: "utf8" });

  expect(stderr).toMatch(
    /^referral-auth cannot read its files in .+: Access to this API has been restricted.*\n$/,
  );
  expect([stdout, status]).toEqual(["", 2]);
});

test("a program that is not built says in one line what to run", () => {
  const folder = checkout();
  const launcher = join(folder, "bin/launch.cjs");
  const { stdout, stderr, status } = spawnSync(childNode, [launcher, "test"], { encoding: "utf8" });

  expect(stderr).toBe(
    `referral-auth is not built. Run in ${folder}: npm ci --include=dev && npm run build\n`,
  );
  expect([stdout, status]).toEqual(["", 2]);
});

/** An installed package whose bundle has this content, or none; and the path of its bundle. */
function installed(bundle?: string): { readonly folder: string; readonly file: string } {
  const folder = folderWith(bundle === undefined ? {} : { "dist/referral-auth.cjs": bundle });
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  return { folder, file: join(folder, "dist/referral-auth.cjs") };
}

test.each([
  ["missing", undefined],
  ["empty", ""],
  ["cut off", "// a hash\n(function (exports, require, module) {\nconst text = `half"],
])(
  "a package whose bundle is %s says in one line to install it again, and a checkout to build it",
  (_, bundle) => {
    const { folder, file } = installed(bundle);
    const run = () => spawnSync(childNode, [join(folder, "bin/launch.cjs"), "test"], { encoding: "utf8" });
    const { stdout, stderr, status } = run();
    expect(stderr).toBe(
      `referral-auth is not whole: ${file} is missing or cut off. Install the package again; link to its launcher, do not copy it.\n`,
    );
    expect([stdout, status]).toEqual(["", 2]);

    cpSync(join(root, "scripts/build.js"), join(folder, "scripts/build.js"));
    expect(run().stderr).toMatch(/^referral-auth is not built\. Run in [^\n]+\n$/);
  },
);

test("a link to the launcher that Node does not follow starts the program", () => {
  const link = join(folderWith(), "referral-auth");
  symlinkSync(join(root, "bin/launch.cjs"), link);
  const run = (flags: readonly string[]) =>
    spawnSync(childNode, [...flags, link, "config", "--json"], { encoding: "utf8", cwd: emptyFolder });
  const { stdout, stderr, status } = run(["--preserve-symlinks-main"]);
  expect([stdout, stderr, status]).toEqual([run([]).stdout, "", 0]);
});
