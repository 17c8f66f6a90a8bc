import type { ExitCode } from "../exit-codes.ts";
import { asciiJson, escapeText } from "./escape.ts";
import type { Paint } from "./paint.ts";

/** Where a value came from, as far as a report shows it. */
type ShownSource =
  | { readonly kind: "flag"; readonly flag: string }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "rc"; readonly file: string; readonly line: number; readonly key: string }
  | { readonly kind: "default" };

/** What `config` shows. Secrets are masked before they get here. */
export interface ShownConfig {
  readonly profile: string | null;
  readonly rc: { readonly file: string; readonly trust: string } | null;
  readonly settings: ReadonlyArray<{
    readonly name: string;
    readonly value: string | null;
    readonly source: ShownSource | null;
    readonly hides: readonly ShownSource[];
    readonly problem: string | null;
  }>;
  readonly credentials: ReadonlyArray<{
    readonly name: string;
    readonly mayTravel: boolean;
    readonly reason: string | null;
  }>;
}

function place(source: ShownSource): string {
  switch (source.kind) {
    case "flag":
      return source.flag;
    case "environment":
      return source.variable;
    case "rc":
      return `${source.file}:${source.line}`;
    case "default":
      return "default";
  }
}

/** The settings as a table, then what may travel where; ends in a line end. */
export function configText({ profile, rc, settings, credentials }: ShownConfig, paint: Paint): string {
  const rows = settings.map(({ name, value, source }) => [
    name,
    value === null ? "-" : escapeText(value, 120),
    source === null ? "not set" : escapeText(place(source)),
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const notes = settings.map(({ hides, problem }) => [
    ...hides.map((source) => `${paint.warn("hides")} ${escapeText(place(source))}`),
    ...(problem === null ? [] : [`${paint.bad("invalid")} ${escapeText(problem, 1_000)}`]),
  ]);
  const table = rows.flatMap(([name = "", value = "", source = ""], index) => [
    `${paint.label(name.padEnd(widths[0] as number))}  ${value.padEnd(widths[1] as number)}  ${source}`,
    ...(notes[index] as string[]).map((note) => `${" ".repeat((widths[0] as number) + 2)}${note}`),
  ]);
  const file =
    rc === null
      ? "none"
      : `${escapeText(rc.file)} (${rc.trust === "yours" ? "yours" : "found in the working tree"})`;
  const travel = credentials.map(({ name, mayTravel, reason }) =>
    mayTravel
      ? `${paint.good("may travel")}  ${name}`
      : `${paint.bad("stays here")}  ${name}: ${escapeText(reason ?? "", 1_000)}`,
  );
  return [
    `${paint.label("rc file".padEnd(widths[0] as number))}  ${file}`,
    ...(profile === null
      ? []
      : [`${paint.label("profile".padEnd(widths[0] as number))}  ${escapeText(profile)}`]),
    ...table,
    ...(travel.length === 0 ? [] : ["", ...travel]),
    "",
  ].join("\n");
}

/** The same as one JSON document. */
export function configJson(config: ShownConfig, exitCode: ExitCode): string {
  return `${asciiJson({ schemaVersion: 1, ok: exitCode === 0, exitCode, ...config, error: null })}\n`;
}
