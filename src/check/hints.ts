import { adviceOf } from "../settings/advice.ts";
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

function hiddenBy([winner, ...others]: readonly SettingText[]): readonly Hidden[] {
  if (winner?.source.kind !== "environment") return [];
  const other = others.find(
    ({ source, setting, text }) =>
      source.kind === "rc" && (setting !== winner.setting || text !== winner.text),
  );
  return other === undefined ? [] : [{ by: winner.source.variable, place: describeSource(other.source) }];
}

/**
 * Facts about an account's settings that explain a failure, without secrets. They are looked up when a failed check asks for
 * them. `isYours` says whether a part of the credential is yours.
 */
export function hintsOf(settings: Settings, method: Method, isYours: boolean) {
  const { required, conventions } = methodParts[method];
  const placesOf = (names: readonly SettingName[], isMeant: (given: SettingText) => boolean) =>
    names
      .flatMap((name) => settings.get(name).given ?? [])
      .filter(isMeant)
      .map(({ source }) => describeSource(source));
  return {
    ...adviceOf(settings),
    /** Whether the base URL already ends in /test-authentication. */
    get suffixGiven(): boolean {
      return settings.get("baseUrl").value?.suffixGiven ?? false;
    },
    /** Environment variables that hide a different value in the rc file. */
    get hidden(): readonly Hidden[] {
      return ["baseUrl" as const, ...required, ...conventions].flatMap((name) =>
        hiddenBy(settings.texts(name)),
      );
    },
    /** The places of parts that may be cut: in a YAML file, the value has no quotes and a comment follows it. */
    get cutByComment(): readonly string[] {
      return placesOf(required, ({ commentFollows }) => commentFollows === true);
    },
    /** The places in an rc file found in the working tree that set the digest, hash or Authorization field of a credential of yours. */
    get setByFoundFile(): readonly string[] {
      return isYours ? placesOf(conventions, ({ source }) => trustOf(source) === "found") : [];
    },
    /** Whether a token is set that a diagnosis can try in place of the secret. */
    get hasSpareToken(): boolean {
      return method === "wsse" && settings.get("token").given !== null;
    },
    /** ALL_PROXY, spelt as it is set, if HTTPS_PROXY with its value would be the proxy; else null. */
    get unusedProxy(): string | null {
      const { variables } = settings.scope;
      const variable = ["all_proxy", "ALL_PROXY"].find((name) => variables[name]);
      if (variable === undefined || settings.get("proxy").given !== null) return null;
      const endpoint = settings.get("baseUrl").value;
      const asProxy = environmentProxy({ ...variables, https_proxy: variables[variable] });
      return endpoint && asProxy(endpoint) ? variable : null;
    },
  };
}

/** The hints on an account's settings. */
export type Hints = ReturnType<typeof hintsOf>;
