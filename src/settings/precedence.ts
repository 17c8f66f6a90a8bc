import { endpointOf } from "./base-url.ts";
import { type Level, profileLevel, type SettingText, withoutConflict } from "./levels.ts";
import type { Sources } from "./load.ts";
import { environmentProxy } from "./proxy.ts";
import { alternatives, type SettingName } from "./table.ts";
import { winnerOf } from "./values.ts";

/** The levels of one account. Everything that asks for a setting reads them, so precedence is decided here alone. */
export interface Precedence {
  /** Every level that counts, highest first. */
  readonly levels: readonly Level[];
  /** Whether the settings say which account is meant. Then the first level that names a credential decides alone. */
  readonly accountChosen: boolean;
  /** The parts of a credential that the environment sets and that do not count, because an account is chosen. */
  readonly unused: Level;
}

const credentialNames: ReadonlySet<SettingName> = new Set([...alternatives.flat(), "username"]);

function select(layer: Level, wanted: (given: SettingText) => boolean): Level {
  return new Map([...layer].filter(([, given]) => wanted(given)));
}

const isCredential = ({ setting }: SettingText): boolean => credentialNames.has(setting);

/**
 * The levels of an account. Its own layer says which account is meant, so it and the rc file's top level count before
 * the environment, and no part of the credential comes from the environment. Without an account (null) the environment
 * counts before the rc file.
 */
export function levelsFor(sources: Sources, account: Level | null): Precedence {
  const { flags, environment, variables, top } = sources;
  const inOrder = (variablesLayer: Level): readonly Level[] =>
    account === null ? [flags, variablesLayer, top] : [flags, account, top, variablesLayer];
  const usable =
    account === null
      ? withoutConflict(environment, "settings")
      : select(environment, (given) => !isCredential(given));
  const baseUrl = winnerOf(inOrder(usable), "baseUrl");
  const endpoint = baseUrl && endpointOf(baseUrl.text);
  const proxy = endpoint === null || "problem" in endpoint ? null : environmentProxy(endpoint, variables);
  return {
    levels: inOrder(proxy === null ? usable : new Map([...usable, ["proxy", proxy]])),
    accountChosen: account !== null,
    unused: account === null ? new Map() : select(environment, isCredential),
  };
}

/** The levels of a profile; of no account for null. Throws InputError if the rc file has no such profile. */
export function precedenceOf(sources: Sources, profile: string | null): Precedence {
  return levelsFor(sources, profile === null ? null : profileLevel(sources.rc, profile));
}

/** The levels that count for the run as a whole: those of its accounts, without what one of them sets itself. */
export function runPrecedence(sources: Sources): Precedence {
  return levelsFor(sources, sources.profiles.includes(null) ? null : new Map());
}
