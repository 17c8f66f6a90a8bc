// Where settings are set, and how to change them, in the words of a fix. No text holds a value of a setting.

import { InputError } from "../errors.ts";
import { unfilled } from "../options/readers.ts";
import { unseenIn } from "../wsse/characters.ts";
import { holdsVariable } from "../wsse/placeholders.ts";
import { type Method, methodParts } from "./definition.ts";
import { type Fix, flagWords } from "./fix.ts";
import { environmentProxy, noProxyList, percentDecoded, type SettingText, whyUnexpanded } from "./levels.ts";
import { resolveOption } from "./resolution.ts";
import { parsed, type Settings } from "./resolve.ts";
import {
  describeEmpty,
  describeSource,
  placeInAccounts,
  placeInFile,
  type Source,
  trustOf,
} from "./source.ts";
import { alternativesOf, definitionOf, flagOf, keyOf, type SettingName } from "./table.ts";
import { noProxy } from "./urls.ts";

function rcLine(file: string, setting: SettingName, value: string): string {
  const key = keyOf(setting);
  return file.endsWith(".json") ? `"${key}": "${value}"` : `${key}: ${value}`;
}

/** How to give a setting a value. Defaults are changed in the rc file if there is one. */
function waysToSet(setting: SettingName, value: string, source: Source, settings: Settings): string {
  const flag = `${flagOf(setting)} ${value}`;
  switch (source.kind) {
    case "flag":
    case "environment":
      return `Use ${flag} (now set by ${describeSource(source)})`;
    case "rc":
      return `Write ${rcLine(source.file, setting, value)} at ${placeInFile(source)} (now set there)`;
    case "account-line":
      if (source.csv !== null)
        return `Write ${value} into the column ${keyOf(setting)} of ${placeInAccounts(source.line, source.csv)} (now set there)`;
      return `Write ${rcLine(".json", setting, value)} at ${placeInFile(source)} (now set there)`;
    case "option":
      return `Set ${source.option} to ${value}`;
    case "default": {
      const { rc, chosenBy } = settings.scope;
      // A line's name is no profile of the rc file, and the rc file's top level would change all lines.
      if (chosenBy === "line" && settings.isRow)
        return `Write ${value} into the column ${keyOf(setting)} of the account's row of --accounts (not set now)`;
      if (chosenBy === "line")
        return `Write ${rcLine(".json", setting, value)} into the account's line of --accounts (not set now)`;
      if (rc === null)
        return `Use ${flag}, or set ${definitionOf(setting).variables[0]}=${value} (not set now)`;
      const place = settings.profile === null ? "" : ", below this profile";
      return `Write ${rcLine(rc.path, setting, value)} into ${rc.shown}${place} (not set now)`;
    }
  }
}

function resolveWords(address: string, settings: Settings): string {
  const { value } = settings.get("baseUrl");
  if (value === null || settings.scope.reader === "library") return "the command's option resolve";
  return resolveOption(value.url, address);
}

/** Where the settings of one account are set, and how to change them. No text holds a value of a setting. */
export function settingsInWords(settings: Settings) {
  const sourceOf = (setting: SettingName): Source =>
    settings.get(setting).given?.source ?? { kind: "default" };
  const placeOf = (setting: SettingName): string => describeSource(sourceOf(setting));
  const shortPlaceOf = (setting: SettingName): string => placeInFile(sourceOf(setting)) ?? placeOf(setting);
  /** Where they are set, without the places that the report has told. */
  const nowSetBy = (names: readonly SettingName[], told: Set<string>): string => {
    const untold = names.filter((name) => !told.has(shortPlaceOf(name)));
    const places = [...new Set(untold.map(shortPlaceOf))];
    for (const place of places) told.add(place);
    const isInFile = untold.every((name) => placeInFile(sourceOf(name)) !== null);
    return places.length === 0 ? "" : ` (${isInFile ? "" : "now set by "}${places.join(" and ")})`;
  };
  const partInWords = (part: Fix[number], told: Set<string>): string => {
    if (typeof part === "string") return part;
    if ("flag" in part) return flagWords[part.flag][settings.scope.reader];
    if ("set" in part) return waysToSet(part.set, part.to, sourceOf(part.set), settings);
    if ("resolveTo" in part) return resolveWords(part.resolveTo, settings);
    if ("nowSet" in part) return nowSetBy(part.nowSet, told);
    if ("token" in part) {
      const place = nowSetBy(["token"], told);
      return place === "" ? part.token : `the token${place}`;
    }
    const source = sourceOf(part.named);
    return ("key" in source ? source.key : part.noun) + nowSetBy([part.named], told);
  };
  return {
    /** Where a setting is set now: `REFERRAL_TOKEN`, `token at rc.yaml:3`, `the default`. */
    placeOf,
    /** The same without the key of a file: `rc.yaml:3`. */
    shortPlaceOf,
    /**
     * A fix as a sentence without its full stop, in the words of the command line or of the library. The places in `told` are not
     * said again, and those that it says are added.
     */
    inWords: (fix: Fix, told: Set<string> = new Set()): string =>
      fix.reduce<string>((text, part) => {
        const words = partInWords(part, told);
        // Where a place is set stands behind a space, which a template has already.
        return typeof part !== "string" && "nowSet" in part ? text.trimEnd() + words : text + words;
      }, ""),
  };
}

/** Says that REFERRAL_BASE_URL is set and that another base URL counts, which no flag gives; null if that is not so. */
export function unusedBaseUrl(settings: Settings): string | null {
  const [winner, ...others] = settings.texts("baseUrl");
  if (winner === undefined || winner.source.kind === "flag") return null;
  const unused = others.find(({ source }) => source.kind === "environment");
  if (unused === undefined || hrefOf(unused) === hrefOf(winner)) return null;
  return `${describeSource(unused.source)} is set and not used where the base URL is ${describeSource(winner.source)}`;
}

/**
 * Says that a part of NO_PROXY is a placeholder, in quotes or has a character that nobody sees, and that the proxy of a variable is
 * used; null if that is not so.
 */
export function unfilledNoProxy(settings: Settings): string | null {
  const list = noProxyList(settings.scope.variables);
  const { given } = settings.get("proxy");
  if (list === null || given?.source.kind !== "environment" || given.text === list.text) return null;
  // Windows and Chrome have names in angle brackets, such as <local>.
  const isOdd = (entry: string): boolean =>
    /["'\u201c\u201d]/.test(entry) || (!/^<-?(?:local|loopback)>$/i.test(entry) && unfilled(entry) !== null);
  // What would name the API's host without a scheme, a path, a star at its beginning or other separators than commas.
  const meant = list.text
    .replace(/\w{1,9}:\/\/|\/(?!\d)[^,;|\s]*|(?<=^|[,;|\s])\*(?=\w)/g, "")
    .replace(/[;|]/g, ",");
  const { value: baseUrl } = settings.get("baseUrl");
  const odd = list.text.split(/[\s,]+/).some(isOdd)
    ? "holds a placeholder or quotation marks"
    : (unseenIn(list.text, /\S/)?.problem ??
      (baseUrl !== null && noProxy(meant)(baseUrl.url)
        ? "writes the API's host with a scheme, a path, a * or a separator that is no comma"
        : undefined));
  return odd === undefined
    ? null
    : `${describeSource(list.source)} ${odd}, and that part names no host; the proxy of ${describeSource(given.source)} is used`;
}

/**
 * Says that the other method than the one that is checked has a part that is set and empty, or that misses its other half; null if
 * that is not so. A username alone may be there for another account.
 */
export function halfCredential(settings: Settings): string | null {
  const { methods, scope } = settings;
  if (methods.length !== 1 || scope.chosenBy === "line") return null;
  const other = methods[0] === "token" ? "wsse" : "token";
  const parts = methodParts[other].required;
  const missing = parts.filter((part) => settings.get(part).given === null);
  // With a profile, no variable gives a part of the credential.
  const variables = missing.flatMap(alternativesOf).flatMap((name) => definitionOf(name).variables);
  const empty = scope.chosenBy === "none" ? describeEmpty(variables, scope.variables) : null;
  const isHalf = missing.length < parts.length && settings.get("secret").given !== null;
  if (missing.length === 0 || (empty === null && !isHalf)) return null;
  const [checked, left] = other === "wsse" ? ["--token", "WSSE"] : ["--wsse", "the token"];
  return `${empty ?? `No ${missing.join(" and no ")} is set`}, so ${left} was not checked; write ${checked} if that is meant`;
}

function hrefOf(given: SettingText): string {
  const baseUrl = parsed("baseUrl", given);
  return baseUrl instanceof InputError ? given.text : baseUrl.url.href;
}

/** The variable that hides another value of a lower level, and the place of the hidden value. */
function hiddenBy([winner, ...others]: readonly SettingText[]) {
  if (winner?.source.kind !== "environment") return [];
  const other = others.find(
    ({ source, setting, text }) =>
      source.kind === "rc" && (setting !== winner.setting || text !== winner.text),
  );
  return other === undefined ? [] : [{ by: winner.source.variable, place: describeSource(other.source) }];
}

/** Facts that explain a failure, without secrets. */
export class Hints {
  readonly #settings: Settings;
  readonly #method: Method;
  readonly #isYours: boolean;
  readonly placeOf: (setting: SettingName) => string;
  readonly shortPlaceOf: (setting: SettingName) => string;
  readonly inWords: (fix: Fix, told?: Set<string>) => string;

  /** `isYours`: a part of the credential is yours. */
  constructor(settings: Settings, method: Method, isYours: boolean) {
    this.#settings = settings;
    this.#method = method;
    this.#isYours = isYours;
    const words = settingsInWords(settings);
    this.placeOf = words.placeOf;
    this.shortPlaceOf = words.shortPlaceOf;
    this.inWords = words.inWords;
  }

  /** Why nothing replaced a placeholder in a part of the credential, by where it is set. */
  whyUnexpanded(name: "token" | "username" | "secret"): string {
    const { given } = this.#settings.get(name);
    return given === null || given.setting !== name
      ? "what is read is taken as it is"
      : whyUnexpanded(given.source);
  }

  /** Whether the user or password of the proxy may hold a variable that nothing replaced. */
  get proxyHoldsVariable(): boolean {
    const { value } = this.#settings.get("proxy");
    return (
      value !== null &&
      [value.username, value.password]
        .map(percentDecoded)
        .some((part) => holdsVariable(part) || /^(?:[*•]{3,}|x{6,})$/i.test(part))
    );
  }

  /** Whether the base URL already ends in /test-authentication. */
  get suffixGiven(): boolean {
    return this.#settings.get("baseUrl").value?.suffixGiven ?? false;
  }

  /** Environment variables that hide a different value in the rc file. */
  get hidden() {
    const { required, conventions } = methodParts[this.#method];
    return ["baseUrl" as const, ...required, ...conventions].flatMap((name) =>
      hiddenBy(this.#settings.texts(name)),
    );
  }

  /** The parts that may be cut: in a YAML file, the value has no quotes and a comment follows it. */
  get cutByComment(): readonly SettingName[] {
    const { required } = methodParts[this.#method];
    return this.#given(required, ({ commentFollows }) => commentFollows === true).map(
      ({ setting }) => setting,
    );
  }

  /** The places in an rc file found in the working tree that set the digest, hash or Authorization field of a credential of yours. */
  get setByFoundFile(): readonly string[] {
    const { conventions } = methodParts[this.#method];
    const found = this.#given(conventions, ({ source }) => trustOf(source) === "found");
    return this.#isYours ? found.map(({ source }) => describeSource(source)) : [];
  }

  /** Whether the reader uses the command line, and not the library. */
  get isCommandLine(): boolean {
    return this.#settings.scope.reader === "commandLine";
  }

  /** Whether a token is set that a diagnosis can try in place of the secret. */
  get hasSpareToken(): boolean {
    return this.#method === "wsse" && this.#settings.get("token").given !== null;
  }

  /** ALL_PROXY, HTTP_PROXY or a variable of others, spelt as it is set, if HTTPS_PROXY with its value would be the proxy; else null. */
  get unusedProxy(): string | null {
    const { variables } = this.#settings.scope;
    const names = [
      "all_proxy",
      "ALL_PROXY",
      "http_proxy",
      "HTTP_PROXY",
      "REFERRAL_PROXY",
      "npm_config_https_proxy",
    ];
    const variable = names.find((name) => variables[name]);
    if (variable === undefined || this.#settings.get("proxy").given !== null) return null;
    const baseUrl = this.#settings.get("baseUrl").value;
    const asProxy = environmentProxy({ ...variables, https_proxy: variables[variable] });
    return baseUrl?.secure && asProxy(baseUrl) ? variable : null;
  }

  /** NO_PROXY, spelt as it is set, if it alone keeps the proxy of the environment from the base URL; else null. */
  get bypassedProxy(): string | null {
    const { variables } = this.#settings.scope;
    const baseUrl = this.#settings.get("baseUrl").value;
    if (!baseUrl?.secure || this.#settings.get("proxy").given !== null) return null;
    const variable = variables.no_proxy ? "no_proxy" : "NO_PROXY";
    return environmentProxy({ ...variables, no_proxy: "", NO_PROXY: "" })(baseUrl) ? variable : null;
  }

  /** The variables of other programs that are set and name a file of CA certificates. */
  get unusedBundles(): readonly string[] {
    const { variables } = this.#settings.scope;
    const names = [
      "CURL_CA_BUNDLE",
      "REQUESTS_CA_BUNDLE",
      "AWS_CA_BUNDLE",
      "GIT_SSL_CAINFO",
      "PIP_CERT",
      "npm_config_cafile",
    ];
    return names.filter((name) => variables[name]);
  }

  #given(names: readonly SettingName[], isMeant: (given: SettingText) => boolean): readonly SettingText[] {
    return names.flatMap((name) => this.#settings.get(name).given ?? []).filter(isMeant);
  }
}
