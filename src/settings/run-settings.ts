import { InputError } from "../errors.ts";
import { redactorOf } from "../redaction/redact.ts";
import type { Context } from "../system/context.ts";
import { holdsProfile } from "./command.ts";
import { maxNameLength } from "./definition.ts";
import {
  environmentLevel,
  environmentProxy,
  environmentProxySecrets,
  type Level,
  levelOf,
  type SettingText,
  secretTexts,
  withoutConflict,
} from "./levels.ts";
import { type AccountOptions, chosenProfiles, profileLevel } from "./profiles.ts";
import { findRcFile } from "./rc-file.ts";
import type { RcFile } from "./rc-parse.ts";
import { parsed, type Scope, Settings } from "./resolve.ts";
import { credentialNames, flagOf, settingNames } from "./table.ts";

/** The options of the command line, by their names. One with the name of a setting sets it. */
export interface Options extends AccountOptions {
  readonly [name: string]: unknown;
  /** `--config <path>`; false for `--no-config`. */
  readonly config?: string | false | undefined;
}

/** What a run is given: flags, all environment variables, the rc file and the profiles to check, as `chosenProfiles` gives them. */
interface Sources extends Pick<Scope, "variables" | "rc"> {
  readonly flags: Level;
  readonly profiles: readonly (string | null)[];
}

/** Where the settings of an account stand: in a profile of the rc file, or in a line of `--accounts`. */
export interface AccountSource {
  /** The account's name; null if it has none. */
  readonly profile: string | null;
  /** What its line sets, as far as it can be read; null for a profile. */
  readonly own: Level | null;
}

type Layers = Pick<Scope, "levels" | "environment" | "chosenBy" | "unused" | "unusedBecause">;

/** What the run sets for all accounts; `top` is the top level of the rc file. */
type RunLevels = Readonly<Record<"flags" | "environment" | "top", Level>>;

/** What an account is, for what it shares: none, a profile, a line, or a line with a base URL or proxy of its own. */
type AccountKind = "none" | "profile" | "line" | "routed-line";

const unusedBecause: Readonly<Record<AccountKind, string>> = {
  none: "",
  profile: "because a profile is chosen",
  line: "because each line of --accounts has a credential of its own",
  "routed-line": "because the line sets baseUrl or proxy",
};

/** Whether something that the run sets counts for such an account. */
function isUsable(given: SettingText, kind: AccountKind): boolean {
  const { setting, source } = given;
  if (kind === "none" || !credentialNames.has(setting)) return true;
  if (source.kind === "environment") return false;
  if (kind === "profile" || setting === "username") return true;
  // What a line sets travels with the line's own credential alone: others may have written the line. Otherwise lines may
  // share a secret that is a flag, or a command that gives each name its own.
  return kind === "line" && (source.kind === "flag" || holdsProfile(given));
}

/** Which levels count, highest first. What an account sets itself stands behind the flags. */
function layersFor(kind: AccountKind, { flags, environment, top }: RunLevels): Layers {
  if (kind === "none") withoutConflict(environment, "settings");
  const usable = (level: Level): Level =>
    levelOf([...level.values()].filter((given) => isUsable(given, kind)));
  const variables = usable(environment);
  const rest = kind === "profile" ? [usable(top), variables] : [variables, usable(top)];
  const all = [environment, top, flags].flatMap((level) => [...level.values()]);
  return {
    levels: [usable(flags), ...rest],
    environment: variables,
    chosenBy: kind === "routed-line" ? "line" : kind,
    unused: levelOf(all.filter((given) => !isUsable(given, kind))),
    unusedBecause: unusedBecause[kind],
  };
}

/** What the options of the command line set. Throws InputError as `withoutConflict` does. */
export function flagLevel(options: Readonly<Record<string, unknown>>): Level {
  const given = settingNames.flatMap((setting): SettingText[] => {
    const text = options[setting];
    // `--token` without a value is `true` and sets nothing.
    return typeof text === "string"
      ? [{ setting, text, source: { kind: "flag", flag: flagOf(setting) } }]
      : [];
  });
  return withoutConflict(levelOf(given), "usage");
}

/** The settings of a run, and of each of its accounts. */
export class RunSettings {
  readonly profiles: Sources["profiles"];
  readonly rc: RcFile | null;
  readonly #levels: RunLevels;
  readonly #scope: Omit<Scope, keyof Layers>;
  readonly #shared = new Map<AccountKind, Settings>();

  constructor({ flags, variables, rc, profiles }: Sources) {
    this.profiles = profiles;
    this.rc = rc;
    this.#levels = { flags, environment: environmentLevel(variables), top: rc?.top ?? new Map() };
    const levels = Object.values(this.#levels);
    this.#scope = {
      proxyFor: environmentProxy(variables),
      variables,
      rc,
      secrets: [...secretTexts(levels), ...environmentProxySecrets(variables)],
      reader: "commandLine",
    };
  }

  /** What all accounts of the run share. Throws InputError if the environment contradicts itself. */
  get shared(): Settings {
    if (this.profiles.length === 0) return this.#sharedBy("line");
    return this.#sharedBy(this.profiles.includes(null) ? "none" : "profile");
  }

  /** The settings of an account. Throws InputError if the rc file has no such profile, or contradicts itself. */
  of({ profile, own }: AccountSource): Settings {
    if (own !== null) {
      const isRouted = own.has("baseUrl") || own.has("proxy");
      return this.#sharedBy(isRouted ? "routed-line" : "line").ofAccount(profile, own);
    }
    if (profile === null) return this.#sharedBy("none");
    return this.#sharedBy("profile").ofAccount(profile, profileLevel(this.rc, profile));
  }

  /** The name of an account as it may be shown, even if its settings contradict each other. */
  shownName({ profile, own }: AccountSource): string | null {
    if (profile === null) return null;
    const level = own ?? this.rc?.profiles.get(profile) ?? new Map();
    return redactorOf([...this.#scope.secrets, ...secretTexts([level])]).and([], maxNameLength)(profile);
  }

  #sharedBy(kind: AccountKind): Settings {
    const settings =
      this.#shared.get(kind) ?? new Settings({ ...layersFor(kind, this.#levels), ...this.#scope });
    this.#shared.set(kind, settings);
    return settings;
  }
}

/** Reads the options, the environment and the rc file. Rejects with InputError. */
export async function loadSettings(options: Options, context: Context): Promise<RunSettings> {
  const flags = flagLevel(options);
  // Report usage errors at once; report an invalid setting only when it is used.
  for (const [name, given] of flags) {
    const value = parsed(name, given);
    if (value instanceof InputError && value.kind === "usage") throw value;
  }
  const { environment: variables } = context;
  const rc = await findRcFile(options.config, context);
  if (rc !== null) withoutConflict(rc.top, "settings");
  const profiles = chosenProfiles(options, rc, variables);
  return new RunSettings({ flags, variables, rc, profiles });
}
