import type { RunResult } from "./counts.ts";

/** A report that `test` writes to a file, besides what it prints. */
interface FileFormat {
  /** What help says of its flag. */
  readonly summary: string;
  /** Loads what makes the file's text; `now` is in milliseconds since the epoch. */
  readonly writer: () => Promise<(run: RunResult, now: number) => string>;
}

/** Every format, by the name of its flag: `--junit <file>`. */
export const fileFormats = {
  junit: {
    summary: "write a JUnit report to this file as well",
    writer: async () => (await import("./junit.ts")).junitReport,
  },
} as const satisfies Record<Lowercase<string>, FileFormat>;

/** The name of a format. */
export type FormatName = keyof typeof fileFormats;
/** The names of all formats, in the order of the help. */
export const formatNames = Object.keys(fileFormats) as readonly FormatName[];
