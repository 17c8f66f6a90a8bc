import { OutputError } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { describeForeign, FileProblem } from "../system/file-reading.ts";
import type { Spool } from "../system/spool.ts";
import type { AccountResult, Report, RunEnd, Section } from "./report.ts";

/** A report that is being written to standard output or a file. */
export interface OpenReport {
  /** Takes a result before it returns, and resolves when its text is written or kept. Rejects with OutputError. */
  add(result: AccountResult): Promise<void>;
  /** Writes what remains; `now` is in milliseconds since the epoch. Rejects with OutputError. */
  end(end: RunEnd, now: number): Promise<void>;
  /** Removes temporary files, whether or not the report is complete. */
  dispose?(): void;
}

// Up to this length a section stays in memory, so most runs write no temporary file. With 1 MiB, 40,000 accounts and
// --metrics take 155 MB of memory; with this, 124 MB.
const mostKept = 128 * 1024;

/** Runs an action that writes a file. Rejects with OutputError if it fails. */
async function writing(place: string, action: () => void | Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const what = describeForeign(error) ?? `a file that could not be written (${error.code})`;
    throw new OutputError(`${place} names ${what}`);
  }
}

/** Opens a spool. Returns null if the process may open no more files: the connections may leave room later. */
function spoolOf(path: string, number: number, { openSpool }: Context): Spool | null {
  try {
    return openSpool(path, number);
  } catch (error) {
    if (error instanceof FileProblem && /^E[MN]FILE$/.test(error.code)) return null;
    throw error;
  }
}

/** Writes the text of each result as it comes. The report has one section, without a head. */
export function streamed(report: Report, write: (text: string) => Promise<void>): OpenReport {
  const writeAll = async (texts: readonly string[]): Promise<void> => {
    const text = texts.join("");
    if (text !== "") await write(text);
  };
  return {
    add: async (result) => writeAll(report.add(result)),
    end: (end, now) => writeAll(report.end(end, now).map(({ foot }) => foot)),
  };
}

/** Appends the report to a file at the end of the run. `place` is the variable that names the file. */
export function appended(report: Report, place: string, path: string, context: Context): OpenReport {
  return streamed(report, (text) =>
    writing(place, () => context.appendFile(path, text, context.interrupted)),
  );
}

/**
 * Writes a file at the end of the run. Until then, a long report is kept in temporary files beside it, and a report for a pipe
 * or device in memory. `place` is the flag that names the file.
 */
export function inFile(report: Report, place: string, path: string, context: Context): OpenReport {
  // The texts of each section: in memory, and before them those in its temporary file.
  const kept: string[] = [];
  const spools: (Spool | null)[] = [];
  const maySpool = context.fileKey(path) !== null;
  function keep(text: string, index: number): void {
    const all = (kept[index] ?? "") + text;
    kept[index] = all;
    if (all.length <= mostKept || !maySpool) return;
    spools[index] ??= spoolOf(path, index, context);
    if (spools[index] === null) return;
    spools[index].append(all);
    kept[index] = "";
  }
  function* pieces(sections: readonly Section[]): Generator<string | Uint8Array> {
    for (const [index, { head, foot }] of sections.entries()) {
      yield head;
      yield* spools[index]?.pieces() ?? [];
      yield (kept[index] ?? "") + foot;
    }
  }
  return {
    add: async (result) => {
      const texts = report.add(result);
      await writing(place, () => texts.forEach(keep));
    },
    end: async (end, now) => {
      const sections = report.end(end, now);
      await writing(place, () => context.writeFile(path, pieces(sections), context.interrupted));
    },
    dispose: () => {
      for (const spool of spools.splice(0)) spool?.remove();
    },
  };
}
