// Which value of a setting counts, where it is set, what it hides and whether it is valid, all by one call; and the trust rule.

import { InputError, wrongSettings } from "../errors.ts";
import { Invalid } from "../options/readers.ts";
import { type Redactor, redactorOf } from "../redaction/redact.ts";
import type { Context } from "../system/context.ts";
import { unseenIn } from "../wsse/characters.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";
import { type Method, methodParts } from "./definition.ts";
import { invalid, type Level, levelOf, type SettingText, secretTexts, unexpandedSetting } from "./levels.ts";
import type { RcFile } from "./rc-parse.ts";
import { describeSource, placeInFile, type Trust, trustOf } from "./source.ts";
import {
  alternativesOf,
  definitionOf,
  flagOf,
  type NameWithDefault,
  type SettingName,
  settingNames,
  type Values,
} from "./table.ts";
import type { BaseUrl } from "./urls.ts";

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
  /** The proxy that the environment names for a base URL: the same text for all of a scheme. */
  readonly proxyFor: (baseUrl: BaseUrl) => SettingText | null;
  readonly variables: Context["environment"];
  readonly rc: RcFile | null;
  /** The secrets that are set anywhere except by the account itself. */
  readonly secrets: readonly string[];
  /** Who reads the advice on them. */
  readonly reader: "commandLine" | "library";
}

/** The scope of these levels alone, highest first: no environment, no rc file and no account. */
export const scopeOf = (levels: readonly Level[], reader: Scope["reader"]): Scope => ({
  ...{ levels, environment: null, proxyFor: () => null, chosenBy: "none", unused: new Map() },
  ...{ unusedBecause: "", variables: {}, rc: null, secrets: secretTexts(levels), reader },
});

/** Parses a value, or says why it cannot be used. */
export function parsed<Name extends SettingName>(name: Name, given: SettingText): Values[Name] | InputError {
  const { kind, parse } = definitionOf(name);
  if (isPlaceholder(given.text)) return unexpandedSetting(given);
  // The parsers of tokens, secrets, usernames and paths look for such characters themselves, since some may stand there.
  const unseen = ["url", "number", "choice"].includes(kind) ? unseenIn(given.text) : null;
  const value = parse(given.text);
  if (!(value instanceof Invalid)) {
    if (unseen === null) return value;
    return invalid(given, unseen.problem, unseen.hint);
  }
  const { problem, hint } = unseen ?? value;
  return invalid(given, problem, hint);
}

const defaults = levelOf(
  settingNames.flatMap((setting) => {
    const { fallback } = definitionOf(setting);
    return fallback === undefined ? [] : [{ setting, text: fallback, source: { kind: "default" } }];
  }),
);

/** Whether a level says that the method of this part is meant. */
function namesMethodOf(part: SettingName, level: Level): boolean {
  if (part !== "username") return alternativesOf(part).some((one) => level.has(one));
  // In a file a username alone says that WSSE is meant. As a flag or variable it may be there for another account.
  const kind = level.get(part)?.source.kind;
  return kind !== undefined && kind !== "flag" && kind !== "environment";
}

const methodsIn = (levels: readonly Level[]): readonly Method[] =>
  (["token", "wsse"] as const).filter((method) =>
    levels.some((level) => methodParts[method].required.some((part) => namesMethodOf(part, level))),
  );

/** Who set a part of a credential. The secret in a file is yours, even where a found rc file names that file. */
export function trustOfPart({ setting, source }: Pick<SettingText, "setting" | "source">): Trust {
  return definitionOf(setting).kind === "path" ? "yours" : trustOf(source);
}

const routeWords = {
  baseUrl: "to the base URL",
  proxy: "through the proxy",
  extraCertificates: "with the CA certificates",
} as const;

interface Resolved<Name extends SettingName> {
  readonly given: SettingText | null;
  readonly value: Values[Name] | null;
  readonly problem: InputError | null;
}

/** The settings of an account. */
export class Settings {
  readonly scope: Scope;
  readonly profile: string | null;
  /** What sets the account's settings, highest first. */
  readonly #levels: readonly Level[];
  readonly #own: Level;
  /** The settings without an account. What the account does not set is resolved and parsed there, once for all accounts. */
  readonly #shared: Settings | null;
  readonly #resolved = new Map<SettingName, Resolved<SettingName>>();

  /** Settings without an account; those of one are made by `of`. */
  constructor(
    scope: Scope,
    profile: string | null = null,
    own: Level = new Map(),
    shared: Settings | null = null,
  ) {
    this.scope = scope;
    this.profile = profile;
    this.#own = own;
    this.#shared = shared;
    this.#levels = [...scope.levels.slice(0, 1), own, ...scope.levels.slice(1)];
  }

  /** The settings of the account that sets `own`. */
  of(profile: string | null, own: Level): Settings {
    return new Settings(this.scope, profile, own, this);
  }

  /** What counts for a setting. If an alternative counts, such as a token file for the token, the value is null. */
  get<Name extends SettingName>(name: Name): Resolved<Name> {
    if (this.#shared !== null && !this.#sets(name)) return this.#shared.get(name);
    const known = this.#resolved.get(name) ?? this.#resolve(name);
    this.#resolved.set(name, known);
    return known as Resolved<Name>;
  }

  /** Whether the account itself decides what counts. The proxy of the environment depends on the base URL. */
  #sets(name: SettingName): boolean {
    if (name === "proxy" && this.#own.has("baseUrl")) return true;
    return alternativesOf(name).some((one) => this.#own.has(one));
  }

  #resolve<Name extends SettingName>(name: Name): Resolved<Name> {
    const [given = defaults.get(name) ?? null] = this.texts(name);
    if (given?.setting !== name) return { given, value: null, problem: null };
    const value = parsed(name, given);
    if (value instanceof InputError) return { given, value: null, problem: value };
    if (name !== "proxy" || this.get("baseUrl").value?.secure !== false)
      return { given, value, problem: null };
    const problem = "is set, and a proxy could read a request to an http:// base URL";
    const hint = "Use an https:// base URL, or remove the proxy";
    return { given, value: null, problem: invalid(given, problem, hint) };
  }

  /** The value; null if it is not set. Throws InputError if it is invalid. */
  value<Name extends NameWithDefault>(name: Name): Values[Name];
  value<Name extends SettingName>(name: Name): Values[Name] | null;
  value<Name extends SettingName>(name: Name): Values[Name] | null {
    const { value, problem } = this.get(name);
    if (problem !== null) throw problem;
    return value;
  }

  /** The texts of a setting and of its alternatives, highest level first. The first one counts and hides the others. */
  texts(name: SettingName): readonly SettingText[] {
    const names = alternativesOf(name);
    return this.#levels.flatMap((level) => names.flatMap((one) => this.#textAt(level, one) ?? []));
  }

  /**
   * The trust rule: a credential of yours is sent only to a base URL of yours, through a proxy of yours and with CA certificates of
   * yours. One in a found file may be sent wherever that file or you say. Returns the error if this part of a credential may not be sent,
   * or null.
   */
  travelRefusal(credential: SettingText): InputError | null {
    const { given: baseUrl, value } = this.get("baseUrl");
    if (baseUrl === null) return wrongSettings("No base URL is set", "Give one with --base-url");
    if (trustOfPart(credential) === "found") return null;
    for (const part of ["baseUrl", "proxy", "extraCertificates"] as const) {
      const source = this.get(part).given?.source;
      if (source?.kind !== "rc" || source.trust === "yours") continue;
      // Only TLS needs certificates.
      if (part === "extraCertificates" && value?.secure === false) continue;
      const { file } = source;
      const isFound = trustOf(credential.source) === "found";
      const place = describeSource(credential.source);
      return wrongSettings(
        `${isFound ? `The file that ${place} names` : place} is yours and is not sent ${routeWords[part]} at ${placeInFile(source)}: that rc file was only found in the working tree`,
        `If you trust it, give ${flagOf(part)} yourself, or name the file with --config ${file}`,
      );
    }
    return null;
  }

  /** The error of a base URL that would send credentials in clear text beyond loopback; null for another. A --resolve address decides. */
  clearTextRefusal(resolution: { readonly of: string; readonly loopback: boolean } | null = null) {
    const { given, value } = this.get("baseUrl");
    if (given === null || value === null || value.secure || (resolution ?? value).loopback) return null;
    const where =
      resolution === null
        ? "for a host that"
        : `for ${resolution.of}, which --resolve leads to an address that`;
    return invalid(
      given,
      `uses http:// ${where} is not a loopback address, so anyone on the network could read the credential`,
      `Use https://, or http://127.0.0.1 for a local server; ${given.source.kind === "option" ? "insecureHttp" : "--insecure-http"} allows it anyway`,
    );
  }

  /** The methods to check if no flag selects one: without a chosen account, those that any level names. */
  get methods(): readonly Method[] {
    if (this.scope.chosenBy === "none") return methodsIn(this.#levels);
    for (const level of this.#levels) {
      const methods = methodsIn([level]);
      if (methods.length > 0) return methods;
    }
    return [];
  }

  /** Makes a redactor of these secrets and of all that are set for the account, even unused ones. Any may be in a wrong place. */
  redactor(more: readonly string[] = []): Redactor {
    return redactorOf([...this.scope.secrets, ...secretTexts([this.#own]), ...more]);
  }

  #textAt(level: Level, name: SettingName): SettingText | null {
    const { environment, proxyFor } = this.scope;
    if (name !== "proxy" || level !== environment) return level.get(name) ?? null;
    const baseUrl = this.get("baseUrl").value;
    return baseUrl === null ? null : proxyFor(baseUrl);
  }
}
