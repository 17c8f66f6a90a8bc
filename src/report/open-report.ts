import { OutputError } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { writing } from "../system/output-file.ts";
import type { Place } from "../system/spool.ts";
import type { Output } from "../system/streams.ts";
import type { AccountResult, Report, RunEnd, Section } from "./report.ts";

// Up to this length a section stays in memory, so most runs write no temporary file. With 1 MiB, 40,000 accounts and
// --metrics take 155 MB of memory; with this, 124 MB.
const mostKept = 128 * 1024;

/** The place that a report is written to. `add` and `end` reject with OutputError. */
interface Outlet {
  /** Takes the text of a result in each section before it returns, and resolves when it is written or kept. */
  add(texts: readonly string[]): Promise<void>;
  end(sections: readonly Section[]): Promise<void>;
  /** Closes files and removes temporary ones, whether or not the report is complete. */
  dispose(): void;
}

/** A report that is being written. After a result that could not be written it takes no further ones, and its end rejects. */
export class OpenReport {
  /** Why the report could not be written so far, or null. */
  problem: OutputError | null = null;
  readonly #report: Report;
  readonly #outlet: Outlet;
  readonly #isOnly: boolean;
  #isOpen = true;

  /** With `isOnly`, a result that cannot be written rejects as well, to end the run. */
  constructor(report: Report, outlet: Outlet, isOnly: boolean) {
    this.#report = report;
    this.#outlet = outlet;
    this.#isOnly = isOnly;
  }

  /** Takes a result before it returns, and resolves when its text is written or kept. */
  async add(result: AccountResult): Promise<void> {
    if (this.problem !== null) return;
    const texts = this.#report.add(result);
    try {
      await this.#outlet.add(texts);
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      this.problem ??= error;
      // The other reports may need the room on the disk.
      this.dispose();
      if (this.#isOnly) throw error;
    }
  }

  /** Writes what remains; `now` is in milliseconds since the epoch. Rejects with OutputError. */
  async end(end: RunEnd, now: number): Promise<void> {
    if (this.problem !== null) throw this.problem;
    await this.#outlet.end(this.#report.end(end, now));
  }

  /** Closes what it writes to. Does nothing if it is called again. */
  dispose(): void {
    if (this.#isOpen) this.#outlet.dispose();
    this.#isOpen = false;
  }
}

/** Writes the text of each result as it comes. The report has one section, without a head. */
export function onStream(report: Report, stream: Pick<Output, "write">, isOnly: boolean): OpenReport {
  const add = async (texts: readonly string[]): Promise<void> => {
    const text = texts.join("");
    if (text !== "") await stream.write(text);
  };
  const end: Outlet["end"] = (sections) => add(sections.map(({ foot }) => foot));
  return new OpenReport(report, { add, end, dispose: () => {} }, isOnly);
}

/**
 * Opens what the path names and writes the report at the end of the run, or appends it. Until then, a long report is kept in a
 * temporary file beside it, and a report to append, or for a pipe or device, in memory. If it cannot be written, no old report
 * stays in its place. `place` is the flag or variable that names the file. Resolves with OutputError if it cannot be opened.
 */
export async function inFile(
  report: Report,
  place: string,
  path: string,
  { openTarget, removeFile, interrupted }: Context,
  isAppended = false,
): Promise<OpenReport | OutputError> {
  const target = await writing(place, path, () => openTarget(path, isAppended)).catch((error: unknown) => {
    if (error instanceof OutputError) return error;
    throw error;
  });
  if (target instanceof OutputError) return target;
  const { spool, write, close } = target;
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
        if (!isAppended) removeFile(path);
      } catch {
        // The folder does not allow it.
      }
      throw error;
    });
  const add: Outlet["add"] = (texts) => attempt(() => texts.forEach(keep));
  const end: Outlet["end"] = (sections) => attempt(() => write(pieces(sections), interrupted));
  return new OpenReport(report, { add, end, dispose: close }, false);
}
