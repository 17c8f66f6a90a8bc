// A fix: a text with marks for settings, which become words only when it is known who reads them, a person or a program.

import { flagOf, type SettingName } from "./table.ts";

/** What a fix names in words that depend on its reader: the user of the command line, or a program that uses the library. */
type Mark =
  /** Where these settings are set now. */
  | { readonly nowSet: readonly SettingName[] }
  /** A setting by its name in the file that sets it, or else by this noun; and where it is set now. */
  | { readonly named: SettingName; readonly noun: string }
  /** The token where the report has not named it, or else "it". */
  | { readonly token: "it" }
  /** A flag, by its row in `flagWords`. */
  | { readonly flag: keyof typeof flagWords }
  /** The advice to give a setting this value, and where to write it. */
  | { readonly set: SettingName; readonly to: string }
  /** The option that asks the server at this address alone. */
  | { readonly resolveTo: string };

/** What to do, as text and marks in turn. Text that others wrote is a part of its own and is never searched. */
export type Fix = ReadonlyArray<string | Mark>;

const isFix = (part: unknown): part is Fix => Array.isArray(part);

/** Makes a fix of a template: fix`Check the port of the base URL ${nowSet("baseUrl")}`. A part can be a fix itself. */
export function fix(texts: TemplateStringsArray, ...parts: ReadonlyArray<string | number | Mark | Fix>): Fix {
  const made: Array<string | Mark> = [];
  texts.forEach((text, index) => {
    const part = parts[index];
    made.push(text);
    if (isFix(part)) for (const one of part) made.push(one);
    else if (part !== undefined) made.push(typeof part === "number" ? String(part) : part);
  });
  return made;
}

/** "(now set by --token)", "(rc.yaml:3)": where these settings are set now. Once in a report, so no sentence may need it. */
export const nowSet = (...settings: readonly SettingName[]): Mark => ({ nowSet: settings });

/** "baseUrl (rc.yaml:3)", "the base URL (now set by --base-url)": a setting, and where it is set now. */
const named = (setting: SettingName, noun: string): Fix => [{ named: setting, noun }];

/** "the token (now set by REFERRAL_TOKEN)"; "it" where a report has just said that. */
export const theToken: Fix = [{ token: "it" }];

/** The base URL, and where it is set. */
export const theBaseUrl = named("baseUrl", "the base URL");

/** "Use --digest base64-nonce (now set by --digest)": gives a setting a value, at the place where it is set now. */
export const setTo = (setting: SettingName, value: string): Fix => [{ set: setting, to: value }];

/** The flags that fixes name, in the words of both readers. The options of the library have these names. */
export const flagWords = {
  timeoutSeconds: { commandLine: flagOf("timeoutSeconds"), library: "timeoutSeconds" },
  maxWait: { commandLine: flagOf("maxWait"), library: "the longest pause" },
  retries: { commandLine: flagOf("retries"), library: "retries" },
  proxy: { commandLine: flagOf("proxy"), library: "option proxy" },
  extraCertificates: { commandLine: flagOf("extraCertificates"), library: "caCertificates" },
  concurrency: { commandLine: flagOf("concurrency"), library: "the number of checks at once" },
  username: { commandLine: flagOf("username"), library: "credential.username" },
  secretFile: { commandLine: flagOf("secretFile"), library: "credential.secret" },
  fileOption: { commandLine: "--token-file or --secret-file", library: "your program" },
  digest: { commandLine: flagOf("digest"), library: "credential.digest" },
  hash: { commandLine: flagOf("hash"), library: "credential.hash" },
  authorization: { commandLine: flagOf("authorization"), library: "credential.authorization" },
  wsse: { commandLine: "--wsse", library: 'method: "wsse"' },
  diagnose: { commandLine: "--diagnose", library: "diagnose: true" },
} as const;

/** A flag, in the words of the reader. */
export const flag = (name: keyof typeof flagWords): Mark => ({ flag: name });
