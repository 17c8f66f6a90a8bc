import type { Account } from "../accounts/account.ts";
import type { AccountSettings } from "../check/prepare.ts";
import { RunInputs } from "../settings/inputs.ts";
import { redactorFor } from "../settings/known-secrets.ts";
import { secretTexts } from "../settings/levels.ts";
import { loadSources, type SourceOptions, type Sources } from "../settings/load.ts";
import { levelsFor, type Precedence, precedenceOf } from "../settings/precedence.ts";
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

function precedenceFor(sources: Sources, { profile, own }: Account): Precedence {
  return own === null ? precedenceOf(sources, profile) : levelsFor(sources, own);
}

function secretsIn({ own }: Account): readonly string[] {
  return own === null ? [] : secretTexts([own]);
}

/** The name of an account as it may be shown. */
export function shownName({ sources }: RunSettings, account: Account): string | null {
  const { profile } = account;
  return profile === null ? null : redactorFor(sources, profile, secretsIn(account))(profile);
}

/** The settings of an account. Throws InputError if the rc file has no such profile. */
export function accountSettings(
  { sources, inputs, knownHosts }: RunSettings,
  account: Account,
): AccountSettings {
  const { profile } = account;
  return {
    profile,
    precedence: precedenceFor(sources, account),
    rc: sources.rc,
    redactorOf: (secrets) => redactorFor(sources, profile, [...secretsIn(account), ...secrets]),
    inputs: inputs.forProfile(profile),
    knownHosts,
  };
}
