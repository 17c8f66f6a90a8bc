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

type Read = (option: string, given: unknown) => string;

const urlOption =
  (hint: string): Read =>
  (option, given) => {
    if (given === "") throw invalidOption(option, "is empty", hint);
    return textOption(option, given);
  };

/** The certificates as one text, which is empty for an empty list. */
function certificateOption(option: string, given: unknown): string {
  if (!Array.isArray(given)) throw invalidOption(option, "is not a list", "Give an array");
  const texts = [...given].map((one: unknown, index) => {
    const source: Source = { kind: "option", option: `${option}[${index}]` };
    const text = textOption(source.option, one);
    certificatesIn({ setting: "caCert", source }, text);
    return text;
  });
  return texts.join("\n");
}

const example = "Give the URL of the API without /test-authentication, like https://api.example.com/v1";
const proxyExample = "Give the URL of the proxy, like http://proxy.example.com:3128, or leave it out";

/** The setting of each option, and how the option is read as its text. */
const rows: Readonly<
  Record<Exclude<keyof CheckerOptions, "insecureHttp">, readonly [setting: SettingName, read: Read]>
> = {
  baseUrl: ["baseUrl", urlOption(example)],
  timeoutSeconds: ["timeout", numberOption],
  retries: ["retry", numberOption],
  proxy: ["proxy", urlOption(proxyExample)],
  caCertificates: ["caCert", certificateOption],
};

/** The fields of CheckerOptions. */
export const checkerFields: readonly string[] = [...Object.keys(rows), "insecureHttp"];

const settingText = (setting: SettingName, option: string, text: string): SettingText => ({
  setting,
  text,
  source: { kind: "option", option },
});

/** The settings of a checker. Throws InputError for an option that is missing or invalid. */
export function settingsOfChecker(fields: Readonly<Record<string, unknown>>): Settings {
  if (fields.baseUrl === undefined) throw invalidOption("baseUrl", "is missing", example);
  const texts = Object.entries(rows)
    .filter(([option]) => fields[option] !== undefined)
    .map(([option, [setting, read]]) => settingText(setting, option, read(option, fields[option])));
  const level = levelOf(texts.filter(({ text }) => text !== ""));
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
  const defaults = (["digest", "hash", "authorization"] as const).map((name) =>
    settingText(name, `credential.${name}`, definitionOf(name).fallback ?? ""),
  );
  const own = given.map(({ name, option, text }) => settingText(name, option, text));
  return levelOf([...(method === "wsse" ? defaults : []), ...own]);
}
