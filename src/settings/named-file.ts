import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { Context } from "../context.ts";
import { FileProblem } from "../file-system.ts";
import { Mistake } from "../mistake.ts";
import { describeFileProblem } from "./file-problem.ts";
import type { Given } from "./layers.ts";
import { describeSource } from "./source.ts";
import { trustOf } from "./trust.ts";

/** The path in full, seen from the folder. Throws Mistake where it needs the folder, a working directory that is gone. */
export function absolutePath(path: string, folder: string | null): string {
  if (folder === null && !isAbsolute(path)) {
    throw new Mistake(
      "settings",
      "The working directory no longer exists",
      "Change to an existing one, or write absolute paths",
    );
  }
  return resolve(folder ?? sep, path);
}

// A shell does this for flags and variables.
function fromHome(path: string, home: string | null): string {
  return home !== null && path.startsWith("~/") ? join(home, path.slice(2)) : path;
}

/** The absolute path that a setting names. What was found in the working tree names files only beneath its own folder. */
function namedPath(given: Given, context: Context): string {
  const { text, source } = given;
  const path =
    source.kind === "rc"
      ? absolutePath(fromHome(text, context.homeFolder), dirname(source.file))
      : absolutePath(text, context.workingFolder);
  if (source.kind !== "rc" || source.trust === "yours") return path;
  const own = dirname(source.file);
  const refused = new Mistake(
    "settings",
    `${describeSource(source)} names a file outside its own folder; an rc file found in the working tree may not do that`,
    `Keep the file beneath ${own}, or name the rc file with --config ${source.file}`,
  );
  try {
    const real = context.realPath(path);
    if (!real.startsWith(`${context.realPath(own)}${sep}`)) throw refused;
    return real;
  } catch (error) {
    throw error instanceof FileProblem ? fileMistake(given, path, error) : error;
  }
}

/** Whether what is given as a path looks like the secret itself: one long word, neither with folders nor with an ending. */
export function looksLikeSecret(path: string): boolean {
  return /^[^/\\.\s]{16,}$/.test(path);
}

/** The mistake of a setting that names a file which cannot be read. */
export function fileMistake(
  { source, text }: Pick<Given, "source" | "text">,
  path: string,
  problem: FileProblem,
): Mistake {
  if (problem.code === "ENOENT" && looksLikeSecret(text)) {
    return new Mistake(
      "settings",
      `${describeSource(source)} names a file that does not exist; is it the token or secret itself?`,
      "Give a path here; to give the value itself, set REFERRAL_TOKEN or REFERRAL_SECRET",
    );
  }
  const message = `${describeSource(source)} names ${path}, which ${describeFileProblem(problem)}`;
  return new Mistake("settings", message, "Check the path and its permissions");
}

/** The bytes of a file that a setting names. Throws Mistake. */
export async function readNamedFile(given: Given, maxBytes: number, context: Context): Promise<Uint8Array> {
  const path = namedPath(given, context);
  try {
    return trustOf(given.source) === "yours"
      ? await context.readNamedFile(path, maxBytes, context.interrupted)
      : context.readFile(path, maxBytes).bytes;
  } catch (error) {
    throw error instanceof FileProblem ? fileMistake(given, path, error) : error;
  }
}
