import type { Report } from "./report.ts";

/** A report that `test` writes to a file, in addition to what it prints. */
interface FileFormat {
  /** The description of its flag in the help. */
  readonly summary: string;
  /** Loads the code that makes its text. */
  readonly load: () => Promise<() => Report>;
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
