import { InputError } from "../errors.ts";
import { type Redactor, redactorOf } from "../redaction/redact.ts";
import { isInvalid } from "./definition.ts";
import type { FlagWords } from "./fix.ts";
import { invalid, type Level, type SettingText, secretTexts, variableFor } from "./levels.ts";
import { proxyVariables } from "./proxy.ts";
import type { RcFile } from "./rc-parse.ts";
import type { Environment, Source } from "./source.ts";
import {
  alternativesOf,
  definitionOf,
  type NameWithDefault,
  type SettingName,
  type Values,
} from "./table.ts";
import { trustOf } from "./trust.ts";

/** A valid value, and where it was set. */
export interface Setting<Value> {
  readonly value: Value;
  readonly source: Source;
}

/** What counts for a setting. */
export interface Resolved<Value> {
  /** As it was written, or the default; null if nothing sets it, or if one of its alternatives counts. */
  readonly given: SettingText | null;
  readonly setting: Setting<Value> | null;
  /** Why the value is invalid; null if it is valid, or if there is none. */
  readonly problem: InputError | null;
}

/** What the settings of several accounts share. */
export interface Scope {
  /** Highest first. An account's own level stands behind the first one, the flags. */
  readonly levels: readonly Level[];
  /** The level that the proxy of the environment belongs to. */
  readonly environment: Level | null;
  /** What chooses the account. With `none`, every level names methods; otherwise only the first that names a credential. */
  readonly chosenBy: "none" | "profile" | "line";
  /** Credentials that are set and not used, and why. */
  readonly unused: Level;
  readonly unusedBecause: string;
  /** All environment variables; the base URL decides which of them names the proxy. */
  readonly variables: Environment;
  readonly rc: RcFile | null;
  /** The secrets that are set anywhere except by the account itself. */
  readonly secrets: readonly string[];
  /** The hosts of all base URLs that are set anywhere. */
  readonly knownHosts: () => readonly string[];
  /** What a fix calls each flag. */
  readonly flagWords: FlagWords;
}

/** Parses a value, or says why it cannot be used. */
export function parsed<Name extends SettingName>(name: Name, given: SettingText): Values[Name] | InputError {
  const value = definitionOf(name).parse(given.text);
  return isInvalid(value) ? invalid(given, value.problem, value.hint) : value;
}

/** The hosts of the valid base URLs that these levels set, each once. */
export function hostsIn(levels: readonly Level[]): readonly string[] {
  const hosts = levels.flatMap((level) => {
    const given = level.get("baseUrl");
    const endpoint = given && parsed("baseUrl", given);
    return endpoint === undefined || endpoint instanceof InputError ? [] : [endpoint.url.hostname];
  });
  return [...new Set(hosts)];
}

function defaultOf(setting: SettingName): SettingText | null {
  const { fallback } = definitionOf(setting);
  return fallback === undefined ? null : { setting, text: fallback, source: { kind: "default" } };
}

/**
 * The settings of an account: which value counts, where it is set, what it hides, and whether it is valid. Each value is
 * parsed once, when it is first asked for. What the account does not set itself is parsed once for all accounts.
 */
export class Settings {
  readonly scope: Scope;
  readonly profile: string | null;
  /** What sets the account's settings, highest first. */
  readonly levels: readonly Level[];
  readonly #own: Level | null;
  readonly #shared: Settings | null;
  readonly #resolved = new Map<SettingName, Resolved<Values[SettingName]>>();

  /** The settings without an account, or those of the account that sets `own` beside what is shared. */
  constructor(
    scope: Scope,
    profile: string | null = null,
    own: Level | null = null,
    shared: Settings | null = null,
  ) {
    this.scope = scope;
    this.profile = profile;
    this.#own = own;
    this.#shared = shared;
    const [flags, ...rest] = scope.levels;
    this.levels = own === null || flags === undefined ? scope.levels : [flags, own, ...rest];
  }

  /** The settings of an account. What it sets itself counts after the flags, the first level of the scope. */
  ofAccount(profile: string | null, own: Level): Settings {
    return new Settings(this.scope, profile, own, this);
  }

  /** What counts for a setting. */
  get<Name extends SettingName>(name: Name): Resolved<Values[Name]> {
    if (this.#shared !== null && !this.#sets(name)) return this.#shared.get(name);
    const known = this.#resolved.get(name);
    if (known !== undefined) return known as Resolved<Values[Name]>;
    const resolved = this.#resolve(name);
    this.#resolved.set(name, resolved);
    return resolved;
  }

  /** The value and its place; null if it is not set. Throws InputError if it is invalid. */
  setting<Name extends SettingName>(name: Name): Setting<Values[Name]> | null {
    const { setting, problem } = this.get(name);
    if (problem !== null) throw problem;
    return setting;
  }

  /** The value of a setting that has a default. Throws InputError if it is invalid. */
  valueOf<Name extends NameWithDefault>(name: Name): Values[Name] {
    const setting = this.setting(name);
    if (setting === null) throw new Error(`${name} has no default`);
    return setting.value;
  }

  /** The value of a setting that has a default, without what a found rc file sets. Throws InputError if it is invalid. */
  yours<Name extends NameWithDefault>(name: Name): Values[Name] {
    const given = this.texts(name).find(({ source }) => trustOf(source) === "yours") ?? defaultOf(name);
    const value = given === null ? this.valueOf(name) : parsed(name, given);
    if (value instanceof InputError) throw value;
    return value;
  }

  /**
   * The texts of a setting and of its alternatives, highest level first. The first one counts and hides the others: a token
   * hides the token file of a lower level, and a token file hides the token.
   */
  texts(name: SettingName): readonly SettingText[] {
    return [...this.#texts(name)];
  }

  /** The first of `texts`: the setting itself or one of its alternatives. */
  winner(name: SettingName): SettingText | null {
    if (this.#shared !== null && !this.#sets(name)) return this.#shared.winner(name);
    const [first = null] = this.#texts(name);
    return first;
  }

  *#texts(name: SettingName): Generator<SettingText> {
    for (const level of this.levels)
      for (const one of alternativesOf(name)) {
        const given = this.#textAt(level, one);
        if (given !== null) yield given;
      }
  }

  /** Makes a redactor of these secrets and of all that are set for the account, even unused ones. Any may be in a wrong place. */
  redactor(more: readonly string[] = []): Redactor {
    const own = this.#own === null ? [] : secretTexts([this.#own]);
    return redactorOf([...this.scope.secrets, ...own, ...more]);
  }

  #sets(name: SettingName): boolean {
    const own = this.#own;
    // Which proxy of the environment counts, and whether one is allowed, depends on the base URL.
    if (own === null || (name === "proxy" && own.has("baseUrl"))) return true;
    return alternativesOf(name).some((one) => own.has(one));
  }

  #textAt(level: Level, name: SettingName): SettingText | null {
    const { environment, variables } = this.scope;
    if (name !== "proxy" || level !== environment) return level.get(name) ?? null;
    const endpoint = this.get("baseUrl").setting?.value;
    return endpoint ? variableFor("proxy", proxyVariables(endpoint, variables), variables) : null;
  }

  #resolve<Name extends SettingName>(name: Name): Resolved<Values[Name]> {
    const winner = this.winner(name) ?? defaultOf(name);
    if (winner?.setting !== name) return { given: null, setting: null, problem: null };
    const value = this.#parsed(name, winner);
    return value instanceof InputError
      ? { given: winner, setting: null, problem: value }
      : { given: winner, setting: { value, source: winner.source }, problem: null };
  }

  #parsed<Name extends SettingName>(name: Name, given: SettingText): Values[Name] | InputError {
    const value = parsed(name, given);
    const isClear = name === "proxy" && this.get("baseUrl").setting?.value.secure === false;
    if (!isClear || value instanceof InputError) return value;
    const problem = "is set, and a proxy could read a request to an http:// base URL";
    return invalid(given, problem, "Use an https:// base URL, or remove the proxy");
  }
}
