// A fix: a text with parts that become words only when it is known who reads them, a person or a program, and where settings are set.

import { shownHost } from "../system/addresses.ts";
import { authorityOf } from "./resolution.ts";
import type { Settings } from "./resolve.ts";
import { describeSource, placeInFile, type Source } from "./source.ts";
import { definitionOf, flagOf, keyOf, type SettingName } from "./table.ts";

/** A part that depends on the account's settings. It names no place of `told` again, and adds those that it names. */
interface Part {
  (settings: Settings, told: Set<string>): string;
  /** The setting that it gives a value, and the value. */
  readonly sets?: readonly [SettingName, string];
}

/** What to do, as texts and parts in turn. Text that others wrote is a text of its own and is never searched. */
export type Fix = ReadonlyArray<string | Part>;

const isFix = (part: unknown): part is Fix => Array.isArray(part);

/** Makes a fix of a template: fix`Check the port of the base URL ${nowSet("baseUrl")}`. A part can be a fix itself. */
export const fix = (
  texts: TemplateStringsArray,
  ...parts: ReadonlyArray<string | number | Part | Fix>
): Fix => {
  const all: Array<Fix[number]> = [];
  for (const [index, text] of texts.entries()) {
    const part = parts[index] ?? "";
    all.push(text);
    for (const one of isFix(part) ? part : [part]) all.push(typeof one === "number" ? String(one) : one);
  }
  return all;
};

/** A fix as a sentence without its full stop. A part that says nothing takes the space before it along. */
export const fixInWords = (fix: Fix, settings: Settings, told: Set<string>): string =>
  fix.reduce<string>((text, part) => {
    const words = typeof part === "string" ? part : part(settings, told);
    return words === "" && typeof part !== "string" ? text.trimEnd() : text + words;
  }, "");

/** Where a setting is set now. */
export const sourceOf = (setting: SettingName, settings: Settings): Source =>
  settings.get(setting).given?.source ?? { kind: "default" };

/** The same in words, without the key of a file: `rc.yaml:3`. */
export function shortPlaceOf(setting: SettingName, settings: Settings): string {
  const source = sourceOf(setting, settings);
  return placeInFile(source) ?? describeSource(source);
}

/** "(now set by --token)", "(rc.yaml:3)": where these settings are set now. A report names a place once, so a sentence must be complete without it. */
export const nowSet =
  (...names: readonly SettingName[]): Part =>
  (settings, told) => {
    const untold = names.filter((name) => !told.has(shortPlaceOf(name, settings)));
    const places = [...new Set(untold.map((name) => shortPlaceOf(name, settings)))];
    for (const place of places) told.add(place);
    const isInFile = untold.every((name) => placeInFile(sourceOf(name, settings)) !== null);
    return places.length === 0 ? "" : `(${isInFile ? "" : "now set by "}${places.join(" and ")})`;
  };

/** "baseUrl (rc.yaml:3)", "the base URL (now set by --base-url)". */
export const theBaseUrl: Fix = [
  (settings) => {
    const source = sourceOf("baseUrl", settings);
    return "key" in source ? source.key : "the base URL";
  },
  " ",
  nowSet("baseUrl"),
];

/** "Use --digest base64-nonce (now set by --digest)": gives a setting a value, at the place where it is set now, a default in the rc file. */
export function setTo(setting: SettingName, value: string): Fix {
  const key = keyOf(setting);
  const inFile = (file: string): string =>
    file.endsWith(".json") ? `"${key}": "${value}"` : `${key}: ${value}`;
  const part = (settings: Settings): string => {
    const source = sourceOf(setting, settings);
    const { rc, chosenBy } = settings.scope;
    const flag = `${flagOf(setting)} ${value}`;
    switch (source.kind) {
      case "flag":
      case "environment":
        return `Use ${flag} (now set by ${describeSource(source)})`;
      case "rc":
        return `Write ${inFile(source.file)} at ${placeInFile(source)} (now set there)`;
      case "account-line":
        return `Set ${key} to ${value} in ${placeInFile(source)} (now set there)`;
      case "option":
        return `Set ${source.option} to ${value}`;
      case "default": {
        // A line's name is no profile of the rc file, and the rc file's top level would change all lines.
        if (chosenBy === "line")
          return `Set ${key} to ${value} for this account in the file of --accounts (not set now)`;
        if (rc === null)
          return `Use ${flag}, or set ${definitionOf(setting).variables[0]}=${value} (not set now)`;
        const below = settings.profile === null ? "" : ", below this profile";
        return `Write ${inFile(rc.path)} into ${rc.shown}${below} (not set now)`;
      }
    }
  };
  return [Object.assign(part, { sets: [setting, value] as const })];
}

/** The option that asks the server at this address alone, as a person types it. */
export const resolveTo =
  (address: string): Part =>
  (settings) => {
    const { value } = settings.get("baseUrl");
    const isCommand = value !== null && settings.scope.reader === "commandLine";
    return isCommand
      ? `--resolve ${authorityOf(value.url)}:${shownHost(address)}`
      : "the command's option resolve";
  };

/** The flags that fixes name, in the words of both readers. The options of the library have these names. */
export const flagWords = {
  timeoutSeconds: { commandLine: flagOf("timeoutSeconds"), library: "timeoutSeconds" },
  maxWaitSeconds: { commandLine: flagOf("maxWaitSeconds"), library: "the longest pause" },
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
export const flag =
  (name: keyof typeof flagWords): Part =>
  (settings) =>
    flagWords[name][settings.scope.reader];
