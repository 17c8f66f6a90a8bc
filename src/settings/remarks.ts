import { endpointAt } from "./base-url.ts";
import { type Level, textFor, textsFor } from "./levels.ts";
import type { Sources } from "./load.ts";
import { describeSource } from "./source.ts";
import type { SettingName } from "./table.ts";

/** Environment variables that hide a different value of the rc file, among these settings and their alternatives. */
export function hiddenByEnvironment(
  levels: readonly Level[],
  names: readonly SettingName[],
): ReadonlyArray<{ readonly by: string; readonly place: string }> {
  return names.flatMap((name) => {
    const [winner, ...rest] = textsFor(levels, name);
    if (winner?.source.kind !== "environment") return [];
    const other = rest.find(
      ({ source, setting, text }) =>
        source.kind === "rc" && (setting !== winner.setting || text !== winner.text),
    );
    return other === undefined ? [] : [{ by: winner.source.variable, place: describeSource(other.source) }];
  });
}

/**
 * The places of those of these settings whose value may be cut: in a YAML file, a comment follows it and it has no quotes.
 */
export function cutByComment(levels: readonly Level[], names: readonly SettingName[]): readonly string[] {
  return names.flatMap((name) => {
    const winner = textFor(levels, name);
    return winner?.commentFollows ? [describeSource(winner.source)] : [];
  });
}

/** The hosts of all base URLs that are set anywhere, profiles included. */
export function knownHosts(sources: Sources): readonly string[] {
  const { flags, environment, rc } = sources;
  const levels = [flags, environment, ...(rc === null ? [] : [rc.top, ...rc.profiles.values()])];
  const hosts = textsFor(levels, "baseUrl").flatMap((given) => {
    const endpoint = endpointAt(given);
    return "problem" in endpoint ? [] : [endpoint.url.hostname];
  });
  return [...new Set(hosts)];
}
