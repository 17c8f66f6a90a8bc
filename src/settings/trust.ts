import { describeSource, type Source, type Trust } from "./source.ts";

/** Flags, the environment, defaults and the user's own rc file are theirs; a file met in the working tree is not. */
export function trustOf(source: Source): Trust {
  return source.kind === "rc" ? source.trust : "yours";
}

/** Everything that decides who sees a credential on its way; null where a setting has no value. */
export interface Way {
  readonly baseUrl: Source;
  readonly proxy: Source | null;
  readonly caCert: Source | null;
}

const wayFlags = { baseUrl: "--base-url", proxy: "--proxy", caCert: "--ca-cert" } as const;
const wayNames = {
  baseUrl: "to the base URL",
  proxy: "through the proxy",
  caCert: "with the CA certificates",
} as const;

type RcSource = Extract<Source, { kind: "rc" }>;

/** Which part of the way may not see the credential, and where that part was set. */
export interface Refusal {
  readonly part: keyof Way;
  readonly source: RcSource;
}

/**
 * The trust rule: a credential of yours travels only to a base URL of yours, by a proxy and with CA certificates of
 * yours. What was found in the working tree may go wherever the working tree or you send it. Null: it may travel.
 */
export function travelRefusal(credential: Source, way: Way): Refusal | null {
  if (trustOf(credential) === "found") return null;
  for (const part of ["baseUrl", "proxy", "caCert"] as const) {
    const source = way[part];
    if (source?.kind === "rc" && source.trust === "found") return { part, source };
  }
  return null;
}

/** The refusal in a sentence, and what the user can do who does trust the file. */
export function explainRefusal(credential: Source, refusal: Refusal): { message: string; hint: string } {
  const { file, line } = refusal.source;
  return {
    message:
      `${describeSource(credential)} is yours and is not sent ${wayNames[refusal.part]} in ` +
      `${file}, line ${line}: that file was only found in the working tree`,
    hint: `If you trust it, give ${wayFlags[refusal.part]} yourself, or name the file with --config ${file}`,
  };
}
