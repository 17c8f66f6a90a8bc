import { OutputError } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { FileProblem } from "../system/file-reading.ts";
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

/** The texts of a section: in memory, and in a temporary file once they are long. */
class KeptTexts {
  readonly #openSpool: () => Spool | null;
  #kept: string[] = [];
  #length = 0;
  #spool: Spool | null = null;

  /** `openSpool` returns null if no temporary file can be made now. */
  constructor(openSpool: () => Spool | null) {
    this.#openSpool = openSpool;
  }

  add(text: string): void {
    this.#kept.push(text);
    this.#length += text.length;
    if (this.#length <= mostKept) return;
    this.#spool ??= this.#openSpool();
    if (this.#spool === null) return;
    this.#spool.append(this.#kept.join(""));
    this.#kept = [];
    this.#length = 0;
  }

  *pieces(): Generator<string | Uint8Array> {
    if (this.#spool !== null) yield* this.#spool.pieces();
    yield this.#kept.join("");
  }

  dispose(): void {
    this.#spool?.remove();
    this.#spool = null;
  }
}

/** Runs an action that writes a file. Rejects with OutputError if it fails. */
async function writing(place: string, action: () => void | Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new OutputError(
      error.code === "FOREIGN_LINK"
        ? `${place} names a symbolic link of another user in a folder that everyone can write to; it was not followed`
        : `${place} names a file that could not be written (${error.code})`,
    );
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
    add: (result) => writeAll(report.add(result)),
    end: (end, now) => writeAll(report.end(end, now).map(({ foot }) => foot)),
  };
}

/** Appends the report to a file at the end of the run. `place` is the variable that names the file. */
export function appended(report: Report, place: string, path: string, context: Context): OpenReport {
  return streamed(report, (text) => writing(place, () => context.appendFile(path, text)));
}

/**
 * Writes a file at the end of the run. Until then, a long report is kept in temporary files beside it, and a report for a pipe
 * or device in memory. `place` is the flag that names the file.
 */
export function inFile(report: Report, place: string, path: string, context: Context): OpenReport {
  const kept: KeptTexts[] = [];
  const maySpool = context.fileKey(path) !== null;
  const keptOf = (index: number): KeptTexts => {
    kept[index] ??= new KeptTexts(() => (maySpool ? spoolOf(path, index, context) : null));
    return kept[index];
  };
  function* pieces(sections: readonly Section[]): Generator<string | Uint8Array> {
    for (const [index, { head, foot }] of sections.entries()) {
      yield head;
      yield* keptOf(index).pieces();
      yield foot;
    }
  }
  return {
    add: async (result) => {
      const texts = report.add(result);
      await writing(place, () => {
        for (const [index, text] of texts.entries()) keptOf(index).add(text);
      });
    },
    end: async (end, now) => {
      const sections = report.end(end, now);
      await writing(place, () => context.writeFile(path, pieces(sections), context.interrupted));
    },
    dispose: () => {
      for (const one of kept) one?.dispose();
    },
  };
}
