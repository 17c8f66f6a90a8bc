import type { Method } from "../check/outcome.ts";
import { certificatesIn } from "../settings/certificates.ts";
import { levelOf, type SettingText, secretTexts } from "../settings/levels.ts";
import { Settings } from "../settings/resolve.ts";
import type { Source } from "../settings/source.ts";
import type { SettingName } from "../settings/table.ts";
import { fieldsOf, invalidOption, numberOption, textOption } from "./option-values.ts";

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

// If a required option is left out, use an empty text, so that the error names the option.
function required(name: SettingName, option: string, given: unknown): readonly SettingText[] {
  return setting(name, option, given === undefined ? "" : given);
}

/** The settings of a WSSE account. Throws InputError for an option of the wrong type. */
export function accountOptions(option: string, given: unknown): readonly SettingText[] {
  const fields = fieldsOf(option, given);
  return [
    ...(["username", "secret"] as const).flatMap((name) => required(name, `${option}.${name}`, fields[name])),
    ...(["digest", "hash", "authorization"] as const).flatMap((name) =>
      setting(name, `${option}.${name}`, fields[name]),
    ),
  ];
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

/** The settings of one check besides its credential. Throws InputError for an option of the wrong type. */
export function checkOptions(given: Readonly<Record<string, unknown>>): readonly SettingText[] {
  const { baseUrl, timeoutSeconds, retries, proxy, caCertificates } = given;
  return [
    ...required("baseUrl", "baseUrl", baseUrl),
    ...setting("timeout", "timeoutSeconds", timeoutSeconds, numberOption),
    ...setting("retry", "retries", retries, numberOption),
    ...setting("proxy", "proxy", proxy),
    ...certificateOption("caCertificates", caCertificates),
  ];
}

/** The credential to check: its method, and its settings. Throws InputError for an option of the wrong type. */
export function credentialOptions(given: unknown): {
  readonly method: Method;
  readonly settings: readonly SettingText[];
} {
  const { method, token } = fieldsOf("credential", given);
  switch (method) {
    case "token":
      return { method, settings: required("token", "credential.token", token) };
    case "wsse":
      return { method, settings: accountOptions("credential", given) };
    default:
      throw invalidOption("credential.method", "is neither token nor wsse", "Write one of them");
  }
}

/** Settings that come from options alone. */
export function settingsOfOptions(given: readonly SettingText[]): Settings {
  const level = levelOf(given);
  return new Settings({
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
}
