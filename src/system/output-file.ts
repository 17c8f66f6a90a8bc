import { OutputError } from "../errors.ts";
import { describeForeign, FileProblem } from "./file-reading.ts";
import { inWords } from "./system-words.ts";

/** Runs an action that writes or removes the file that `place` names: a flag or variable. Rejects with OutputError if it fails. */
export async function writing<Value>(
  place: string,
  path: string,
  action: () => Value,
): Promise<Awaited<Value>> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const foreign = describeForeign(error);
    if (foreign !== null) throw new OutputError(`${place} names ${foreign}`);
    throw new OutputError(`${place}: ${path} could not be written: ${await inWords(error.code)}`);
  }
}
