// A level: what flags, the environment, an account or the rc file set; and the texts in it that are secret.

import { InputError, orNull, wrongSettings } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";
import { describePart, describeSource, type Source } from "./source.ts";
import { alternatives, definitionOf, type SettingName, settingNames } from "./table.ts";
import { type BaseUrl, noProxy } from "./urls.ts";

/** A value as it was written, and where it was set. */
export interface SettingText {
  readonly setting: SettingName;
  readonly text: string;
  readonly source: Source;
}

const subjectOf = ({ setting, source }: SettingText): string =>
  ["secret", "text"].includes(definitionOf(setting).kind)
    ? `The ${describePart(setting, source)}`
    : describeSource(source);

/** The error of a value that cannot be used; `problem` is the end of a sentence. */
export function invalid(given: SettingText, problem: string, hint: string): InputError {
  // An invalid number or choice in a flag is a usage error. Everything else is an invalid setting.
  const { kind } = definitionOf(given.setting);
  const usage = given.source.kind === "flag" && (kind === "number" || kind === "choice");
  return new InputError(usage ? "usage" : "settings", `${subjectOf(given)} ${problem}`, hint);
}

/** Why nothing expanded a placeholder, by where it stands. */
export const whyUnexpanded = (kind: Source["kind"]): string =>
  kind === "rc"
    ? "an rc file expands nothing"
    : kind === "account-line"
      ? "a file of accounts expands nothing"
      : "single quotes, files of variables and JavaScript outside backticks expand nothing";

/** The error of a value that is a placeholder as a whole. */
export const unexpandedSetting = (given: SettingText): InputError =>
  wrongSettings(
    `${subjectOf(given)} is a placeholder in braces that nothing filled in: ${whyUnexpanded(given.source.kind)}`,
    given.source.kind === "rc"
      ? `Write the value itself, or leave the key out and set ${definitionOf(given.setting).variables[0] ?? "a variable"}`
      : "Write the value itself, or check the template or workflow that should fill it in",
  );

/** What one level sets: the flags, the environment, an account, the top level of the rc file, or a program's options. */
export type Level = ReadonlyMap<SettingName, SettingText>;

/** A text without percent-encoding; unchanged if it is not UTF-8 then. */
export const percentDecoded = (text: string): string => orNull(() => decodeURIComponent(text)) ?? text;

/** What to redact of a proxy's URL, as written and decoded: the password and `user:password`, since a very short text is not redacted. */
export function proxySecrets(url: string): readonly string[] {
  // A `/` in the password may end the host too early, and a `@` is allowed in it.
  const rest = url.replace(/^\w+:\/\//, "");
  const colon = rest.indexOf(":");
  const end = rest.lastIndexOf("@");
  if (colon < 0 || colon + 1 >= end) return [];
  const written = [rest.slice(colon + 1, end), rest.slice(0, end)];
  return [...new Set([...written, ...written.map(percentDecoded)])];
}

function secretsIn({ setting, text }: SettingText): readonly string[] {
  if (setting === "proxy") return proxySecrets(text);
  return definitionOf(setting).kind === "secret" ? [text] : [];
}

/** What is redacted of these levels: tokens, secrets and the passwords of proxies. It reads no file. */
export function secretTexts(levels: readonly Level[]): readonly string[] {
  return levels.flatMap((level) => [...level.values()].flatMap(secretsIn));
}

/** Returns the level. Throws InputError if it sets one thing in two ways, such as a token and a file that holds it. */
export function withoutConflict(level: Level): Level {
  for (const names of alternatives) {
    const [one, other] = names.flatMap((name) => level.get(name) ?? []);
    if (one && other)
      throw new InputError(
        one.source.kind === "flag" ? "usage" : "settings",
        `${describeSource(one.source)} and ${describeSource(other.source)} set the same thing`,
        "Keep one of the two",
      );
  }
  return level;
}

/** Makes a level of these values. */
export function levelOf(given: readonly SettingText[]): Level {
  return new Map(given.map((one) => [one.setting, one]));
}

/** The text of the first of these variables that is set and not empty; null if none is. */
function variableFor(
  setting: SettingName,
  variables: readonly string[],
  environment: Context["environment"],
) {
  const variable = variables.find((one) => environment[one]) ?? "";
  const { [variable]: text } = environment;
  return text ? ({ setting, text, source: { kind: "environment", variable } } as const) : null;
}

/** The secrets of all proxies that the environment names, whatever the base URL. */
export function environmentProxySecrets(environment: Context["environment"]): readonly string[] {
  return definitionOf("proxy").variables.flatMap((name) => proxySecrets(environment[name] ?? ""));
}

/** What the environment sets, except the proxy, which depends on the base URL. */
export function environmentLevel(environment: Context["environment"]): Level {
  return levelOf(
    settingNames
      .filter((name) => name !== "proxy")
      .flatMap((name) => variableFor(name, definitionOf(name).variables, environment) ?? []),
  );
}

/**
 * The proxy of the environment for a base URL; null for loopback and for hosts that NO_PROXY names. A NO_PROXY that is a placeholder as a
 * whole takes the proxy's place, for the error: nobody knows what it should name.
 */
export function environmentProxy(
  environment: Context["environment"],
): (baseUrl: BaseUrl) => SettingText | null {
  const { variables } = definitionOf("proxy");
  const [ofHttps, ofHttp] = ["https_proxy", "http_proxy"].map((wanted) => {
    const own = variables.filter((variable) => variable.toLowerCase() === wanted);
    return variableFor("proxy", own, environment);
  });
  // The lower case counts first, as for curl.
  const exceptions = variableFor("proxy", ["no_proxy", "NO_PROXY"], environment);
  const isBypassed = noProxy(exceptions?.text);
  return ({ url, secure, loopback }) => {
    const proxy = secure ? ofHttps : ofHttp;
    if (!proxy || loopback || isBypassed(url)) return null;
    return exceptions !== null && isPlaceholder(exceptions.text) ? exceptions : proxy;
  };
}

/** Why the content of a key is not the text or number that the key takes, as the end of a sentence; null if it is. */
export function contentProblem(key: string, content: unknown, wanted: "text" | "number"): string | null {
  if (content === "") return `sets ${key} to an empty text`;
  const isRight = typeof content === (wanted === "text" ? "string" : "number");
  return isRight ? null : `sets ${key} to something that is not ${wanted === "text" ? "text" : "a number"}`;
}

const profileMark = "{profile}";

/** Encodes the words of a command as the text of a setting. */
export const commandText = (words: readonly string[]): string => JSON.stringify(words);

const commandWords = (text: string): readonly string[] => JSON.parse(text);

/** Whether a setting is a command whose words hold the name of the profile, so that each account has a secret of its own. */
export function holdsProfile({ setting, text }: SettingText): boolean {
  const isCommand = definitionOf(setting).kind === "command";
  return isCommand && commandWords(text).some((word, index) => index > 0 && word.includes(profileMark));
}

/** The words to run, with the name of the profile filled in. Throws InputError if the name cannot be used. */
export function wordsFor(given: SettingText, profile: string | null): readonly string[] {
  const [command = "", ...args] = commandWords(given.text);
  if (!holdsProfile(given)) return [command, ...args];
  if (profile === null)
    throw invalid(
      given,
      `contains ${profileMark}, and no profile is chosen`,
      "Choose one with --profile, or all with --all; a line of --accounts needs the key profile",
    );
  // The command would read a word that begins with - as an option.
  const isOption = profile.startsWith("-") && args.some((word) => word.startsWith(profileMark));
  if (isOption || profile.includes("\0"))
    throw invalid(
      given,
      `contains ${profileMark}, and the name of this profile ${isOption ? "would begin a word with -" : "contains a NUL character"}`,
      `Rename the profile${isOption ? `, or write something before ${profileMark}` : ""}`,
    );
  return [command, ...args.map((word) => word.replaceAll(profileMark, () => profile))];
}
