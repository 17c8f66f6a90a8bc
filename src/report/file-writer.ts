import { OutputError } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { FileProblem } from "../system/file-reading.ts";
import type { Spool } from "../system/spool.ts";
import type { FileReport, ReportWriter } from "./report-writer.ts";

// Up to this length a section stays in memory, so most runs write no temporary file. With 1 MiB, 40,000 accounts and
// --metrics take 155 MB of memory; with this, 124 MB.
const mostKept = 128 * 1024;

/** The text of a section: in memory, and in a temporary file once it is long. */
class Section {
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

/** Runs an action that writes a file. `place` is the flag or variable that names it. Rejects with OutputError if it fails. */
export async function writing(place: string, action: () => void | Promise<void>): Promise<void> {
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

/** Runs the action, or returns null if the process may open no more files: the connections may leave room later. */
function unlessTooManyFiles<Value>(action: () => Value): Value | null {
  try {
    return action();
  } catch (error) {
    if (error instanceof FileProblem && tooManyFiles.has(error.code)) return null;
    throw error;
  }
}

const tooManyFiles: ReadonlySet<string> = new Set(["EMFILE", "ENFILE"]);

/**
 * Writes a report to a file at the end of the run. Until then, a long report is kept in temporary files beside it, and a
 * report for a pipe or device in memory.
 */
export function fileWriter(report: FileReport, flag: string, path: string, context: Context): ReportWriter {
  const sections: Section[] = [];
  const maySpool = context.fileKey(path) !== null;
  const section = (index: number): Section => {
    const open = () => unlessTooManyFiles(() => context.openSpool(path, index));
    sections[index] ??= new Section(maySpool ? open : () => null);
    return sections[index];
  };
  return {
    add: (check) => {
      const texts = report.add(check);
      return writing(flag, () => {
        for (const [index, text] of texts.entries()) section(index).add(text);
      });
    },
    finish: async (end) => {
      const frames = report.finish(end, context.now());
      function* pieces(): Generator<string | Uint8Array> {
        for (const [index, { head, foot }] of frames.entries()) {
          yield head;
          yield* section(index).pieces();
          yield foot;
        }
      }
      await writing(flag, () => context.writeFile(path, pieces(), context.interrupted));
    },
    dispose: () => {
      for (const one of sections) one?.dispose();
    },
  };
}
