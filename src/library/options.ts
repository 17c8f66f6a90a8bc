import type { Method } from "../check/outcome.ts";
import { certificatesIn } from "../settings/certificates.ts";
import type { FlagWords } from "../settings/fix.ts";
import { type Level, levelOf, type SettingText, secretTexts } from "../settings/levels.ts";
import { Settings } from "../settings/resolve.ts";
import type { Source } from "../settings/source.ts";
import { definitionOf, type SettingName } from "../settings/table.ts";
import type { CheckerOptions } from "./check-options.ts";
import { missingOption, type PartOption } from "./credential-options.ts";
import { invalidOption, numberOption, textOption } from "./option-values.ts";

type Fields = { readonly [Name in keyof CheckerOptions]?: unknown };

const isField: Readonly<Record<keyof CheckerOptions, true>> = {
  baseUrl: true,
  timeoutSeconds: true,
  retries: true,
  proxy: true,
  caCertificates: true,
  insecureHttp: true,
};

/** The fields of CheckerOptions. */
export const checkerFields: readonly string[] = Object.keys(isField);

/** One option as a setting; nothing if it is left out. */
function setting(
  name: SettingName,
  option: string,
  given: unknown,
  read: (option: string, given: unknown) => string = textOption,
): readonly SettingText[] {
  if (given === undefined) return [];
  return [{ setting: name, text: read(option, given), source: { kind: "option", option } }];
}

/** A URL as a setting; nothing if it is left out. */
function urlSetting(name: SettingName, given: unknown, hint: string): readonly SettingText[] {
  if (given === "") throw invalidOption(name, "is empty", hint);
  return setting(name, name, given);
}

/** The certificates as one text; none for an empty list. */
function certificateOption(option: string, given: unknown): readonly SettingText[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw invalidOption(option, "is not a list", "Give an array");
  const texts = [...given].map((one: unknown, index) => {
    const source: Source = { kind: "option", option: `${option}[${index}]` };
    const text = textOption(source.option, one);
    certificatesIn({ setting: "caCert", source }, text);
    return text;
  });
  return texts.length === 0 ? [] : setting("caCert", option, texts.join("\n"));
}

/** What fixes call the flags of the command line. */
export const libraryWords: FlagWords = {
  timeout: "timeoutSeconds",
  retry: "retries",
  proxy: "option proxy",
  caCert: "caCertificates",
  concurrency: "the number of checks at once",
  username: "credential.username",
  secretFile: "credential.secret",
  digest: "credential.digest",
  hash: "credential.hash",
  authorization: "credential.authorization",
  wsse: 'method: "wsse"',
  diagnose: "diagnose: true",
};

/** The settings of a checker. Throws InputError for an option that is missing or invalid. */
export function settingsOfChecker({
  baseUrl,
  timeoutSeconds,
  retries,
  proxy,
  caCertificates,
}: Fields): Settings {
  const example = "Give the URL of the API without /test-authentication, like https://api.example.com/v1";
  if (baseUrl === undefined) throw missingOption("baseUrl", example);
  const level = levelOf([
    ...urlSetting("baseUrl", baseUrl, example),
    ...setting("timeout", "timeoutSeconds", timeoutSeconds, numberOption),
    ...setting("retry", "retries", retries, numberOption),
    ...urlSetting(
      "proxy",
      proxy,
      "Give the URL of the proxy, like http://proxy.example.com:3128, or leave it out",
    ),
    ...certificateOption("caCertificates", caCertificates),
  ]);
  const resolved = new Settings({
    levels: [level],
    environment: null,
    proxyFor: () => null,
    chosenBy: "none",
    unused: new Map(),
    unusedBecause: "",
    variables: {},
    rc: null,
    secrets: secretTexts([level]),
    knownHosts: () => [],
    flagWords: libraryWords,
  });
  for (const name of ["baseUrl", "timeout", "retry", "proxy"] as const) resolved.setting(name);
  return resolved;
}

/** What a credential sets in place of the checker. Its defaults count as set by its options, so that a fix names these. */
export function accountLevel(method: Method, given: readonly PartOption[]): Level {
  const defaults = (["digest", "hash", "authorization"] as const).map((name) => ({
    name,
    option: `credential.${name}`,
    text: definitionOf(name).fallback ?? "",
  }));
  const own = [...(method === "wsse" ? defaults : []), ...given].map(({ name, option, text }) => ({
    setting: name,
    text,
    source: { kind: "option", option } as const,
  }));
  return levelOf(own);
}
