import { InputError } from "../errors.ts";
import { type Redactor, redactorOf } from "../redaction/redact.ts";
import type { Endpoint } from "./base-url.ts";
import { isInvalid, wrapping } from "./definition.ts";
import { invalid, type Level, levelOf, type SettingText, secretTexts } from "./levels.ts";
import type { RcFile } from "./rc-parse.ts";
import type { Environment, Source } from "./source.ts";
import {
  alternativesOf,
  definitionOf,
  type NameWithDefault,
  type SettingName,
  settingNames,
  type Values,
} from "./table.ts";
import type { RouteSources } from "./trust.ts";

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
  /** The proxy that the environment names for an endpoint: the same text for all endpoints of a scheme. */
  readonly proxyFor: (endpoint: Endpoint) => SettingText | null;
  /** All environment variables. */
  readonly variables: Environment;
  readonly rc: RcFile | null;
  /** The secrets that are set anywhere except by the account itself. */
  readonly secrets: readonly string[];
  /** Who reads the advice on them. */
  readonly reader: "commandLine" | "library";
}

/** Parses a value, or says why it cannot be used. */
export function parsed<Name extends SettingName>(name: Name, given: SettingText): Values[Name] | InputError {
  const value = definitionOf(name).parse(given.text);
  if (!isInvalid(value)) return value;
  const { problem, hint } = wrapping(given.text) ?? value;
  return invalid(given, problem, hint);
}

const defaults = levelOf(
  settingNames.flatMap((setting) => {
    const { fallback } = definitionOf(setting);
    return fallback === undefined ? [] : [{ setting, text: fallback, source: { kind: "default" } }];
  }),
);

/** The settings of an account: which value counts, where it is set, what it hides, and whether it is valid. */
export class Settings {
  readonly scope: Scope;
  readonly profile: string | null;
  /** What sets the account's settings, highest first. */
  readonly levels: readonly Level[];
  readonly #own: Level;

  /** The settings of the account that sets `own`, or those without an account. */
  constructor(scope: Scope, profile: string | null = null, own: Level = new Map()) {
    this.scope = scope;
    this.profile = profile;
    this.#own = own;
    this.levels = [...scope.levels.slice(0, 1), own, ...scope.levels.slice(1)];
  }

  /** The settings of an account. What it sets itself counts after the flags, the first level of the scope. */
  ofAccount(profile: string | null, own: Level): Settings {
    return new Settings(this.scope, profile, own);
  }

  /** What counts for a setting. */
  get<Name extends SettingName>(name: Name): Resolved<Values[Name]> {
    const given = this.winner(name) ?? defaults.get(name);
    if (given?.setting !== name) return { given: null, setting: null, problem: null };
    const value = parsed(name, given);
    if (value instanceof InputError) return { given, setting: null, problem: value };
    if (name === "proxy" && this.get("baseUrl").setting?.value.secure === false) {
      const problem = "is set, and a proxy could read a request to an http:// base URL";
      const hint = "Use an https:// base URL, or remove the proxy";
      return { given, setting: null, problem: invalid(given, problem, hint) };
    }
    return { given, setting: { value, source: given.source }, problem: null };
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

  /** What decides who sees the credential when it is sent; null without a base URL. */
  get route(): RouteSources | null {
    const sourceOf = (name: SettingName): Source | null => this.get(name).given?.source ?? null;
    const baseUrl = sourceOf("baseUrl");
    // Only TLS needs certificates.
    const isSecure = this.get("baseUrl").setting?.value.secure !== false;
    return baseUrl && { baseUrl, proxy: sourceOf("proxy"), caCert: isSecure ? sourceOf("caCert") : null };
  }

  /**
   * The texts of a setting and of its alternatives, highest level first. The first one counts and hides the others: a token
   * hides the token file of a lower level, and a token file hides the token.
   */
  texts(name: SettingName): readonly SettingText[] {
    return [...this.#given(name)];
  }

  /** The first of `texts`. To make the others too takes 3 to 7 % of a run over many accounts that fail. */
  winner(name: SettingName): SettingText | null {
    const [first = null] = this.#given(name);
    return first;
  }

  /** Makes a redactor of these secrets and of all that are set for the account, even unused ones. Any may be in a wrong place. */
  redactor(more: readonly string[] = []): Redactor {
    return redactorOf([...this.scope.secrets, ...secretTexts([this.#own]), ...more]);
  }

  *#given(name: SettingName): Generator<SettingText> {
    const names = alternativesOf(name);
    for (const level of this.levels)
      for (const one of names) {
        const text = this.#textAt(level, one);
        if (text !== null) yield text;
      }
  }

  #textAt(level: Level, name: SettingName): SettingText | null {
    const { environment, proxyFor } = this.scope;
    if (name !== "proxy" || level !== environment) return level.get(name) ?? null;
    const endpoint = this.get("baseUrl").setting?.value;
    return endpoint === undefined ? null : proxyFor(endpoint);
  }
}
