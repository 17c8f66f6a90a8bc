import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { rcSchema } from "../scripts/write-schema.ts";
import { exitCodeOf, exitCodes } from "../src/exit-codes.ts";
import { methodParts } from "../src/settings/definition.ts";
import { definitionOf, keyOf, settingNames } from "../src/settings/table.ts";
import { folderWith } from "./support/folder.ts";
import { runInProcess } from "./support/run.ts";
import { expectResultDocument, validatorOf } from "./support/schema.ts";
import { serveAlways } from "./support/serve.ts";

const textOf = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
const shipped = (name: string): unknown => JSON.parse(textOf(`schema/${name}.schema.json`));
const example = textOf(".referralrc.example");
/** The example with every commented key in use. */
const everything = example.replace(/^# {1,5}(?=[a-zA-Z]+:(?: |$))/gm, (mark) => mark.slice(2));

test("the schema of the rc file is derived from the table of settings (npm run schema)", () => {
  expect(shipped("referralrc")).toEqual(JSON.parse(JSON.stringify(rcSchema())));
});

test("the schema of the result names every outcome, method and exit code", () => {
  const schema = shipped("result") as {
    properties: { exitCode: { enum: number[] } };
    $defs: { check: { properties: { outcome: { enum: string[] }; method: { enum: string[] } } } };
  };
  expect(schema.properties.exitCode.enum).toEqual(exitCodes.map(({ code }) => code));
  expect(schema.$defs.check.properties.outcome.enum.toSorted()).toEqual(Object.keys(exitCodeOf).toSorted());
  expect(schema.$defs.check.properties.method.enum).toEqual([...Object.keys(methodParts), null]);
});

test("the check of every run's document can fail", () => {
  expect(() => expectResultDocument(["test", "--json"], '{"schemaVersion":1}')).toThrow();
});

test.each([
  [parse(example), true],
  [parse(everything), true],
  [{ token: 1 }, false],
  [{ digest: "md5" }, false],
  [{ profiles: { a: { b: 1 } } }, false],
])("an rc file with known keys, types and choices fits the schema: %j, %s", (rc, fits) => {
  expect(validatorOf("referralrc")(rc)).toBe(fits);
});

test.each(["", "File", "Command"])("the example works when copied, and with token%s in use", async (kept) => {
  // A secret, its file and its command exclude each other.
  const exclusive = /^(?:token|secret)(File|Command|):.*$/gm;
  const used = everything.replace(exclusive, (line, kind) => (kind === kept ? line : ""));
  for (const [text, name, value] of [
    [example, "baseUrl", "https://api.example.com/v1"],
    [used, "username", "me@example.com"],
  ] as const) {
    const homeFolder = folderWith({ ".referralrc": text });
    // Without a secret in it, others may read it.
    if (text === example) chmodSync(join(homeFolder, ".referralrc"), 0o644);
    const result = await runInProcess(["config", "--json"], { homeFolder });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(result.stdout).settings).toContainEqual(expect.objectContaining({ name, value }));
  }
});

const tokenFile = "tokenFile: ./referral-token";
const fileToken = "fedcba9876543210fedcba9876543210fedcba98";

test.each([
  ["tokenFile works in the home folder", "homeFolder", tokenFile, [], fileToken],
  ["tokenFile needs more in a project's folder", "workingFolder", tokenFile, [], null],
  ["tokenFile works there with --config", "workingFolder", tokenFile, ["--config", ".referralrc"], fileToken],
] as const)("the example says truly: %s", async (_, place, line, args, arrives) => {
  const api = await serveAlways();
  expect(example).toContain(`\n# ${line}\n`);
  const text = example.replace(`# ${line}\n`, `${line}\n`).replace(/^baseUrl: .*$/m, `baseUrl: ${api.url}`);
  const folder = folderWith({ ".referralrc": text, "referral-token": `${fileToken}\n` });
  const run = await runInProcess(["test", ...args], { [place]: folder });
  expect(run.exitCode, run.everything).toBe(arrives === null ? 3 : 0);
  const arrived = api.requests.map(({ headers }) => headers["x-auth-token"]);
  expect(arrived).toEqual(arrives === null ? [] : [arrives]);
  const advice = /give --base-url yourself, or .* --config \S+\.referralrc/;
  if (arrives === null) expect(run.stderr.replace(/\s+/g, " ")).toMatch(advice);
});

test("every key of the settings is in the example, commented or not, and every choice is named", () => {
  const choices = settingNames.flatMap((name) => definitionOf(name).choices ?? []);
  const named = new Set(example.match(/[\w-]+/g));
  expect(settingNames.map(keyOf).filter((key) => !new RegExp(`^(?:# )?${key}: `, "m").test(example))).toEqual(
    [],
  );
  expect(choices.filter((choice) => !named.has(choice))).toEqual([]);
  expect(choices.length).toBeGreaterThan(5);
});
