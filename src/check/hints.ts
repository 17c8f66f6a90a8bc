import { type Advice, adviceOf } from "../settings/advice.ts";
import { environmentProxy, type SettingText } from "../settings/levels.ts";
import type { Method } from "../settings/method-parts.ts";
import { methodParts } from "../settings/method-parts.ts";
import type { Settings } from "../settings/resolve.ts";
import { describeSource } from "../settings/source.ts";
import type { SettingName } from "../settings/table.ts";
import { trustOf } from "../settings/trust.ts";

/** A setting that hides another value of a lower level: the variable that hides it, and the place of the hidden value. */
interface Hidden {
  readonly by: string;
  readonly place: string;
}

/** Facts about an account's settings that explain a failure, without secrets. */
export interface Hints extends Advice {
  /** Whether the base URL already ends in /test-authentication. */
  readonly suffixGiven: boolean;
  /** Environment variables that hide a different value in the rc file. */
  readonly hidden: readonly Hidden[];
  /** The places of parts that may be cut: in a YAML file, the value has no quotes and a comment follows it. */
  readonly cutByComment: readonly string[];
  /** The places in an rc file found in the working tree that set the digest, hash or Authorization field of a credential of yours. */
  readonly setByFoundFile: readonly string[];
  /** Whether a token is set that a diagnosis can try in place of the secret. */
  readonly hasSpareToken: boolean;
  /** The hosts of all base URLs that are set anywhere. */
  readonly otherHosts: readonly string[];
  /** ALL_PROXY, spelt as it is set, if HTTPS_PROXY with its value would be the proxy; else null. */
  readonly unusedProxy: string | null;
  /** What changes Node's TLS: options in NODE_OPTIONS, and OPENSSL_CONF. */
  readonly tlsOptions: readonly string[];
}

function hiddenBy([winner, ...others]: readonly SettingText[]): readonly Hidden[] {
  if (winner?.source.kind !== "environment") return [];
  const other = others.find(
    ({ source, setting, text }) =>
      source.kind === "rc" && (setting !== winner.setting || text !== winner.text),
  );
  return other === undefined ? [] : [{ by: winner.source.variable, place: describeSource(other.source) }];
}

/**
 * The hints on an account's settings. They are looked up when a failed check asks for them. `isYours` says whether a part of
 * the credential is yours.
 */
export function hintsOf(settings: Settings, method: Method, isYours: boolean): Hints {
  const { required, conventions } = methodParts[method];
  const placesOf = (names: readonly SettingName[], isMeant: (given: SettingText) => boolean) =>
    names
      .flatMap((name) => settings.winner(name) ?? [])
      .filter(isMeant)
      .map(({ source }) => describeSource(source));
  return {
    ...adviceOf(settings),
    get suffixGiven() {
      return settings.get("baseUrl").setting?.value.suffixGiven ?? false;
    },
    get hidden() {
      return ["baseUrl" as const, ...required, ...conventions].flatMap((name) =>
        hiddenBy(settings.texts(name)),
      );
    },
    get cutByComment() {
      return placesOf(required, ({ commentFollows }) => commentFollows === true);
    },
    get setByFoundFile() {
      return isYours ? placesOf(conventions, ({ source }) => trustOf(source) === "found") : [];
    },
    get hasSpareToken() {
      return method === "wsse" && settings.winner("token") !== null;
    },
    get otherHosts() {
      return settings.scope.knownHosts();
    },
    get unusedProxy() {
      const { variables } = settings.scope;
      const variable = ["all_proxy", "ALL_PROXY"].find((name) => variables[name]);
      const endpoint = settings.get("baseUrl").setting?.value;
      if (variable === undefined || endpoint === undefined || settings.winner("proxy") !== null) return null;
      const asProxy = environmentProxy({ ...variables, https_proxy: variables[variable] });
      return asProxy(endpoint) && variable;
    },
    get tlsOptions() {
      const { NODE_OPTIONS = "", OPENSSL_CONF } = settings.scope.variables;
      const options =
        NODE_OPTIONS.match(/--(?:tls-(?:(?:min|max)-v1\.\d|cipher-list)|openssl-[a-z-]+)/g) ?? [];
      return [
        ...options.map((option) => `${option} in NODE_OPTIONS`),
        ...(OPENSSL_CONF ? ["OPENSSL_CONF"] : []),
      ];
    },
  };
}
