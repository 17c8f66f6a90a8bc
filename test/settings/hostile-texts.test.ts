import { expect, test } from "vitest";
import { bashLine, bashSpelling, unquoted } from "../../src/completion/bash-line.ts";
import { InputError } from "../../src/errors.ts";
import { parseAccount } from "../../src/run/account-lines.ts";
import { certificatesIn } from "../../src/settings/inputs.ts";
import {
  environmentLevel,
  levelOf,
  type SettingText,
  secretTexts,
  shownCommand,
  wordsFor,
} from "../../src/settings/levels.ts";
import { didYouMean, nearestFirst } from "../../src/settings/nearest.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { listedProfiles } from "../../src/settings/run-settings.ts";
import { describeLength, parseSecret, parseUsername, textProblem } from "../../src/settings/secret.ts";
import { definitionOf, settingNames } from "../../src/settings/table.ts";
import { endpointOf, noProxy, parseProxy } from "../../src/settings/urls.ts";
import { linesOf } from "../../src/system/byte-stream.ts";
import { isOutOfProportion, processorTime } from "../support/processor-time.ts";

const given = (setting: SettingText["setting"], text: string): SettingText => ({
  setting,
  text,
  source: { kind: "option", option: "x" },
});
const parse = (text: string) => parseRc(Buffer.from(text), "/rc", "found");
const many = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join("");
const account = (text: string) => parseAccount(Buffer.from(text), 1);
async function lastLine(text: string): Promise<void> {
  async function* bytes() {
    for (let at = 0; at < text.length; at += 7) yield Buffer.from(text.slice(at, at + 7));
  }
  for await (const line of linesOf(bytes(), text.length)) expect(line).not.toBeNull();
}

/** What reads a text of others, and texts of `length` characters that would take it long. */
type Row = readonly [reader: (text: string) => unknown, ...texts: ReadonlyArray<(length: number) => string>];

const beforeAndAfter = [
  (length: number) => ":".repeat(length),
  (length: number) => `${"@:".repeat(length / 2)}`,
  (length: number) => `a${" \t".repeat(length / 2)}b`,
  (length: number) => `https://a/${"/".repeat(length)}x`,
  (length: number) => `https://${"a.".repeat(length / 2)}`,
  (length: number) => `https://xn--${"a9".repeat(length / 2)}`,
  (length: number) => `http://${"a:0".repeat(length / 3)}x`,
  (length: number) => `http://${"%41".repeat(length / 3)}@a`,
  (length: number) => `${"_PORT_ENV_".repeat(length / 10)}\n`,
  (length: number) => `${"\r".repeat(length)}\n`,
  (length: number) => `${"\\".repeat(length)}'`,
  (length: number) => "!".repeat(length),
  (length: number) => "1".repeat(length),
  (length: number) => `${"a,.:1".repeat(length / 5)}`,
] as const;

const marked = (mark: string) => (length: number) => mark.repeat(length / mark.length);
const begun = (start: string, mark: string, end: string) => (length: number) =>
  start + mark.repeat(length / mark.length) + end;

const readers: Readonly<Record<string, Row>> = {
  "each setting of the table": [
    (text) => settingNames.map((name) => definitionOf(name).parse(text)),
    ...beforeAndAfter,
  ],
  "the base URL": [endpointOf, ...beforeAndAfter],
  "a proxy": [parseProxy, ...beforeAndAfter],
  "the password of a proxy": [(text) => secretTexts([levelOf([given("proxy", text)])]), ...beforeAndAfter],
  NO_PROXY: [(text) => noProxy(text)(new URL("https://a.example")), ...beforeAndAfter],
  "a secret": [
    (text) => [parseSecret("token", text), describeLength(text), textProblem(text), parseUsername(text)],
    ...beforeAndAfter,
  ],
  "the value of a variable": [
    (text) => environmentLevel({ REFERRAL_BASE_URL: text, NO_PROXY: text }),
    ...beforeAndAfter,
  ],
  "the words of a command": [
    (text) => [
      shownCommand(JSON.stringify([text])),
      wordsFor(given("tokenCommand", JSON.stringify(["a", text])), "b"),
    ],
    ...beforeAndAfter,
  ],
  "a misspelt word": [(text) => didYouMean(text, settingNames), ...beforeAndAfter],
  "a misspelt name of many": [
    (text) => nearestFirst(text, text.match(/.{20}/gs) ?? []),
    marked("aaaaaaaaab"),
  ],
  "the line of a shell": [
    (text) => [bashLine(text), unquoted(text), bashSpelling(text, "", ""), bashSpelling(`"${text}`, '"', "")],
    ...beforeAndAfter,
  ],
  certificates: [
    (text) => certificatesIn(given("caCert", text)),
    marked("-----BEGIN CERTIFICATE-----"),
    begun("-----BEGIN CERTIFICATE-----", "a", ""),
    marked("-----BEGIN CERTIFICATE-----MII-----END CERTIFICATE-----"),
  ],
  "the lines of a stream": [lastLine, marked("a"), marked("a\n")],
  "a line of --accounts": [
    account,
    (length) => `{"profile":"${"key".repeat(300)}",${many(length / 10, (index) => `"key${index}":1,`)}"a":1}`,
    begun('{"profile":"a","token":', "[", ""),
    begun('{"token":"', '\\"', '"}'),
    begun('{"token":"', '\\"', ""),
    begun('{"token":"a"', " ", "}"),
    begun('{"profile":"', "a", '","x":1}'),
  ],
  "an rc file": [
    parse,
    marked("\\\n"),
    marked("]"),
    begun("[", ",", ""),
    begun('"', "\\q", '"'),
    marked("! "),
    marked("&a "),
    marked("%\n"),
    marked(":\n"),
    marked("? a\n"),
    marked("- "),
    marked("#\n"),
    begun("a: &a x\nb:\n", "- *a\n", ""),
    begun("{", "a,", "}"),
    begun("token: '", "''", "'"),
    begun("token: >\n", " x\n\n", ""),
    begun("token: ", "b\n  ", ""),
    begun("", "b ", ": c"),
    begun("timeout: ", "1", "x"),
    begun("$schema: !", "%41", " b"),
    (length) => `profiles:\n${many(length / 20, (index) => `  name${index}: {token: abc${index}}\n`)}`,
  ],
  "the names of an rc file": [
    (text) => {
      const rc = parse(text);
      return listedProfiles(rc, [...rc.profiles.keys()]);
    },
    (length) => `profiles:\n${many(length / 12, (index) => `  name%41${index}: {token: "${index}xxxx"}\n`)}`,
  ],
};

/** The processor time of a reader in milliseconds. */
async function timeOf(reader: Row[0], text: string): Promise<number> {
  const read = async () => {
    try {
      await reader(text);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  };
  const { milliseconds } = await processorTime(read);
  return milliseconds;
}

test.each(Object.entries(readers))(
  "%s: four times the length takes at most six times the time",
  async (_, [reader, ...texts]) => {
    const slow: string[] = [];
    for (const make of texts) {
      if (await isOutOfProportion((length) => timeOf(reader, make(length)), 6_000)) slow.push(make(20));
    }
    expect(slow).toEqual([]);
  },
);
