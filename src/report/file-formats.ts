import type { FileReport } from "./report.ts";

/**
 * Every report that `test` writes to a file, by the name of its flag (`--junit <file>`): the description of the flag, and what
 * loads the code of the report.
 */
export const fileFormats = {
  junit: {
    summary: "write a JUnit report to this file as well",
    load: async () => (await import("./junit.ts")).junitReport,
  },
  metrics: {
    summary: "write metrics for Prometheus to this file as well",
    load: async () => (await import("./metrics.ts")).metricsReport,
  },
} as const satisfies Record<Lowercase<string>, { summary: string; load: () => Promise<FileReport> }>;

/** The name of a format. */
export type FormatName = keyof typeof fileFormats;
/** The names of all formats, in the order of the help. */
export const formatNames = Object.keys(fileFormats) as readonly FormatName[];
