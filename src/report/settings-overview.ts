// What `config` prints: a table, a line for each profile, or JSON.

import type { ExitCode } from "../exit-codes.ts";
import { asciiJson, escapeText } from "../redaction/escape.ts";
import type { SettingsOverview } from "../settings/overview.ts";
import { describeSource, describeStrange, placeInFile, type Source } from "../settings/source.ts";
import { padded, widthOf } from "./layout.ts";
import type { Paint } from "./paint.ts";

// Shorter than in a message: the row has the key already.
const place = (source: Source): string =>
  source.kind === "default" ? "default" : (placeInFile(source) ?? describeSource(source));

const widest = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);

/** Whether `test` would send the credentials, or else the error with which it ends, and what to do. */
function use({ credentials, refusal }: SettingsOverview, paint: Paint): readonly string[] {
  const names = credentials.map(({ name }) => name).join(", ");
  if (refusal === null) return [`${paint.good("will be used")}  ${names}`];
  const { message, hint } = refusal;
  return [
    `${paint.bad("withheld")}${names && `  ${names}`}: ${escapeText(message, 1_000)}`,
    `          try ${escapeText(hint, 1_000)}`,
  ];
}

/** The settings as a table, then which credentials will be used; ends in a line end. */
export function configText(
  overview: SettingsOverview,
  searchedFolders: readonly string[],
  paint: Paint,
): string {
  const { profile, rc, settings, refusal, unknownVariables } = overview;
  const rows = settings.map(({ name, value, source, hides, problem, note }) => ({
    name,
    value: value === null ? "-" : escapeText(value, 120),
    place: source === null ? "not set" : escapeText(place(source)),
    notes: [
      ...hides.map((hidden) => `${paint.warn("hides")} ${escapeText(place(hidden))}`),
      ...(note === null ? [] : [`${paint.warn("note")} ${escapeText(note, 1_000)}`]),
      // The error that `test` ends with stands below the table.
      ...(problem === null || problem === refusal?.message
        ? []
        : [`${paint.bad("invalid")} ${escapeText(problem, 1_000)}`]),
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
      : `${escapeText(rc.shown)} (${rc.trust === "yours" ? "yours" : "found in the working tree"})`;
  const strange = describeStrange(unknownVariables);
  return [
    `${label("rc file")}  ${file}`,
    ...searchedFolders.map((path) => `${label("")}  searched ${escapeText(path)}`),
    ...(strange === null ? [] : [`${label("variables")}  ${escapeText(strange, 1_000)}`]),
    ...(profile === null ? [] : [`${label("profile")}  ${escapeText(profile)}`]),
    ...(profile !== null || !rc?.profiles
      ? []
      : [`${label("profiles")}  ${rc.profiles}, shown by config --all`]),
    ...table,
    "",
    ...use(overview, paint),
    "",
  ].join("\n");
}

/** One line for each profile: its name, its base URL, and whether its credentials will be used. Each ends in a line end. */
export function profileLines(overviews: readonly SettingsOverview[], paint: Paint): string {
  const rows = overviews.map((one) => ({
    name: escapeText(one.profile ?? "", 60),
    baseUrl: escapeText(one.settings.find(({ name }) => name === "baseUrl")?.value ?? "-", 120),
    facts: use(one, paint)[0],
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
  searchedFolders: readonly string[],
  isList: boolean,
  exitCode: ExitCode,
): string {
  const content = isList ? { profiles: overviews } : { ...overviews[0], searchedFolders };
  // Programs get the absolute path alone.
  const json = JSON.stringify(content, (key, value) => (key === "shown" ? undefined : value));
  return `${asciiJson({ schemaVersion: 1, ok: exitCode === 0, exitCode, ...JSON.parse(json), error: null })}\n`;
}
