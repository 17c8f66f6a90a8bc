import { type InputError, wrongSettings } from "../errors.ts";
import type { SettingText } from "./levels.ts";
import { describeSource, type Source, type Trust } from "./source.ts";
import { definitionOf, flagOf } from "./table.ts";

/** Everything is yours except an rc file that was found in the working tree. */
export function trustOf(source: Source): Trust {
  return source.kind === "rc" ? source.trust : "yours";
}

/** Whether a part of a credential is yours or found. A found rc file can name a file with your secret, which counts as yours. */
export function trustOfPart({ setting, source }: Pick<SettingText, "setting" | "source">): Trust {
  return definitionOf(setting).kind === "path" ? "yours" : trustOf(source);
}

const routeWords = {
  baseUrl: "to the base URL",
  proxy: "through the proxy",
  caCert: "with the CA certificates",
} as const;

/**
 * The trust rule: a credential of yours is sent only to a base URL of yours, through a proxy of yours and with CA
 * certificates of yours. A credential in a found file may be sent wherever that file or you say. `route` says where each of these
 * is set, null for one that is not. Returns the error if it may not be sent, or null.
 */
export function travelRefusal(
  credential: Pick<SettingText, "setting" | "source">,
  route: Readonly<Record<keyof typeof routeWords, Source | null>>,
): InputError | null {
  if (trustOfPart(credential) === "found") return null;
  for (const part of ["baseUrl", "proxy", "caCert"] as const) {
    const source = route[part];
    if (source?.kind !== "rc" || source.trust === "yours") continue;
    const { file, line } = source;
    const isFound = trustOf(credential.source) === "found";
    const place = describeSource(credential.source);
    return wrongSettings(
      `${isFound ? `The file that ${place} names` : place} is yours and is not sent ${routeWords[part]} in ${file}, line ${line}: that rc file was only found in the working tree`,
      `If you trust it, give ${flagOf(part)} yourself, or name the file with --config ${file}`,
    );
  }
  return null;
}
