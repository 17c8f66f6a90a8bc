import { endpointIn } from "./base-url.ts";
import { type Level, type SettingText, withoutConflict } from "./levels.ts";
import type { Sources } from "./load.ts";
import { profileLevel } from "./profiles.ts";
import { environmentProxy } from "./proxy.ts";
import { credentialNames } from "./table.ts";

/** The levels of one account. All settings are read from them, so precedence is decided here alone. */
export interface Precedence {
  /** The levels, highest first. */
  readonly levels: readonly Level[];
  /** Whether an account is chosen. If so, only the first level that names a credential selects the methods. */
  readonly accountChosen: boolean;
  /** The parts of a credential in the environment that are ignored because an account is chosen. */
  readonly unused: Level;
  /** Whether the rc file has profiles to choose from. */
  readonly hasProfiles: boolean;
}

function select(level: Level, wanted: (given: SettingText) => boolean): Level {
  return new Map([...level].filter(([, given]) => wanted(given)));
}

const isCredential = ({ setting }: SettingText): boolean => credentialNames.has(setting);

const nothing: Level = new Map();

const environmentsOfAccounts = new WeakMap<Level, { readonly usable: Level; readonly unused: Level }>();

/** Divides the environment: the settings that accounts use, and the credential that they do not use. Done once for all accounts. */
function environmentOfAccounts(environment: Level): { readonly usable: Level; readonly unused: Level } {
  const known = environmentsOfAccounts.get(environment);
  if (known !== undefined) return known;
  const divided = {
    usable: select(environment, (given) => !isCredential(given)),
    unused: select(environment, isCredential),
  };
  environmentsOfAccounts.set(environment, divided);
  return divided;
}

/**
 * The levels of an account; `account` is its own level. With an account, this level and the rc file's top level count before
 * the environment, and no part of the credential comes from the environment. Without an account (null), the environment
 * counts before the rc file.
 */
export function levelsFor(sources: Sources, account: Level | null): Precedence {
  const { flags, environment, variables, rc } = sources;
  const top = rc?.top ?? nothing;
  const inOrder = (variablesLevel: Level): readonly Level[] =>
    account === null ? [flags, variablesLevel, top] : [flags, account, top, variablesLevel];
  const { usable, unused } =
    account === null
      ? { usable: withoutConflict(environment, "settings"), unused: nothing }
      : environmentOfAccounts(environment);
  const withoutProxy = inOrder(usable);
  const endpoint = endpointIn(withoutProxy);
  const proxy = endpoint && environmentProxy(endpoint, variables);
  return {
    levels: proxy === null ? withoutProxy : inOrder(new Map([...usable, ["proxy", proxy]])),
    accountChosen: account !== null,
    hasProfiles: (rc?.profiles.size ?? 0) > 0,
    unused,
  };
}

/** The levels of a profile, or without an account for null. Throws InputError if the rc file has no such profile. */
export function precedenceOf(sources: Sources, profile: string | null): Precedence {
  return levelsFor(sources, profile === null ? null : profileLevel(sources.rc, profile));
}

/** The levels for the whole run: those that its accounts share. */
export function runPrecedence(sources: Sources): Precedence {
  return levelsFor(sources, sources.profiles.includes(null) ? null : nothing);
}
