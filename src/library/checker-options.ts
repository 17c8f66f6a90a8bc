import type { Method } from "../check/outcome.ts";
import { certificatesIn } from "../settings/certificates.ts";
import { type Level, levelOf, type SettingText, secretTexts } from "../settings/levels.ts";
import { Settings } from "../settings/resolve.ts";
import type { Source } from "../settings/source.ts";
import { definitionOf, type SettingName } from "../settings/table.ts";
import type { Credential, PartOption } from "./credential-options.ts";
import { invalidOption, numberOption, textOption } from "./validate.ts";

/** What the checks of a checker have in common. No value comes from the environment or a file. */
export interface CheckerOptions {
  /** http or https, without `/test-authentication`. */
  readonly baseUrl: string;
  /** The deadline of each request; the default is 10 seconds. */
  readonly timeoutSeconds?: number | undefined;
  /** Extra attempts after `unavailable`, `unreachable` and `timeout`; the default is 0. */
  readonly retries?: number | undefined;
  /** The URL of an HTTP proxy, for https base URLs. */
  readonly proxy?: string | undefined;
  /** Certificates in PEM to trust besides the system's. */
  readonly caCertificates?: readonly string[] | undefined;
  /** Allows clear text to a host that is not loopback. */
  readonly insecureHttp?: boolean | undefined;
}

/** What one check has of its own. */
export interface OneCheckOptions {
  /** Ends the check at once. The check then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Makes up to 24 further requests to find out why a credential is refused. Each may count as a failed login. */
  readonly diagnose?: boolean | undefined;
}

/** What to check, and how. */
export interface CheckOptions extends CheckerOptions, OneCheckOptions {
  readonly credential: Credential;
}

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

/** The settings of a checker. Throws InputError for an option that is missing or invalid. */
export function settingsOfChecker({
  baseUrl,
  timeoutSeconds,
  retries,
  proxy,
  caCertificates,
}: Fields): Settings {
  const example = "Give the URL of the API without /test-authentication, like https://api.example.com/v1";
  if (baseUrl === undefined) throw invalidOption("baseUrl", "is missing", example);
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
    chosenBy: "none",
    unused: new Map(),
    unusedBecause: "",
    variables: {},
    rc: null,
    secrets: secretTexts([level]),
    knownHosts: () => [],
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
