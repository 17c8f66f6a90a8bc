// What `config` knows of every setting: its value without secrets, its source, what it hides, and whether it will be used.

import type { InputError } from "../errors.ts";
import { masked, type Redactor } from "../redaction/redact.ts";
import type { Context } from "../system/context.ts";
import { looksSwapped } from "../wsse/header.ts";
import type { Method } from "./definition.ts";
import { pathExists, standardInput } from "./files.ts";
import { secretsAtHand } from "./inputs.ts";
import type { SettingText } from "./levels.ts";
import { parsed, type Settings } from "./resolve.ts";
import { describeLength, type SecretName } from "./secret.ts";
import { describeEmpty, describeSource, type Source, strangeVariables } from "./source.ts";
import {
  alternativesOf,
  credentialNames,
  definitionOf,
  keyOf,
  knownVariables,
  type SettingName,
  settingNames,
} from "./table.ts";

// Stands for a path at which nothing exists: it may be a secret in the wrong place.
const notFound = "[not found]";

/** The secret that a setting gives; of any setting that gives none, the WSSE secret. */
const secretGivenBy = (name: SettingName): SecretName =>
  alternativesOf("token").includes(name) ? "token" : "secret";

/** What else there is to say of a setting; `secret` is what it gives, where it is at hand. */
function noteOf(name: SettingName, secret: string | null, settings: Settings): string | null {
  const { unused, unusedBecause, variables } = settings.scope;
  const other = unused.get(name);
  const notes = [
    secret === null ? null : describeLength(secret),
    other === undefined ? null : `${describeSource(other.source)} is set and not used, ${unusedBecause}`,
    describeEmpty(definitionOf(name).variables, variables),
  ];
  return notes.filter((note) => note !== null).join("; ") || null;
}

/** A valid value for display. Numbers and choices are never secrets, so they are not redacted. */
function shownValue(given: SettingText, redact: Redactor, context: Context): string {
  const { setting, text } = given;
  switch (definitionOf(setting).kind) {
    case "secret":
      return masked;
    case "number":
    case "choice":
      return text;
    case "text":
    case "command":
      return redact(text);
    case "path":
      return text === standardInput || pathExists(given, context) ? redact(text) : notFound;
    case "url": {
      const value = parsed(setting, given);
      // The user of a proxy is masked whole.
      const shown = value instanceof URL ? value.href.replace(/\/\/[^/]*@/, `//${masked}@`) : text;
      // Leave the scheme out: it is never secret, and a secret that is the word `http` would mask it.
      return shown.replace(/(?<=:\/\/).+/, redact);
    }
  }
}

/** The sources of a setting, the one that counts first. A variable hides those that the setting reads after it. */
function sourcesOf(name: SettingName, settings: Settings): readonly Source[] {
  const { variables } = settings.scope;
  // HTTPS_PROXY and HTTP_PROXY are for different base URLs, so neither hides the other.
  const key = (variable: string): string => (name === "proxy" ? variable.toLowerCase() : name);
  return settings.texts(name).flatMap(({ source, setting }): readonly Source[] => {
    if (source.kind !== "environment") return [source];
    const own = definitionOf(setting).variables;
    return own
      .slice(own.indexOf(source.variable))
      .filter((variable) => variables[variable] && key(variable) === key(source.variable))
      .map((variable) => ({ kind: "environment", variable }));
  });
}

/**
 * Every setting of a profile with its source, and whether the credentials of these methods will be used. `refusal` is the error for which
 * `test` would send nothing; null if it would. Waits for no input. The result is what `config --json` prints.
 */
export function overviewOf(
  settings: Settings,
  methods: readonly Method[],
  refusal: Pick<InputError, "message" | "hint"> | null,
  context: Context,
) {
  const { profile, scope } = settings;
  const { rc } = scope;
  const secrets = secretsAtHand(settings, context);
  const { token, secret } = secrets;
  const username = settings.get("username").given?.text ?? null;
  // A username that seems to be the secret must not be shown either.
  const isSwapped = username !== null && secret !== null && looksSwapped(username, secret);
  const redact = settings.redactor(
    [token, secret, isSwapped ? username : null].flatMap((text) => text ?? []),
  );
  const rows = settingNames.map((name) => {
    const { given: counts, problem } = settings.get(name);
    const given = counts?.setting === name ? counts : null;
    const part = secretGivenBy(name);
    const isSecret = given !== null && alternativesOf(part).includes(name);
    return {
      name: keyOf(name),
      // An invalid URL may hold a password, and any other invalid value may be a secret in the wrong place.
      value: given && (problem === null ? shownValue(given, redact, context) : "[invalid]"),
      source: given?.source ?? null,
      hides: given === null ? [] : sourcesOf(name, settings).slice(1),
      problem: problem?.message ?? null,
      /** A remark on whether the value, or another one that is set, is used. */
      note: noteOf(name, isSecret ? secrets[part] : null, settings),
    };
  });
  return {
    settings: rows,
    credentials: settingNames.flatMap((name) => {
      const { given } = settings.get(name);
      const method = secretGivenBy(name) === "token" ? "token" : "wsse";
      if (given?.setting !== name || !credentialNames.has(name) || !methods.includes(method)) return [];
      return [{ name, source: given.source, mayTravel: refusal === null, reason: refusal?.message ?? null }];
    }),
    refusal: refusal && { message: refusal.message, hint: refusal.hint },
    profile: profile && redact(profile),
    /** `profiles` is how many it has; JSON leaves `shown` out. */
    rc: rc && { file: rc.path, shown: rc.shown, trust: rc.trust, profiles: rc.profiles.size },
    unknownVariables: strangeVariables(knownVariables, scope.variables),
  };
}
/** What `config` knows of one profile, or of the settings without one. */
export type SettingsOverview = ReturnType<typeof overviewOf>;
