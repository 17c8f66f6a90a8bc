import type { ReportedCheck, RunEnd } from "./report-writer.ts";

/** The text of a report in sections. What is written for the checks stands between the head and the foot of a section. */
export interface FileReport {
  /** The text of a check in each section. */
  add(check: ReportedCheck): readonly string[];
  /** What stands around each section; `now` is in milliseconds since the epoch. */
  finish(end: RunEnd, now: number): readonly { readonly head: string; readonly foot: string }[];
}

/** A report that `test` writes to a file, besides what it prints. */
interface FileFormat {
  /** What help says of its flag. */
  readonly summary: string;
  /** Loads what makes the file's text. */
  readonly load: () => Promise<() => FileReport>;
}

/** Every format, by the name of its flag: `--junit <file>`. */
export const fileFormats = {
  junit: {
    summary: "write a JUnit report to this file as well",
    load: async () => (await import("./junit.ts")).junitReport,
  },
  metrics: {
    summary: "write metrics for Prometheus to this file as well",
    load: async () => (await import("./metrics.ts")).metricsReport,
  },
} as const satisfies Record<Lowercase<string>, FileFormat>;

/** The name of a format. */
export type FormatName = keyof typeof fileFormats;
/** The names of all formats, in the order of the help. */
export const formatNames = Object.keys(fileFormats) as readonly FormatName[];
