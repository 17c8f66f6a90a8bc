// What `config` prints: a table, a line for each profile, or JSON.

import type { ExitCode } from "../exit-codes.ts";
import { asciiJson, escapeText } from "../redaction/escape.ts";
import type { SettingsOverview } from "../settings/overview.ts";
import { describeSource, describeStrange, type Source } from "../settings/source.ts";
import { padded, widthOf } from "./layout.ts";
import type { Paint } from "./paint.ts";

// Shorter than in a message: the row has the key already. Editors and terminals can open `file:line`.
function place(source: Source): string {
  if (source.kind === "rc") return `${source.file}:${source.line}`;
  return source.kind === "default" ? "default" : describeSource(source);
}

const widest = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);

const use = ({ mayTravel }: { readonly mayTravel: boolean }, paint: Paint, width = 0): string =>
  mayTravel ? paint.good("will be used".padEnd(width)) : paint.bad("withheld".padEnd(width));

/**
 * The settings as a table, then which credentials will be used; ends in a line end. `hiddenFiles` are the rc files that the one in
 * use hides.
 */
export function configText(
  { profile, rc, settings, credentials, unknownVariables }: SettingsOverview,
  {
    hiddenFiles,
    searchedFolders,
  }: { readonly hiddenFiles: readonly string[]; readonly searchedFolders: readonly string[] },
  paint: Paint,
): string {
  const rows = settings.map(({ name, value, source, hides, problem, note }) => ({
    name,
    value: value === null ? "-" : escapeText(value, 120),
    place: source === null ? "not set" : escapeText(place(source)),
    notes: [
      ...hides.map((hidden) => `${paint.warn("hides")} ${escapeText(place(hidden))}`),
      ...(note === null ? [] : [`${paint.warn("note")} ${escapeText(note, 1_000)}`]),
      ...(problem === null ? [] : [`${paint.bad("invalid")} ${escapeText(problem, 1_000)}`]),
    ],
  }));
  const nameWidth = widest(rows.map(({ name }) => name));
  const valueWidth = widest(rows.map(({ value }) => value));
  const label = (name: string): string => paint.label(name.padEnd(nameWidth));
  const table = rows.flatMap(({ name, value, place, notes }) => [
    `${label(name)}  ${padded(value, valueWidth)}  ${place}`,
    ...notes.map((note) => `${" ".repeat(nameWidth + 2)}${note}`),
  ]);
  const file =
    rc === null
      ? "none"
      : `${escapeText(rc.file)} (${rc.trust === "yours" ? "yours" : "found in the working tree"})`;
  const strange = describeStrange(unknownVariables);
  const used = credentials.map((row) => {
    const remark = row.reason === null ? "" : `: ${escapeText(row.reason, 1_000)}`;
    return `${use(row, paint, 12)}  ${row.name}${remark}`;
  });
  return [
    `${label("rc file")}  ${file}`,
    ...hiddenFiles.map((path) => `${label("")}  ${paint.warn("hides")} ${escapeText(path)}`),
    ...searchedFolders.map((path) => `${label("")}  searched ${escapeText(path)}`),
    ...(strange === null ? [] : [`${label("variables")}  ${escapeText(strange, 1_000)}`]),
    ...(profile === null ? [] : [`${label("profile")}  ${escapeText(profile)}`]),
    ...(profile !== null || !rc?.profiles
      ? []
      : [`${label("profiles")}  ${rc.profiles}, shown by config --all`]),
    ...table,
    ...(used.length === 0 ? [] : ["", ...used]),
    "",
  ].join("\n");
}

/** One line for each profile: its name, its base URL, its credentials and what is invalid. Each ends in a line end. */
export function profileLines(overviews: readonly SettingsOverview[], paint: Paint): string {
  const rows = overviews.map(({ profile, settings, credentials, problem: ofAll }) => ({
    name: escapeText(profile ?? "", 60),
    baseUrl: escapeText(settings.find(({ name }) => name === "baseUrl")?.value ?? "-", 120),
    facts: [
      ...credentials.map((row) => `${row.name} ${use(row, paint)}`),
      ...(credentials.length === 0 && ofAll === null ? [paint.bad("no credential")] : []),
      ...[{ problem: ofAll }, ...settings].flatMap(({ problem }) =>
        problem === null ? [] : [`${paint.bad("invalid")} ${escapeText(problem, 200)}`],
      ),
    ].join(", "),
  }));
  const nameWidth = widest(rows.map(({ name }) => name));
  const urlWidth = widest(rows.map(({ baseUrl }) => baseUrl));
  return rows
    .map(
      ({ name, baseUrl, facts }) =>
        `${paint.label(padded(name, nameWidth))}  ${padded(baseUrl, urlWidth)}  ${facts}\n`,
    )
    .join("");
}

/** The same as one JSON document: the overview itself, or a list of those of all profiles. */
export function configJson(
  overviews: readonly SettingsOverview[],
  places: Parameters<typeof configText>[1],
  isList: boolean,
  exitCode: ExitCode,
): string {
  const content = isList ? { profiles: overviews } : { ...overviews[0], ...places };
  // Programs get the absolute path alone.
  const json = JSON.stringify(content, (key, value) => (key === "shown" ? undefined : value));
  return `${asciiJson({ schemaVersion: 1, ok: exitCode === 0, exitCode, ...JSON.parse(json), error: null })}\n`;
}
