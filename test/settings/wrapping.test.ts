import { expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { formatNames } from "../../src/run/options.ts";
import type { Environment } from "../../src/settings/source.ts";
import { definitionOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf, runInProcess } from "../support/run.ts";
import { file, level, settingsOf, type Values, variables } from "./settings-of.ts";

const valid: Required<Values> = {
  baseUrl: "https://api.example",
  token: "token",
  tokenFile: "token.txt",
  tokenCommand: "[]",
  username: "me@example.com",
  secret: "secret",
  secretFile: "secret.txt",
  secretCommand: "[]",
  digest: "text-nonce",
  hash: "sha1",
  authorization: "wsse",
  timeout: "5",
  retry: "5",
  concurrency: "5",
  maxWait: "5",
  proxy: "http://proxy.example",
  caCert: "ca.pem",
};
const windows = "ends with a carriage return: Windows line ends";
const quoted = "begins and ends with a quotation mark";
const toConvert = "Convert the file that it comes from: dos2unix FILE, or tr -d '\\r' <FILE >NEW";
const kinds = [
  variables,
  (values: Values) => file("yours", values),
  (values: Values) => level(values, (key) => ({ kind: "account-line", line: 1, key })),
  (values: Values) => level(values, (key) => ({ kind: "option", option: key })),
];
const problemOf = (name: SettingName, text: string, given = variables) =>
  settingsOf([given({ [name]: text })]).get(name).problem;

const texts = settingNames.filter((name) => definitionOf(name).kind !== "command");
test.each(texts)("Windows line ends of %s are told apart, wherever it is set", (name) => {
  for (const given of kinds) {
    expect(problemOf(name, valid[name], given)).toBeNull();
    const problem = problemOf(name, `${valid[name]}\r`, given);
    expect(problem).toMatchObject({ kind: "settings", hint: toConvert });
    expect(problem?.message).toMatch(new RegExp(`${windows}$`));
  }
});

test.each(texts)("quotation marks around %s are told apart, unless they may belong to it", (name) => {
  const isSecret = definitionOf(name).kind === "secret";
  for (const mark of ['"', "'"]) {
    const message = problemOf(name, mark + valid[name] + mark)?.message ?? null;
    // A username in ' can be sent, as a secret can.
    if (isSecret || (name === "username" && mark === "'")) expect(message).toBeNull();
    else expect(message).toMatch(new RegExp(`${quoted}$`));
  }
});

test.each<readonly [string, readonly string[], Environment]>([
  ["--config", ["config", "--config", "rc\r"], {}],
  ["REFERRAL_CONFIG", ["config"], { REFERRAL_CONFIG: "rc\r" }],
  ["--accounts", ["test", "--accounts", "lines\r"], {}],
  ...formatNames.map((name) => [`--${name}`, ["test", `--${name}`, "report\r"], {}] as const),
  ["--ready-file", ["emulator", "--ready-file", "ready\r"], {}],
  ["REFERRAL_TOKEN_FILE", ["header", "--token"], { REFERRAL_TOKEN_FILE: "token\r" }],
  ["REFERRAL_CA_CERT", ["test"], { REFERRAL_CA_CERT: "ca\r", REFERRAL_TOKEN: "token" }],
  ["The name of the chosen profile", ["config"], { REFERRAL_PROFILE: "north\r" }],
  ["The name of the chosen profile", ["config", "--profile", "north\r"], {}],
])("Windows line ends of %s are told apart: %j", async (place, args, more) => {
  const environment = { REFERRAL_BASE_URL: "https://127.0.0.1:1", ...more };
  const run = await runInProcess(args, { environment, workingFolder: folderWith() });
  expect(run).toMatchObject({ exitCode: 3, stdout: "" });
  expect(run.stderr).toContain(`Error: ${place} ${windows}\n`);
});

test.each([
  "config --config rc",
  "test --accounts lines",
  "test --token-file token",
  "test --ca-cert ca",
  ...formatNames.map((name) => `test --${name} report`),
  "emulator --ready-file ready",
])(
  "with a working folder that was deleted, %s is refused, and no file is written elsewhere",
  async (args) => {
    const written: string[] = [];
    const context = contextOf(args.split(" "), {
      environment: { REFERRAL_BASE_URL: "https://127.0.0.1:1", REFERRAL_TOKEN: "x" },
    });
    const openTarget: typeof context.openTarget = (path) => {
      written.push(path);
      throw new Error("written");
    };
    expect(await main({ ...context, workingFolder: null, openTarget })).toBe(3);
    expect(context.stderr.text).toMatch(
      /^Error: The working directory no longer exists, or its path is not UTF-8\n/,
    );
    expect(written).toEqual([]);
  },
);
