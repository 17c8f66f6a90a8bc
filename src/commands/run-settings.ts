import type { AccountSettings } from "../check/prepare.ts";
import { InputError, orInputError } from "../errors.ts";
import { RunInputs } from "../settings/inputs.ts";
import { redactorFor } from "../settings/known-secrets.ts";
import { loadSources, type SourceOptions, type Sources } from "../settings/load.ts";
import { precedenceOf } from "../settings/precedence.ts";
import { readers } from "../settings/readers.ts";
import { knownHosts } from "../settings/remarks.ts";
import type { Context } from "../system/context.ts";

/** What the accounts of a run share. */
export interface RunSettings {
  readonly sources: Sources;
  readonly inputs: RunInputs;
  /** The hosts of all base URLs that are set anywhere. They are collected once, when they are first asked for. */
  readonly knownHosts: () => readonly string[];
}

/** Loads what the accounts of a run share. Rejects with InputError. */
export async function loadRunSettings(options: SourceOptions, context: Context): Promise<RunSettings> {
  const sources = await loadSources(options, context);
  let hosts: readonly string[] | null = null;
  return {
    sources,
    inputs: new RunInputs(context),
    knownHosts: () => {
      hosts ??= knownHosts(sources);
      return hosts;
    },
  };
}

/** The settings of a profile; of no account for null. Throws InputError if the rc file has no such profile. */
export function accountSettings(
  { sources, inputs, knownHosts }: RunSettings,
  profile: string | null,
): AccountSettings {
  return {
    profile,
    precedence: precedenceOf(sources, profile),
    rc: sources.rc,
    redactorOf: (secrets) => redactorFor(sources, profile, secrets),
    inputs: inputs.forProfile(profile),
    knownHosts,
  };
}

/** The origin that a profile's checks go to; empty if its settings do not tell. */
export function originOf({ sources }: RunSettings, profile: string | null): string {
  const baseUrl = orInputError(() => readers.baseUrl(precedenceOf(sources, profile).levels));
  return baseUrl === null || baseUrl instanceof InputError ? "" : baseUrl.value.url.origin;
}
