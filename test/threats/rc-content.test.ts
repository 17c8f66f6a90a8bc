import { describe, expect, test } from "vitest";
import { definitionOf, settingNames } from "../../src/settings/table.ts";
import { leaks, planted } from "../support/planted.ts";
import { config, rcNames, refuses, valuesOf } from "./rc.ts";

const numberKeys = settingNames.filter((name) => definitionOf(name).kind === "number");
const textKeys = settingNames.filter((name) => !["number", "command"].includes(definitionOf(name).kind));

// What YAML reads as something else than the text that stands there: an account's secret may look like each of them.
const otherTypes = [
  "1e5",
  "12345",
  "0x1F",
  "0o17",
  "007",
  ".5",
  "-1",
  ".inf",
  ".NaN",
  "true",
  "FALSE",
  "null",
  "~",
  "",
  "[a]",
  "{a: b}",
];

describe.each(textKeys)("the text setting %s", (key) => {
  test.each(otherTypes)("may not be %j: the error says to write it in quotes", async (value) => {
    for (const [line, indent, head] of [
      [2, "", ""],
      [4, "    ", "profiles:\n  p:\n"],
    ] as const) {
      const run = await config(`# ${planted.secret}\n${head}${indent}${key}: ${value}\n`);
      refuses(
        run,
        `line ${line} sets ${key} to something that is not text`,
        `Write it in quotes: ${key}: "…"`,
      );
      if (value.length > 3) expect(run.stderr).not.toContain(value);
    }
  });

  test.each([12345, 1e5, true, null, ["a"], { a: "b" }])("may not be %j in JSON either", async (value) => {
    const name = ".referralrc.json";
    refuses(await config({ [key]: value }, name), `sets ${key} to something that is not text`, "in quotes");
  });
});

test.each(numberKeys)("the number setting %s may not be text", async (key) => {
  refuses(await config({ [key]: planted.secret }), `sets ${key} to something that is not a number`);
  refuses(await config(`${key}: .inf\n`));
});

describe.each(rcNames)("%s", (name) => {
  const text = `{ "baseUrl": "https://api.example.com",\n\t"token": "${planted.token}" }\n`;
  test.each([
    ["as it is", text],
    ["with a byte order mark", `\ufeff${text}`],
    ["with CRLF", text.replaceAll("\n", "\r\n")],
    ["with both", `\ufeff${text.replaceAll("\n", "\r\n")}`],
    ["without a last line end", text.trimEnd()],
    ["indented with tabs", JSON.stringify(JSON.parse(text), null, "\t")],
  ])("is read %s", async (_, content) => {
    const run = await config(content, name);
    expect(run, run.everything).toMatchObject({ exitCode: 0, stderr: "" });
    expect(valuesOf(run)).toMatchObject({ baseUrl: "https://api.example.com", token: "[secret]" });
    expect(leaks(run.everything)).toEqual([]);
  });

  test.each(["", "\n", "# nothing yet\n", "\ufeff", "null"])(
    "that says nothing (%j) sets nothing",
    async (content) => {
      const run = await config(content, name);
      expect(run, run.everything).toMatchObject({ exitCode: 0, stderr: "" });
      expect(JSON.parse(run.stdout).rc.file).toContain(name);
    },
  );
});

test("YAML with CRLF keeps no CR in its values", async () => {
  const content = `username: a@example.com\r\nprofiles:\r\n  p:\r\n    token: ${planted.token}\r\ndigest: hex-digest\r\n`;
  expect(valuesOf(await config(content))).toMatchObject({ username: "a@example.com", digest: "hex-digest" });
});

test.each([
  ["the same key twice", `token: a\nusername: b\ntoken: ${planted.token}\n`, "line 3 sets token twice"],
  ["the same JSON key twice", `{ "token": "a",\n"token": "${planted.token}" }`, "line 2 sets token twice"],
  [
    "the same key, escaped",
    `{ "token": "a",\n"\\u0074oken": "${planted.token}" }`,
    "line 2 sets token twice",
  ],
  ["the same profile twice", `profiles:\n  p: {}\n  p: { token: "${planted.token}" }`, "line 3 sets p twice"],
  [
    "a key twice in a profile",
    `profiles:\n  p:\n    token: a\n    token: ${planted.token}`,
    "line 4 sets token twice",
  ],
  ["token and tokenFile", `token: ${planted.token}\ntokenFile: t\n`, "set the same thing"],
])("%s is an error that names line and key", async (_, content, message) => {
  refuses(await config(content), message);
});

test.each([
  ["tokne", "Did you mean token?"],
  ["base_url", "Did you mean baseUrl?"],
  ["baseURL", "Did you mean baseUrl?"],
  ["Secret", "Did you mean secret?"],
  ["secret-file", "Did you mean secretFile?"],
  ["profile", "Did you mean profiles?"],
  ["insecureHttp", "Known keys: baseUrl"],
])("the unknown key %s is an error with a suggestion", async (key, hint) => {
  refuses(await config(`# c\n${key}: ${planted.secret}\n`), `line 2 has the unknown key ${key}`, hint);
});

test("an unknown key may be a secret, and is not shown", async () => {
  refuses(await config(`${planted.token}: token\n`), "line 1 has an unknown key");
  refuses(await config(`? [${planted.token}]\n: a\n`), "line 1 has a key that is not text");
});
