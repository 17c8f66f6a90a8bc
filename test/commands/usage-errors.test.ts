import { expect, test } from "vitest";
import { formatNames } from "../../src/run/options.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { emptyFolder, type GivenInProcess, runInProcess } from "../support/run.ts";
import { textOfCases } from "../support/texts.ts";

const twelve = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`p${index}`, {}]));
const named = ["config --config", "test --accounts", "test --token-file", "test --ca-cert"];
const written = ["emulator --ready-file", ...formatNames.map((name) => `test --${name}`)];

/** Wrong command lines, with the rc file of the home folder. Variables may stand first. */
const lines: ReadonlyArray<readonly [line: string, rc?: object]> = [
  ["test --accounts x --accounts y"],
  ["test --accounts - --token-file -"],
  ["test --token-file - --secret-file - --username a@example.com"],
  ...formatNames.map((name) => [`test --${name} -`] as const),
  ["test --token x --token"],
  ["test --config x --no-config"],
  ["header --token --profile SECRET --profile other"],
  ["test --ndjson --json"],
  ["test --all --profile SECRET"],
  ["test --accounts SECRET --profile SECRET --profile=SECRET"],
  ["emulator --secret SECRET --accounts x command"],
  // A number or choice in a flag is wrong at once, whatever else is; anywhere else it is an invalid setting.
  ["config --base-url nowhere --timeout soon"],
  ["REFERRAL_TIMEOUT=soon test"],
  ["header --wsse", { username: "a@example.com", secret: "s", hash: "md5" }],
  ["config --token-file x --token=SECRET"],
  ["test --profile p", { profiles: { p: { secret: "a", secretCommand: ["b"] } } }],
  // The rc file, and its profiles: the error lists ten, the nearest first, none with a secret.
  ["config --config none"],
  ["config --config /dev/null"],
  ["config --all"],
  ["config --profile a", { profiles: { ["b".repeat(1_001)]: {} } }],
  ["config --profile prod", { profiles: { ...twelve, "eu-Prod": {}, production: {} } }],
  ["config --profile c0ff", { token: planted.token, profiles: { [`of ${planted.token}`]: {}, north: {} } }],
  ...["test --token-file name\r", "config --profile north\r"].map((line) => [line] as const),
  // Words that are no command and no option. A name is shown only where it cannot be a value.
  ...["SECRET", "tset", "completion", "completion csh"].map((line) => [line] as const),
  ...["--json test", "--versoin", "--token=SECRET test", "\u2014help"].map((line) => [line] as const),
  ...["-k", "-x SECRET", "-HX-Auth-Token:SECRET", "-uuser:SECRET", "-L", "-XGET"].map(
    (words) => [`test ${words}`] as const,
  ),
  ...["--bogus=SECRET", "-z", "-zSECRET", "--tokenSECRET", "--url x", "-token SECRET", "--wsse=x"].map(
    (words) => [`test ${words}`] as const,
  ),
  ...["--base-url", "https://a.example", "--token a b", ""].map((words) => [`test ${words}`] as const),
  ...["-\u2013SECRET", "--json\r", "--to\u200bken=SECRET"].map((words) => [`test ${words}`] as const),
  ...["emulator --port 80\u00a0", "emulator -p8080"].map((line) => [line] as const),
];

/** What standard error says, with the code. FOLDER is the home folder. */
async function told(line: string, rc?: object, more: GivenInProcess = {}) {
  const words = line.replaceAll("SECRET", planted.secret).split(" ");
  const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const args = words.slice(start);
  const variables = words.slice(0, start).map((word) => word.split("="));
  const environment = { REFERRAL_BASE_URL: "https://127.0.0.1:1", REFERRAL_TOKEN: "a-token" };
  const homeFolder = rc === undefined ? emptyFolder : folderWith({ ".referralrc": rc });
  const given: GivenInProcess = {
    ...{ homeFolder, workingFolder: folderWith(), stdin: "x" },
    environment: { ...environment, ...Object.fromEntries(variables) },
    ...more,
  };
  const { exitCode, stdout, stderr } = await runInProcess(args, given);
  if (!words.includes("--json")) expect(stdout, line).toBe("");
  return `${exitCode} ${stderr.replaceAll(homeFolder, "FOLDER").trim().replace(/\s+/g, " ")}`;
}

// The text is changed with `npx vitest run test/commands --update`, and read as a diff.
test("all that wrong command lines are told is the text beside this test", async () => {
  const said: (readonly [string, string])[] = [];
  for (const [line, rc] of lines) {
    const title = rc === undefined ? line : `${line} (${Object.keys(rc)})`;
    said.push([title.replace("\r", "\\r"), await told(line, rc)]);
  }
  await expect(textOfCases(said)).toMatchFileSnapshot("usage-errors.txt");
});

test.each([...named, ...written])(
  "with a working folder that was deleted, %s is refused, and no file is written elsewhere",
  async (words) => {
    const openTarget = () => {
      throw new Error("written");
    };
    const broken = () => ({ workingFolder: null, openTarget });
    expect(await told(`${words} name`, {}, { broken })).toMatch(/^3 Error: The working directory no longer/);
  },
);

const [ofTest, ofOthers] = [
  ["checks", "error", "exitCode", "linesRead", "notChecked", "notRead", "ok", "schemaVersion", "version"],
  ["error", "exitCode", "ok", "schemaVersion", "version"],
];
test.each<[string, string[] | null]>([
  ["test --nothing --json", ofTest],
  ["test --json", ofTest],
  ["emulator --json --nothing", ofOthers],
  // The word is a value, or belongs to another command.
  ["test --base-url --json", null],
  ["test -- --json", null],
  ["header --json", null],
])("the error of %j is a document with the keys %j", async (line, keys) => {
  const { stdout, stderr } = await runInProcess(line.split(" "));
  expect(stdout === "" ? null : Object.keys(JSON.parse(stdout)).toSorted()).toEqual(keys);
  expect(stderr).toMatch(/^Error: /);
});
