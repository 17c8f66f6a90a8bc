import { InputError } from "../errors.ts";
import { redactorOf } from "../redaction/redact.ts";
import { holdsProfile } from "./command.ts";
import { type Level, levelOf, type SettingText, secretTexts, withoutConflict } from "./levels.ts";
import { parsed } from "./parse.ts";
import { profileLevel } from "./profiles.ts";
import type { RcFile } from "./rc-parse.ts";
import { type Scope, Settings } from "./resolve.ts";
import type { Environment } from "./source.ts";
import { credentialNames } from "./table.ts";

/** What the flags, the environment and the rc file set. */
interface Sources {
  readonly flags: Level;
  readonly environment: Level;
  /** All environment variables. */
  readonly variables: Environment;
  readonly rc: RcFile | null;
  /** The profiles to check; a single null if none is chosen; none with `--accounts`. */
  readonly profiles: readonly (string | null)[];
}

/** An account: a profile of the rc file, or what a line of `--accounts` sets. */
export interface AccountSource {
  readonly profile: string | null;
  /** Null for a profile. */
  readonly own: Level | null;
}

type Layers = Pick<Scope, "levels" | "environment" | "unused" | "unusedBecause">;

const empty: Level = new Map();

const isPart = ({ setting }: SettingText): boolean => credentialNames.has(setting);
const isSecret = (given: SettingText): boolean => isPart(given) && given.setting !== "username";

function select(level: Level, wanted: (given: SettingText) => boolean): Level {
  return new Map([...level].filter(([, given]) => wanted(given)));
}

/** The settings of a run. It decides which levels count for an account, and in which order. */
export class RunSettings {
  readonly profiles: Sources["profiles"];
  readonly rc: RcFile | null;
  readonly #sources: Sources;
  readonly #scopes = new Map<string, Settings>();
  #hosts: readonly string[] | null = null;

  constructor(sources: Sources) {
    this.profiles = sources.profiles;
    this.rc = sources.rc;
    this.#sources = sources;
  }

  /** What all accounts of the run share. Throws InputError if the environment contradicts itself. */
  get shared(): Settings {
    if (this.profiles.length === 0) return this.#ofLines;
    return this.profiles.includes(null) ? this.#withoutAccount : this.#ofProfiles;
  }

  /** The settings of an account. Throws InputError if the rc file has no such profile, or contradicts itself. */
  of({ profile, own }: AccountSource): Settings {
    if (own !== null) {
      // What a line sets travels with the line's own credential alone: others may have written the line.
      const shared = own.has("baseUrl") || own.has("proxy") ? this.#ofRoutedLines : this.#ofLines;
      return shared.ofAccount({ profile, level: own });
    }
    if (profile === null) return this.#withoutAccount;
    return this.#ofProfiles.ofAccount({ profile, level: profileLevel(this.rc, profile) });
  }

  /** The name of an account as it may be shown, even if its settings contradict each other. */
  shownName({ profile, own }: AccountSource): string | null {
    if (profile === null) return null;
    const level = own ?? this.rc?.profiles.get(profile) ?? empty;
    return redactorOf([...this.#secrets, ...secretTexts([level])])(profile);
  }

  /** Flag, environment, rc file. */
  get #withoutAccount(): Settings {
    const { flags, environment } = this.#sources;
    return this.#once("none", "none", () => ({
      levels: [flags, withoutConflict(environment, "settings"), this.#top],
      environment,
      unused: empty,
      unusedBecause: "",
    }));
  }

  /** Flag, (profile,) rc file, environment without credentials. */
  get #ofProfiles(): Settings {
    const { flags, environment } = this.#sources;
    return this.#once("profile", "profile", () => {
      const usable = select(environment, (given) => !isPart(given));
      return {
        levels: [flags, this.#top, usable],
        environment: usable,
        unused: select(environment, isPart),
        unusedBecause: "because a profile is chosen",
      };
    });
  }

  /** Flag, (line,) environment without credentials, rc file. What a line shares with others is a flag or differs by name. */
  get #ofLines(): Settings {
    return this.#once("line", "line", () =>
      this.#linesWith(
        (given) => !isSecret(given) || given.source.kind === "flag" || holdsProfile(given),
        "because each line of --accounts has a credential of its own",
      ),
    );
  }

  /** The same for a line that sets where its credential travels: no token or secret but its own. */
  get #ofRoutedLines(): Settings {
    return this.#once("line", "line with a route", () =>
      this.#linesWith((given) => !isSecret(given), "because the line sets baseUrl or proxy"),
    );
  }

  #linesWith(isUsable: (given: SettingText) => boolean, unusedBecause: string): Layers {
    const { flags, environment } = this.#sources;
    const shared = select(environment, (given) => !isPart(given));
    const all = [...environment.values()].filter(isPart);
    const unusable = [...this.#top.values(), ...flags.values()].filter((given) => !isUsable(given));
    return {
      levels: [select(flags, isUsable), shared, select(this.#top, isUsable)],
      environment: shared,
      unused: levelOf([...all, ...unusable]),
      unusedBecause,
    };
  }

  get #secrets(): readonly string[] {
    const { flags, environment } = this.#sources;
    return secretTexts([flags, environment, this.#top]);
  }

  get #top(): Level {
    return this.rc?.top ?? empty;
  }

  #once(chosenBy: Scope["chosenBy"], key: string, layers: () => Layers): Settings {
    const known = this.#scopes.get(key);
    if (known !== undefined) return known;
    const { variables } = this.#sources;
    const settings = new Settings({
      ...layers(),
      chosenBy,
      variables,
      rc: this.rc,
      secrets: this.#secrets,
      knownHosts: () => this.#knownHosts,
    });
    this.#scopes.set(key, settings);
    return settings;
  }

  // There can be as many hosts as profiles, and only failed checks ask for them.
  get #knownHosts(): readonly string[] {
    const { flags, environment } = this.#sources;
    this.#hosts ??= [
      ...new Set(
        [flags, environment, this.#top, ...(this.rc?.profiles.values() ?? [])].flatMap((level) => {
          const given = level.get("baseUrl");
          const endpoint = given && parsed("baseUrl", given);
          return endpoint === undefined || endpoint instanceof InputError ? [] : [endpoint.url.hostname];
        }),
      ),
    ];
    return this.#hosts;
  }
}
