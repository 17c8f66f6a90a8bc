import type { Level, SettingText } from "./levels.ts";
import { describeSource, type Source, type Trust } from "./source.ts";
import { fileOf, type SettingName } from "./table.ts";

/** Everything is yours except an rc file that was found in the working tree. */
export function trustOf(source: Source): Trust {
  return source.kind === "rc" ? source.trust : "yours";
}

/** One part of a credential: the setting that gives it, and where that was set. */
export type CredentialPart = Pick<SettingText, "setting" | "source">;

const secretFiles: ReadonlySet<SettingName> = new Set(Object.values(fileOf));

/** Whether a part of a credential is yours or found. A found rc file can name a file with your secret, which counts as yours. */
export function trustOfPart({ setting, source }: CredentialPart): Trust {
  return secretFiles.has(setting) ? "yours" : trustOf(source);
}

/** The settings that decide who sees a credential when it is sent; null for one that has no value. */
export interface RouteSources {
  readonly baseUrl: Source;
  readonly proxy: Source | null;
  readonly caCert: Source | null;
}

const routeFlags = { baseUrl: "--base-url", proxy: "--proxy", caCert: "--ca-cert" } as const;
const routeNames = {
  baseUrl: "to the base URL",
  proxy: "through the proxy",
  caCert: "with the CA certificates",
} as const;

type RcSource = Extract<Source, { kind: "rc" }>;

/** Which part of the route may not see the credential, and where that part is set. */
export interface Refusal {
  readonly part: keyof RouteSources;
  readonly source: RcSource;
}

/**
 * The trust rule: a credential of yours is sent only to a base URL of yours, through a proxy of yours and with CA
 * certificates of yours. A credential in a found file may be sent wherever that file or you say. Null if it may be sent.
 */
export function travelRefusal(credential: CredentialPart, route: RouteSources): Refusal | null {
  if (trustOfPart(credential) === "found") return null;
  for (const part of ["baseUrl", "proxy", "caCert"] as const) {
    const source = route[part];
    if (source?.kind === "rc" && source.trust === "found") return { part, source };
  }
  return null;
}

/** The refusal in a sentence, and what to do if you trust the file. */
export function explainRefusal(
  credential: CredentialPart,
  refusal: Refusal,
): { message: string; hint: string } {
  const { file, line } = refusal.source;
  const place = describeSource(credential.source);
  const isFile = trustOf(credential.source) === "found";
  return {
    message:
      `${isFile ? `The file that ${place} names` : place} is yours and is not sent ${routeNames[refusal.part]} in ` +
      `${file}, line ${line}: that rc file was only found in the working tree`,
    hint: `If you trust it, give ${routeFlags[refusal.part]} yourself, or name the file with --config ${file}`,
  };
}

/** The levels without those of a found rc file. */
export function yoursAlone(levels: readonly Level[]): readonly Level[] {
  return levels.filter((level) => [...level.values()].every(({ source }) => trustOf(source) === "yours"));
}
