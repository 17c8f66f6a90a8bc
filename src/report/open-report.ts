import { OutputError } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { describeForeign, FileProblem } from "../system/file-reading.ts";
import type { Place } from "../system/spool.ts";
import type { AccountResult, Report, RunEnd, Section } from "./report.ts";

/** A report that is being written to standard output or a file. */
export interface OpenReport {
  /** Takes a result before it returns, and resolves when its text is written or kept. Rejects with OutputError. */
  add(result: AccountResult): Promise<void>;
  /** Writes what remains; `now` is in milliseconds since the epoch. Rejects with OutputError. */
  end(end: RunEnd, now: number): Promise<void>;
  /** Closes files and removes temporary ones, whether or not the report is complete. */
  dispose?(): void;
}

/** A report that stops nothing if it cannot be written: the end rejects with the `problem`, and `add` does not. */
export interface LastingReport extends OpenReport {
  /** Why the report could not be written so far, or null. */
  readonly problem: OutputError | null;
  /** Does nothing if it is called again. */
  dispose(): void;
}

// Up to this length a section stays in memory, so most runs write no temporary file. With 1 MiB, 40,000 accounts and
// --metrics take 155 MB of memory; with this, 124 MB.
const mostKept = 128 * 1024;

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

/** The report, which takes no further results after one that could not be written. `isOnly`: then it rejects, to end the run. */
export function lasting(report: OpenReport, isOnly = false): LastingReport {
  let problem: OutputError | null = null;
  let isOpen = true;
  const dispose = (): void => {
    if (isOpen) report.dispose?.();
    isOpen = false;
  };
  return {
    get problem() {
      return problem;
    },
    add: async (result) => {
      if (problem !== null) return;
      try {
        await report.add(result);
      } catch (error) {
        if (!(error instanceof OutputError)) throw error;
        problem ??= error;
        // The other reports may need the room on the disk.
        dispose();
        if (isOnly) throw error;
      }
    },
    end: async (end, now) => {
      if (problem !== null) throw problem;
      await report.end(end, now);
    },
    dispose,
  };
}

/** Runs an action that writes the file of a report. Rejects with OutputError, which ends with the consequence, if it fails. */
async function writing<Value>(
  place: string,
  path: string,
  action: () => Value,
  consequence = "",
): Promise<Awaited<Value>> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const foreign = describeForeign(error);
    if (foreign !== null) throw new OutputError(`${place} names ${foreign}`);
    const { getSystemErrorMap } = await import("node:util");
    const [, words] = [...getSystemErrorMap().values()].find(([code]) => code === error.code) ?? [];
    const reason = words === undefined ? error.code : `${words} (${error.code})`;
    throw new OutputError(`${place}: ${path} could not be written: ${reason}${consequence}`);
  }
}

/**
 * Opens what the path names and appends the report at the end of the run. `place` is the variable that names it. Rejects with
 * OutputError.
 */
export async function appended(
  report: Report,
  place: string,
  path: string,
  { openTarget, interrupted }: Context,
): Promise<OpenReport> {
  const { write, close } = await writing(place, path, () => openTarget(path, true));
  const written = streamed(report, (text) => writing(place, path, () => write([text], interrupted)));
  return { ...written, dispose: close };
}

/**
 * Opens what the path names and writes the report at the end of the run. Until then, a long report is kept in a temporary file
 * beside it, and a report for a pipe or device in memory. If it cannot be written, no old report stays in its place. `place`
 * is the flag that names the file. Rejects with OutputError.
 */
export async function inFile(
  report: Report,
  place: string,
  path: string,
  { openTarget, removeFile, interrupted }: Context,
): Promise<OpenReport> {
  const { spool, write, close } = await writing(
    place,
    path,
    () => openTarget(path, false),
    "; nothing was sent",
  );
  // The texts of each section: in memory, and before them those in the temporary file.
  const kept: string[] = [];
  const spooled: Place[][] = [];
  function keep(text: string, index: number): void {
    const all = (kept[index] ?? "") + text;
    kept[index] = all;
    if (all.length <= mostKept || spool === null) return;
    spooled[index] ??= [];
    spooled[index].push(spool.append(all));
    kept[index] = "";
  }
  function* pieces(sections: readonly Section[]): Generator<string | Uint8Array> {
    for (const [index, { head, foot }] of sections.entries()) {
      yield head;
      yield* spool?.pieces(spooled[index] ?? []) ?? [];
      yield (kept[index] ?? "") + foot;
    }
  }
  const attempt = (action: () => void | Promise<void>): Promise<void> =>
    writing(place, path, action).catch((error) => {
      try {
        removeFile(path);
      } catch {
        // The folder does not allow it.
      }
      throw error;
    });
  return {
    add: (result) => {
      const texts = report.add(result);
      return attempt(() => texts.forEach(keep));
    },
    end: (end, now) => {
      const sections = report.end(end, now);
      return attempt(() => write(pieces(sections), interrupted));
    },
    dispose: close,
  };
}
