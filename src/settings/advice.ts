// What the settings say of a run or a failure: warnings before it, and facts that explain it. No text holds a value of a setting.

import { InputError } from "../errors.ts";
import { holdsPlaceholder } from "../wsse/placeholders.ts";
import { type Method, methodParts } from "./definition.ts";
import { type Fix, fixInWords, shortPlaceOf, sourceOf } from "./fix.ts";
import { percentDecoded, type SettingText, whyUnexpanded } from "./levels.ts";
import { parsed, type Settings } from "./resolve.ts";
import { areSet, describeEmpty, describeSource, trustOf } from "./source.ts";
import { alternativesOf, definitionOf, type SettingName } from "./table.ts";
import { noProxy } from "./urls.ts";

/** The warning that REFERRAL_BASE_URL is set and another base URL counts, which no flag gives; null if there is none. */
export function unusedBaseUrl(settings: Settings): string | null {
  const [winner, ...others] = settings.texts("baseUrl");
  if (winner === undefined || winner.source.kind === "flag") return null;
  const unused = others.find(({ source }) => source.kind === "environment");
  if (unused === undefined || hrefOf(unused) === hrefOf(winner)) return null;
  return `${describeSource(unused.source)} is set and not used where the base URL is ${describeSource(winner.source)}`;
}

/** The warning that the other method is half set, and so was not checked; null for none. A username alone may be another account's. */
export function halfCredential(settings: Settings): string | null {
  const { scope } = settings;
  const methods = scope.chosenBy === "line" ? [] : settings.methods;
  if (methods.length !== 1) return null;
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

/** The variable that hides a value of the rc file, and the place of that value; none if it hides nothing else. */
function hiddenBy([winner, ...others]: readonly SettingText[]) {
  if (winner?.source.kind !== "environment") return [];
  const other = others.find(
    ({ source, setting, text }) =>
      source.kind === "rc" && (setting !== winner.setting || text !== winner.text),
  );
  return other === undefined ? [] : [{ by: winner.source.variable, place: describeSource(other.source) }];
}

/** The variables for proxies and certificates. Programs read the names of proxies in lower case first. */
const networkNames =
  "HTTPS_PROXY HTTP_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE REQUESTS_CA_BUNDLE"
    .split(" ")
    .map((name) => [name.toLowerCase(), name] as const);

/** Where the settings of one account are set, how to change them, and what of them explains a failure. No text holds a value. */
export class Hints {
  readonly #settings: Settings;
  readonly #method: Method;
  readonly #isYours: boolean;

  /** `isYours`: a part of the credential is yours. */
  constructor(settings: Settings, method: Method, isYours: boolean) {
    this.#settings = settings;
    this.#method = method;
    this.#isYours = isYours;
  }

  /** Where a setting is set now: `REFERRAL_TOKEN`, `token at rc.yaml:3`, `the default`. */
  placeOf(setting: SettingName): string {
    return describeSource(sourceOf(setting, this.#settings));
  }

  /** The same without the key of a file: `rc.yaml:3`. */
  shortPlaceOf(setting: SettingName): string {
    return shortPlaceOf(setting, this.#settings);
  }

  /** A fix in words. It names no place of `told` again, and adds those that it names. */
  inWords(fix: Fix, told: Set<string> = new Set()): string {
    return fixInWords(fix, this.#settings, told);
  }

  /** Why nothing replaced a placeholder in a part of the credential, by where it is set. */
  whyUnexpanded(name: "token" | "username" | "secret"): string {
    const { given } = this.#settings.get(name);
    return given === null || given.setting !== name
      ? "what is read is taken as it is"
      : whyUnexpanded(given.source.kind);
  }

  /** Whether the user or password of the proxy may hold a variable that nothing replaced. */
  get proxyHoldsVariable(): boolean {
    const { value } = this.#settings.get("proxy");
    return value !== null && [value.username, value.password].map(percentDecoded).some(holdsPlaceholder);
  }

  /** Environment variables that hide a different value in the rc file. */
  get hidden() {
    const { required, conventions } = methodParts[this.#method];
    return ["baseUrl" as const, ...required, ...conventions].flatMap((name) =>
      hiddenBy(this.#settings.texts(name)),
    );
  }

  /** The places in an rc file found in the working tree that set the digest, hash or Authorization field of a credential of yours. */
  get setByFoundFile(): readonly string[] {
    if (!this.#isYours) return [];
    const sources = methodParts[this.#method].conventions.map((name) => sourceOf(name, this.#settings));
    return sources.filter((source) => trustOf(source) === "found").map(describeSource);
  }

  /** Whether the reader uses the command line, and not the library. */
  get isCommandLine(): boolean {
    return this.#settings.scope.reader === "commandLine";
  }

  /** Whether a token is set that a diagnosis can try in place of the secret. */
  get hasSpareToken(): boolean {
    return this.#method === "wsse" && this.#settings.get("token").given !== null;
  }

  /**
   * Which variables for proxies are set, and what each does here, in sentences; and which for certificates, unless `certificates` is
   * null. `stored`: how many of them the file of SSL_CERT_FILE holds; null if that is not known.
   */
  networkVariables(certificates: { readonly stored: number | null } | null): readonly string[] {
    const { variables } = this.#settings.scope;
    const stored = certificates?.stored ?? undefined;
    const baseUrl = this.#settings.get("baseUrl").value;
    const source = this.#settings.get("proxy").given?.source;
    const does = (name: string): string => {
      const kind = name.toUpperCase();
      if (kind === "NO_PROXY")
        return baseUrl !== null && noProxy(variables[name])(baseUrl.url)
          ? "names this host, so no proxy of the environment is used"
          : "does not name this host";
      if (kind === "SSL_CERT_FILE")
        return `replaces the certificates of this system and of Node.js${stored === undefined ? "" : ` (${stored} in its file)`}`;
      const isUsed = source?.kind === "environment" && source.variable === name;
      return isUsed || kind === "NODE_EXTRA_CA_CERTS" ? "used" : "not used";
    };
    const names: Record<string, readonly string[]> = {};
    for (const variable of networkNames) {
      if (certificates === null && /ca|cert/.test(variable[0])) continue;
      // The library reads SSL_CERT_FILE alone, and knows what it holds.
      const name = variable.find(
        (one) => variables[one] || (one === "SSL_CERT_FILE" && stored !== undefined),
      );
      if (name) names[does(name)] = [...(names[does(name)] ?? []), name];
    }
    return Object.entries(names).map(([does, some]) => `${areSet(some)} and ${does}`);
  }
}
