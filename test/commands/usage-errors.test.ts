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
  ...["--accounts=", "--accounts x --accounts y"].map((words) => [`test ${words}`] as const),
  ...["token", "secret"].map((name) => [`test --accounts - --${name}-file -`] as const),
  ["test --token-file - --secret-file - --username a@example.com"],
  ...formatNames.flatMap((name) => [[`test --${name}=`], [`test --${name} -`]] as const),
  ...["--token x --token", "--token --token x", "--token --token"].map((words) => [`test ${words}`] as const),
  ...["--config x --no-config", "--no-config --config x"].map((words) => [`test ${words}`] as const),
  ["header --token --profile SECRET --profile other"],
  ["config --profile SECRET --profile other"],
  ["test --ndjson --json"],
  ["test --all --profile SECRET"],
  ["test --accounts SECRET --profile SECRET --profile=SECRET"],
  ["test --all --accounts=SECRET"],
  ["config --profile=SECRET --all"],
  ["test --report a.xml"],
  ["test a.csv"],
  ["test a.csvx"],
  ["config --show-secrets"],
  ["test --accounts https://a.example/x.csv --base-url http://127.0.0.1:1"],
  ["emulator --listen 8080"],
  ["emulator --delay 5"],
  ["emulator --nothing"],
  ["emulator --accounts x --token=SECRET"],
  ["emulator --username SECRET --accounts x"],
  ["emulator --secret SECRET --accounts x command"],
  // A number or choice in a flag is wrong at once, whatever else is; anywhere else it is an invalid setting.
  ["config --base-url nowhere --timeout soon"],
  ["config --base-url nowhere --hash SECRET"],
  ["REFERRAL_TIMEOUT=soon test"],
  ["header --wsse", { username: "a@example.com", secret: "s", hash: "md5" }],
  ["config --token-file x --token=SECRET"],
  ["REFERRAL_TOKEN_FILE=x test"],
  ["test", { token: "a", tokenFile: "b" }],
  ["test --profile p", { profiles: { p: { secret: "a", secretCommand: ["b"] } } }],
  // The rc file, and its profiles: the error lists ten, the nearest first, none with a secret.
  ["config --config="],
  ["config --config none"],
  ["REFERRAL_CONFIG=none config"],
  ["config --config /dev/null"],
  ["config --all"],
  ["config --all", {}],
  ["config --profile a"],
  ["config --profile a", {}],
  ["config --profile a", { profiles: { ["b".repeat(1_001)]: {} } }],
  ["test --profile north --profile nort", { profiles: { north: {}, ...twelve } }],
  ["config --profile prod", { profiles: { ...twelve, "eu-Prod": {}, production: {} } }],
  ["config --profile prod", { profiles: { "eu-prod": {}, prd: {} } }],
  ["config --profile tset", { profiles: { test: {} } }],
  ["config --profile c0ff", { token: planted.token, profiles: { [`of ${planted.token}`]: {}, north: {} } }],
  ...[...named, ...written].map((words) => [`${words} name\r`] as const),
  ["REFERRAL_CONFIG=name\r config"],
  ["REFERRAL_CA_CERT=name\r test"],
  ["config --profile north\r"],
  // What other programs call ours, and what they have and this one has not.
  ...["login", "check", "whoami", "init", "serve", "headers", "deploy", "version"].map(
    (word) => [word] as const,
  ),
  // The second word is the one that is wrong, whatever the first is.
  ["test test"],
  ["test -4"],
  ["test -5SECRET"],
  ...[
    ...["retries 3", "parallel 3", "jobs 3", "debug", "format json", "root-ca x", "env-file .env", "dry-run"],
    ...[
      "no-verify-ssl",
      "output json",
      "colour",
      "csv SECRET",
      "stage prod",
      "http1.1",
      "basic",
      "log-level debug",
    ],
  ].map((words) => [`test --${words}`] as const),
  ...["set token SECRET", "get token", "list", "SECRET"].map((words) => [`config ${words}`] as const),
];

/** What standard error says, with the code. FOLDER is the home folder. */
async function told(line: string, rc?: object, more: GivenInProcess = {}) {
  const words = line.replaceAll("SECRET", planted.secret).split(" ");
  const args = words.slice(words.findIndex((word) => /^[a-z]/.test(word)));
  const variables = words.slice(0, -args.length).map((word) => word.split("="));
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
  ["test --retry x --json", ofTest],
  ["test --json --base-url", ofTest],
  ["test --json", ofTest],
  ["config --json --config /gone.json", ofOthers],
  ["emulator --json --nothing", ofOthers],
  // The word is a value, or belongs to another command.
  ["test --base-url --json", null],
  ["test -- --json", null],
  ["emulator --port x command --json", null],
  ["header --json", null],
])("the error of %j is a document with the keys %j", async (line, keys) => {
  const { stdout, stderr } = await runInProcess(line.split(" "));
  expect(stdout === "" ? null : Object.keys(JSON.parse(stdout)).toSorted()).toEqual(keys);
  expect(stderr).toMatch(/^Error: /);
});
