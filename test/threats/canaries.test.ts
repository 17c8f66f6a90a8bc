import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { runAsChild, ways } from "../support/run.ts";

const mark = "referral-auth-canary-ran";
const commonJs = `require("node:fs").writeFileSync(__dirname + "/${mark}", ""); module.exports = { token: "c" };`;
const module = `import { writeFileSync } from "node:fs";
writeFileSync(new URL("${mark}", import.meta.url), ""); export default { token: "c" };`;
const yamlFunction = `token: !!js/function 'function () { require("node:fs").writeFileSync("${mark}", "") }()'\n`;
const redirect = { searchPlaces: ["canary.cjs"], mergeSearchPlaces: false, mergeImportArrays: true };

/** The places where a checkout can put code, or a reference to code, that a configuration loader or Node would run. */
const placements: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> = [
  ...["js", "cjs", "mjs", "ts"].flatMap((ending) =>
    [".config/config", ".config/referralrc", ".referralrc", "referral.config"].map((place) => {
      const name = `${place}.${ending}`;
      return [name, { [name]: ["js", "cjs"].includes(ending) ? commonJs : module }] as const;
    }),
  ),
  // A file that names the script beside it.
  ...[
    { ".config/config.json": { cosmiconfig: redirect, ...redirect } },
    { ".config/config.yaml": "cosmiconfig:\n  searchPlaces: [canary.cjs]\n" },
    { "package.json": { cosmiconfig: redirect, referral: { $import: "./canary.cjs" } } },
    { "package.yaml": "cosmiconfig:\n  searchPlaces: [canary.cjs]\nreferral:\n  $import: ./canary.cjs\n" },
    { ".referralrc": "$import: ./canary.cjs\n" },
    { ".referralrc.json": { $import: ["./canary.cjs"] } },
    { ".referralrc.yml": "profiles:\n  p:\n    $import: ./canary.cjs\n" },
  ].map((file) => [`${Object.keys(file)} that names a script`, { ...file, "canary.cjs": commonJs }] as const),
  ["a YAML function in .referralrc.yaml", { ".referralrc.yaml": yamlFunction }],
  ["a script as .referralrc", { ".referralrc": commonJs }],
  ...["cosmiconfig", "yaml", "chalk", "undici", "commander"].map(
    (name) => [`node_modules/${name}`, { [`node_modules/${name}/index.js`]: commonJs }] as const,
  ),
];

const ran = (folder: string, files: Readonly<Record<string, unknown>>): boolean =>
  ["", ".config", ...Object.keys(files).map((file) => join(file, ".."))].some((place) =>
    existsSync(join(folder, place, mark)),
  );

describe.each(ways)("%s, nothing in the working tree is run:", (_, run) => {
  test.each(placements)("%s", async (_name, files) => {
    const tree = folderWith({ ...files, "deeper/.keep": "" });
    for (const workingFolder of [tree, join(tree, "deeper")]) {
      const result = await run(["config", "--json"], { workingFolder });
      expect([0, 3]).toContain(result.exitCode);
      expect(result.everything).not.toContain("canary");
      expect(ran(tree, files)).toBe(false);
    }
  });
});

test("a file that --config names is only data, whatever its extension is", async () => {
  const tree = folderWith({
    "mine.cjs": commonJs,
    "mine.mjs": module,
    "import.yaml": "$import: ./mine.cjs\n",
  });
  for (const name of ["mine.cjs", "mine.mjs", "import.yaml"]) {
    expect(await runAsChild(["config", "--config", join(tree, name)])).toMatchObject({
      exitCode: 3,
      stdout: "",
    });
  }
  expect(existsSync(join(tree, mark))).toBe(false);
});

test("the canaries work: Node runs the scripts, and cosmiconfig's own search runs what it finds", () => {
  for (const ending of ["cjs", "mjs", "ts"]) {
    const tree = folderWith({ [`canary.${ending}`]: ending === "cjs" ? commonJs : module });
    execFileSync(process.execPath, [join(tree, `canary.${ending}`)], { stdio: "ignore" });
    expect(existsSync(join(tree, mark)), ending).toBe(true);
  }
  const cosmiconfig = JSON.stringify(createRequire(import.meta.url).resolve("cosmiconfig"));
  const search = `require(${cosmiconfig}).cosmiconfigSync("referral").search()`;
  const lively = placements.filter(([, files]) => {
    const tree = folderWith(files);
    try {
      execFileSync(process.execPath, ["-e", search], { cwd: tree, stdio: "ignore" });
    } catch {
      // Its exit code does not matter here.
    }
    return ran(tree, files);
  });
  expect(lively.length).toBeGreaterThanOrEqual(8);
});

test("no file in the working tree redirects the search", async () => {
  const evil = { baseUrl: "https://canary.invalid" };
  const places = { searchPlaces: ["evil.json"], cosmiconfig: { searchPlaces: ["evil.json"] } };
  const workingFolder = folderWith({
    "evil.json": evil,
    "package.json": { ...places, referral: evil },
    "package.yaml":
      "referral:\n  baseUrl: https://canary.invalid\ncosmiconfig:\n  searchPlaces: [evil.json]\n",
    ".config/config.json": places,
    ".config/config.yaml": "searchPlaces: [evil.json]\n",
    ".config/referralrc": evil,
    ".config/referralrc.json": evil,
    "referral.config.json": evil,
  });
  const result = await runAsChild(["config", "--json"], { workingFolder });
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(result.stdout).rc).toBeNull();
  expect(result.stdout).not.toContain("canary.invalid");
});
