// The settings of a run: which levels count for each of its accounts, and in which order.

import { InputError, wrongSettings } from "../errors.ts";
import { nearestFirst } from "../options/nearest.ts";
import { redactorOf } from "../redaction/redact.ts";
import type { Context } from "../system/context.ts";
import { unseenIn } from "../wsse/characters.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";
import type { AccountText } from "./account-text.ts";
import { longProfile, maxNameLength } from "./definition.ts";
import { filesNamedIn, type NamedFile } from "./files.ts";
import {
  environmentLevel,
  environmentProxy,
  environmentProxySecrets,
  holdsProfile,
  type Level,
  levelOf,
  proxySecrets,
  type SettingText,
  secretTexts,
  whyUnexpanded,
  withoutConflict,
} from "./levels.ts";
import { findRcFile } from "./rc-file.ts";
import type { RcFile } from "./rc-parse.ts";
import { parsed, Settings } from "./resolve.ts";
import { describeEmpty, describeStrange, inOrder, strangeVariables } from "./source.ts";
import { credentialNames, extraVariables, flagOf, keyOf, knownVariables, settingNames } from "./table.ts";

/** The parsed options that every command with settings has. One with the key of a setting sets it. */
export interface Options
  extends Readonly<Partial<Record<ReturnType<typeof keyOf>, string | true | undefined>>> {
  /** `--config <path>`; false for `--no-config`. */
  readonly config?: string | false | undefined;
  readonly profile?: readonly string[];
  readonly all?: boolean;
  /** `--accounts <file>`: the accounts come from there, and no profile is chosen. */
  readonly accounts?: string | undefined;
  readonly wsse?: true;
}

/** Why credentials that the run sets do not count, by what chooses the account; a `routed-line` sets baseUrl or proxy. */
const unusedBecause = {
  none: "",
  profile: "because a profile is chosen",
  line: "because each line of --accounts has a credential of its own",
  "routed-line": "because the line sets baseUrl or proxy",
} as const;

/** Whether something that the run sets counts for such an account. */
function isUsable(given: SettingText, kind: keyof typeof unusedBecause): boolean {
  const { setting, source } = given;
  if (kind === "none" || !credentialNames.has(setting)) return true;
  if (source.kind === "environment") return false;
  if (kind === "profile" || setting === "username") return true;
  // Others may have written the line: a server or proxy that it names gets no credential but the line's own. Otherwise lines may
  // share a secret that is a flag, or a command that gives each name a secret.
  return kind === "line" && (source.kind === "flag" || holdsProfile(given));
}

/** What the options of the command line set. Throws InputError as `withoutConflict` does. */
export function flagLevel(options: Options): Level {
  const given = settingNames.flatMap((setting): SettingText[] => {
    const text = options[keyOf(setting)];
    // `--token` without a value is `true` and sets nothing.
    return typeof text === "string"
      ? [{ setting, text, source: { kind: "flag", flag: flagOf(setting) } }]
      : [];
  });
  return withoutConflict(levelOf(given));
}

/** The settings of a run, and of each of its accounts. */
export class RunSettings {
  /** As `chosenProfiles` gives them. */
  readonly profiles: readonly (string | null)[];
  readonly rc: RcFile | null;
  /** What flags, the environment and the rc file's top level set. */
  readonly #run: Readonly<Record<"flags" | "environment" | "top", Level>>;
  readonly #variables: Context["environment"];
  readonly #secrets: readonly string[];
  readonly #shared = new Map<keyof typeof unusedBecause, Settings>();

  /** `variables` are all of the environment. */
  constructor(
    flags: Level,
    variables: Context["environment"],
    rc: RcFile | null,
    profiles: readonly (string | null)[],
  ) {
    this.profiles = profiles;
    this.rc = rc;
    this.#run = { flags, environment: environmentLevel(variables), top: rc?.top ?? new Map() };
    this.#variables = variables;
    this.#secrets = [...secretTexts(Object.values(this.#run)), ...environmentProxySecrets(variables)];
  }

  /** What all accounts of the run share. Throws InputError if the environment contradicts itself. */
  get shared(): Settings {
    if (this.profiles.length === 0) return this.#sharedBy("line");
    return this.#sharedBy(this.profiles.includes(null) ? "none" : "profile");
  }

  /** The settings of an account. Throws InputError if the rc file has no such profile, or contradicts itself. */
  of({ profile, own }: Pick<AccountText, "profile" | "own">): Settings {
    if (own !== null) {
      const isRouted = own.has("baseUrl") || own.has("proxy");
      return this.#sharedBy(isRouted ? "routed-line" : "line").of(profile, own);
    }
    if (profile === null) return this.#sharedBy("none");
    return this.#sharedBy("profile").of(profile, profileLevel(this.rc, profile));
  }

  /** The name of an account as it may be shown, even if its settings contradict each other. */
  shownName({ profile, own }: Pick<AccountText, "profile" | "own">): string | null {
    if (profile === null) return null;
    const level = own ?? this.rc?.profiles.get(profile) ?? new Map();
    return redactorOf([...this.#secrets, ...secretTexts([level])]).and([], maxNameLength)(profile);
  }

  /** What the accounts of a kind share. The levels stand highest first; an account's own level comes later, behind the flags. */
  #sharedBy(kind: keyof typeof unusedBecause): Settings {
    const known = this.#shared.get(kind);
    if (known !== undefined) return known;
    const { flags, environment, top } = this.#run;
    if (kind === "none") withoutConflict(environment);
    const usable = (level: Level): Level =>
      levelOf([...level.values()].filter((given) => isUsable(given, kind)));
    const variables = usable(environment);
    const rest = kind === "profile" ? [usable(top), variables] : [variables, usable(top)];
    const all = [environment, top, flags].flatMap((level) => [...level.values()]);
    const shared = new Settings({
      levels: [usable(flags), ...rest],
      environment: variables,
      chosenBy: kind === "routed-line" ? "line" : kind,
      unused: levelOf(all.filter((given) => !isUsable(given, kind))),
      unusedBecause: unusedBecause[kind],
      proxyFor: environmentProxy(this.#variables),
      variables: this.#variables,
      rc: this.rc,
      secrets: this.#secrets,
      reader: "commandLine",
    });
    this.#shared.set(kind, shared);
    return shared;
  }
}

/** Reads all settings, and warns of a secret on the command line. `onInputs` gets each file before it is read. Rejects with InputError. */
export async function loadSettings(
  options: Options,
  context: Context,
  warn: (text: string) => Promise<void>,
  onInputs: ((files: readonly NamedFile[]) => void) | null = null,
): Promise<RunSettings> {
  const exposed = exposedSecrets(options);
  if (exposed !== null) await warn(exposed);
  const flags = flagLevel(options);
  // Report usage errors at once; report an invalid setting only when it is used.
  for (const [name, given] of flags) {
    const value = parsed(name, given);
    if (value instanceof InputError && value.kind === "usage") throw value;
  }
  const { environment: variables } = context;
  onInputs?.(filesNamedIn([flags, environmentLevel(variables)], context));
  const rc = await findRcFile(options.config, context, (path) => onInputs?.([{ name: "The rc file", path }]));
  if (rc !== null) {
    onInputs?.(filesNamedIn([rc.top, ...rc.profiles.values()], context));
    withoutConflict(rc.top);
  }
  const profiles = chosenProfiles(options, rc, context.environment);
  return new RunSettings(flags, variables, rc, profiles);
}

const noProfiles =
  'Name an rc file with --config, or add the key "profiles" to .referralrc; referral-auth config shows where one is looked for';
const mostNames = 10;

/** The names of an rc file's profiles that may be listed: those that can be checked and hold no secret of the file. */
function listedProfiles(rc: RcFile, names: readonly string[]): readonly string[] {
  const redact = redactorOf(secretTexts([rc.top, ...rc.profiles.values()]));
  return names.filter((name) => name.length <= maxNameLength && redact(name) === name);
}

/** The end of a sentence: which set variables are no settings. One may have been meant to name an rc file. */
function strangeIn(environment: Context["environment"]): string {
  const strange = describeStrange(strangeVariables(knownVariables, environment));
  return strange === null ? "" : `; ${strange}`;
}

/** The error of a profile that does not exist, by its place. The hint lists those that exist, the nearest first. */
function unknownProfile(
  rc: RcFile | null,
  profile: string,
  place: string,
  environment: Context["environment"] = {},
): InputError {
  const unseen = isPlaceholder(profile)
    ? {
        problem: `is a placeholder in braces: ${whyUnexpanded("environment")}`,
        hint: "Write the name itself",
      }
    : unseenIn(profile);
  const slip = unseen === null ? "" : `; the name ${unseen.problem}`;
  const hint = (text: string): string => (unseen === null ? text : `${unseen.hint}. ${text}`);
  if (rc === null)
    return wrongSettings(
      `A profile is chosen by ${place}, and there is no rc file${slip}${strangeIn(environment)}`,
      hint(noProfiles),
    );
  const names = listedProfiles(rc, nearestFirst(profile, [...rc.profiles.keys()])).slice(0, mostNames);
  const more = rc.profiles.size > names.length ? `, and ${rc.profiles.size - names.length} more` : "";
  const others = names.length === 0 ? noProfiles : `The file has: ${names.join(", ")}${more}`;
  return wrongSettings(`The rc file ${rc.path} has no such profile as ${place} names${slip}`, hint(others));
}

/** What a profile of the rc file sets itself. Throws InputError if it does not exist, its name is too long, or it contradicts itself. */
export function profileLevel(rc: RcFile | null, profile: string): Level {
  const level = rc?.profiles.get(profile);
  if (rc === null || level === undefined) throw unknownProfile(rc, profile, "the account");
  if (profile.length > maxNameLength) throw longProfile(`The rc file ${rc.path}`);
  return withoutConflict(level);
}

/** The profiles to check; a single null if none is chosen; none with `--accounts`. Throws InputError. */
function chosenProfiles(
  options: Options,
  rc: RcFile | null,
  environment: Context["environment"],
): readonly (string | null)[] {
  if (options.accounts !== undefined) return [];
  if (options.all) {
    const names = [...(rc?.profiles.keys() ?? [])];
    if (names.length > 0) return names;
    const empty = describeEmpty([extraVariables.config], environment);
    throw wrongSettings(
      `--all checks every profile, and ${rc === null ? "there is no rc file" : `${rc.path} has none`}${empty === null ? "" : `; ${empty}`}${rc === null ? strangeIn(environment) : ""}`,
      noProfiles,
    );
  }
  const variable = environment[extraVariables.profile];
  const named = options.profile ?? (variable ? [variable] : []);
  const unknown = named.findIndex((name) => !rc?.profiles.has(name));
  const { [unknown]: name } = named;
  if (name === undefined) return named.length > 0 ? [...new Set(named)] : [null];
  const which = named.length > 1 ? `the ${inOrder(unknown)} ` : "";
  const place = options.profile === undefined ? extraVariables.profile : `${which}--profile`;
  throw unknownProfile(rc, name, place, environment);
}

/** The warning of a token, a secret or the password of a proxy in the value of a flag; null for none. */
export function exposedSecrets({ token, secret, proxy }: Options): string | null {
  const better = {
    ...(typeof token === "string" && { "--token": "--token-file or REFERRAL_TOKEN" }),
    ...(typeof secret === "string" && { "--secret": "--secret-file or REFERRAL_SECRET" }),
    ...(typeof proxy === "string" && proxySecrets(proxy).length > 0 && { "--proxy": "HTTPS_PROXY" }),
  };
  const flags = Object.keys(better).join(" and ");
  if (flags === "") return null;
  return `${flags} on the command line can be seen in process lists and shell history; use ${Object.values(better).join(", ")}`;
}
