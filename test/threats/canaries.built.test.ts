import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { built, runAsChild, ways } from "../support/run.ts";

const mark = "referral-auth-canary-ran";
const commonJs = `require("node:fs").writeFileSync(__dirname + "/${mark}", ""); module.exports = { token: "c" };`;
const module = `import { writeFileSync } from "node:fs";
writeFileSync(new URL("${mark}", import.meta.url), ""); export default { token: "c" };`;
const yamlFunction = `token: !!js/function 'function () { require("node:fs").writeFileSync("${mark}", "") }()'\n`;
const redirect = { searchPlaces: ["canary.cjs"], mergeSearchPlaces: false, mergeImportArrays: true };
const evil = { baseUrl: "https://canary.invalid" };
const toEvil = { searchPlaces: ["evil.json"], cosmiconfig: { searchPlaces: ["evil.json"] } };

type Files = Readonly<Record<string, unknown>>;
/** What a checkout can hold: code that a configuration loader or Node would run, or what leads to such code or to other settings. */
const placements: readonly Files[] = [
  ...["js", "cjs", "mjs", "ts"].flatMap((ending) =>
    [".config/config", ".config/referralrc", ".referralrc", "referral.config"].map((place) => ({
      [`${place}.${ending}`]: ["js", "cjs"].includes(ending) ? commonJs : module,
    })),
  ),
  ...[
    { ".config/config.json": { cosmiconfig: redirect, ...redirect } },
    { ".config/config.yaml": "cosmiconfig:\n  searchPlaces: [canary.cjs]\n" },
    { "package.json": { cosmiconfig: redirect, referral: { $import: "./canary.cjs" } } },
    { "package.yaml": "cosmiconfig:\n  searchPlaces: [canary.cjs]\nreferral:\n  $import: ./canary.cjs\n" },
    { ".referralrc": "$import: ./canary.cjs\n" },
    { ".referralrc.json": { $import: ["./canary.cjs"] } },
    { ".referralrc.yml": "profiles:\n  p:\n    $import: ./canary.cjs\n" },
  ].map((file) => ({ ...file, "canary.cjs": commonJs })),
  ...[
    { "package.json": { ...toEvil, referral: evil } },
    { "package.yaml": `referral: ${JSON.stringify(evil)}\ncosmiconfig:\n  searchPlaces: [evil.json]\n` },
    { ".config/config.json": toEvil },
    { ".config/config.yaml": "searchPlaces: [evil.json]\n" },
    { ".config/referralrc": evil, ".config/referralrc.json": evil, "referral.config.json": evil },
  ].map((files) => ({ ...files, "evil.json": evil })),
  { ".referralrc.yaml": yamlFunction },
  { ".referralrc": commonJs },
  ...["cosmiconfig", "yaml", "chalk", "undici", "commander"].map((name) => ({
    [`node_modules/${name}/index.js`]: commonJs,
  })),
];

const ran = (folder: string, files: Files): boolean =>
  ["", ...Object.keys(files).map(dirname)].some((place) => existsSync(join(folder, place, mark)));

describe.each(ways)("%s, nothing in the working tree is run or redirects the search:", (_, run) => {
  test.each(placements.map((files) => [Object.keys(files).join(", "), files] as const))(
    "%s",
    async (_, files) => {
      const tree = folderWith({ ...files, "deeper/.keep": "" });
      for (const workingFolder of [tree, join(tree, "deeper")]) {
        const { exitCode, everything } = await run(["config", "--json"], { workingFolder });
        expect([0, 3]).toContain(exitCode);
        expect(everything).not.toContain("canary");
        expect(ran(tree, files)).toBe(false);
      }
    },
  );
});

test("a process runs nothing of its working directory, nor what --config names there, whatever its extension is", async () => {
  const named = { "mine.cjs": commonJs, "mine.mjs": module, "import.yaml": "$import: ./mine.cjs\n" };
  const searched = /^\.referralrc(?:\.json|\.ya?ml)?(?:,|$)/;
  const unsearched = placements.filter((files) => !searched.test(Object.keys(files).join()));
  const files = Object.assign({}, ...unsearched.toReversed(), named);
  const workingFolder = folderWith(files);
  const { stdout } = await runAsChild(["config", "--json"], { workingFolder });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, rc: null });
  expect(stdout).not.toContain("canary");
  for (const name of Object.keys(named)) {
    const { exitCode, stdout } = await runAsChild(["config", "--config", name], { workingFolder });
    expect([exitCode, stdout]).toEqual([3, ""]);
  }
  expect(ran(workingFolder, files)).toBe(false);
});

// Starts a process for each of them, so `npm test` leaves it out.
test.runIf(built)("the canaries work: cosmiconfig's own search runs what it finds", () => {
  const cosmiconfig = JSON.stringify(createRequire(import.meta.url).resolve("cosmiconfig"));
  const search = `require(${cosmiconfig}).cosmiconfig("referral").search()`;
  const lively = placements.filter((files) => {
    const tree = folderWith(files);
    try {
      execFileSync(process.execPath, ["-e", search], { cwd: tree, stdio: "ignore" });
    } catch {
      // Its exit code does not matter here.
    }
    return ran(tree, files);
  });
  const endings = lively.flatMap((files) => Object.keys(files)).map((file) => /\w+$/.exec(file)?.[0]);
  expect(endings).toEqual(expect.arrayContaining(["js", "cjs", "mjs", "ts", "json", "yaml"]));
});
