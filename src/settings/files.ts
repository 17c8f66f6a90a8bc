// Files that are named, to be read or written: their paths, what other users can do with them, and the errors. No output may replace
// an input or another output.

import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { InputError, orInputError, wrongSettings, wrongUsage } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { FileProblem, ifUnreadable, type Permissions } from "../system/file-reading.ts";
import { unseenIn } from "../wsse/characters.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";
import { invalid, type Level, type SettingText, whyUnexpanded } from "./levels.ts";
import { describeSource, type Source, type Trust } from "./source.ts";

/** The path that stands for standard input. */
export const standardInput = "-";

/** The path of what an input names. */
export const inputPath = (path: string): string => (path === standardInput ? "/dev/stdin" : path);

/** The resolved path. Throws InputError if the folder is gone, or something is left around the path. */
export function absolutePath(
  path: string,
  folder: string | null,
  place: string,
  kind: Source["kind"] = "flag",
): string {
  const unseen = path.endsWith("\r") ? unseenIn(path, /\r/) : null;
  if (unseen !== null) throw wrongSettings(`${place} ${unseen.problem}`, unseen.hint);
  if (isPlaceholder(path))
    throw wrongSettings(
      `${place} is a placeholder that nothing expanded: ${whyUnexpanded(kind)}`,
      "Write the path itself",
    );
  if (/^~[\w-]*(?:[\\/]|$)/.test(path))
    throw wrongSettings(
      `${place} begins with ~, which was not expanded: a shell expands it at the beginning of an unquoted word alone, and an rc file ~/ alone`,
      "Write the whole path, or $HOME in its place",
    );
  if (folder === null && !isAbsolute(path))
    throw wrongSettings(
      "The working directory no longer exists, or its path is not UTF-8",
      "Change to an existing one, or write absolute paths",
    );
  return resolve(folder ?? sep, path);
}

/** The absolute path that a setting names. Throws InputError if it needs a working directory that is gone. */
function pathOf({ text, source }: SettingText, context: Context): string {
  const { homeFolder } = context;
  // In flags and variables the shell expands `~/`.
  const isInHome = homeFolder !== null && source.kind === "rc" && text.startsWith("~/");
  const path = isInHome ? join(homeFolder, text.slice(2)) : text;
  return absolutePath(path, folderOf(source, context), describeSource(source), source.kind);
}

/** A file, and the flag, variable or key that names it. */
export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

/** The files that these levels name for secrets and certificates, whether they count or not. */
export function filesNamedIn(levels: readonly Level[], context: Context): readonly NamedFile[] {
  const given = levels.flatMap((level) =>
    (["tokenFile", "secretFile", "extraCertificates"] as const).flatMap((name) => level.get(name) ?? []),
  );
  return given.flatMap((one) => {
    const text = one.setting === "extraCertificates" ? one.text : inputPath(one.text);
    const path = orInputError(() => pathOf({ ...one, text }, context));
    return typeof path === "string" ? [{ name: describeSource(one.source), path }] : [];
  });
}

/** The absolute path that a setting names. An rc file found in the working tree may name only files below its own folder. */
export function namedPath(given: SettingText, context: Context): string {
  const { source } = given;
  const path = pathOf(given, context);
  if (source.kind !== "rc" || source.trust === "yours") return path;
  const own = dirname(source.file);
  try {
    const real = context.realPath(path);
    if (real.startsWith(`${context.realPath(own)}${sep}`)) return real;
  } catch (error) {
    throw fileError(given, path, error, context);
  }
  throw invalid(
    given,
    "names a file outside its own folder; an rc file found in the working tree may not do that",
    `Keep the file beneath ${own}, or name the rc file with --config ${source.file}`,
  );
}

/** The folder that relative paths of this source start from. */
function folderOf(source: Source, context: Context): string | null {
  return source.kind === "rc" ? dirname(source.file) : context.workingFolder;
}

/** Whether the path of a setting exists. If not, the text may be a secret and is never shown. */
export function pathExists(given: SettingText, context: Context): boolean {
  const path = orInputError(() => pathOf(given, context));
  return typeof path === "string" && context.fileExists(path);
}

/** The error of a setting whose file cannot be read, which quotes only a path that exists; any other error unchanged. */
export const fileError = (given: SettingText, path: string, error: unknown, context: Context): unknown =>
  ifUnreadable(error, (what) => {
    if (context.fileExists(path))
      return invalid(given, `names ${path}, which ${what}`, "Check the path and its permissions");
    const folder = folderOf(given.source, context);
    const relative = folder === null ? "" : `, which is absolute or relative to ${folder}`;
    return invalid(given, `names a file that ${what}`, `Correct the path${relative}`);
  });

/** The text of a file or command without one end of line, which belongs to no secret. */
export const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, "");

/** The secret in a file that a setting names, so that it can be redacted. Null if it cannot be read without waiting. */
export function peekSecretFile(given: SettingText, maxBytes: number, context: Context): string | null {
  try {
    const { bytes } = context.readFile(namedPath(given, context), maxBytes);
    return withoutLineEnd(Buffer.from(bytes).toString());
  } catch (error) {
    if (error instanceof FileProblem || error instanceof InputError) return null;
    throw error;
  }
}

/** What other users can do with a file; null for nothing, or where there are no modes. */
export function accessOfOthers({ mode, owner }: Permissions, trust: Trust = "yours") {
  const may = (bits: number): boolean => mode !== null && (mode & bits) !== 0;
  // A umask of 002 lets the group write to what a checkout holds. A found file runs no command.
  if (may(trust === "found" ? 0o002 : 0o022)) return "write to";
  // Kubernetes mounts a Secret as files of root that the pod's group may read (`fsGroup`).
  return may(owner === 0 ? 0o004 : 0o044) ? "read" : null;
}

/** How to close a file to others: by this command where it is yours, else by a closed copy. `more` says what else can be done. */
export function howToClose(
  path: string,
  owner: number | null,
  command: string,
  { userId }: Pick<Context, "userId">,
  more = "; or use --no-config",
): string {
  const copy = "use a copy of your own in another folder, closed by chmod 600";
  return owner === userId || userId === 0
    ? `Close it to others: ${command} ${path}; where that changes nothing, ${copy}${more}`
    : `It is another user's: ${copy}${more}`;
}

/** The absolute path of an output that a flag names. Throws InputError if it is `-`. */
export function outputPath(
  flag: string,
  path: string,
  { workingFolder }: Pick<Context, "workingFolder">,
): string {
  if (path === standardInput)
    throw wrongUsage(
      `${flag} takes a path, and - is none`,
      `Write ${flag} /dev/stdout for standard output, or ./- for a file of that name`,
    );
  return absolutePath(path, workingFolder, flag);
}

/** What is printed, as an output: it can be redirected to a file. */
export const standardOutput: NamedFile = { name: "standard output", path: "/dev/stdout" };

/** The files that flags and variables name, of those that are set. */
export const filesNamed = (
  given: Readonly<Record<string, string | undefined>>,
  { workingFolder }: Pick<Context, "workingFolder">,
): readonly NamedFile[] =>
  Object.entries(given).flatMap(([name, path]) =>
    path ? [{ name, path: absolutePath(path, workingFolder, name) }] : [],
  );

const sameFile = (one: string, other: string) =>
  wrongUsage(`${one} and ${other} are the same file`, "Name another file to write");

/** Throws InputError if a report goes into what is printed, also through a pipe: inside JSON it would make the whole unreadable. */
export function checkPrintedJson(outputs: readonly NamedFile[]): void {
  const inside = outputs.find(({ path }) => path === standardOutput.path);
  if (inside !== undefined) throw sameFile(inside.name, standardOutput.name);
}

/** Throws InputError if an output is a file that is read, or another output: what it replaced would be lost. */
export function checkOutputs(
  outputs: readonly NamedFile[],
  inputs: readonly NamedFile[],
  { fileKey }: Pick<Context, "fileKey">,
): void {
  const nameOf = new Map(inputs.map(({ name, path }) => [fileKey(path), name]));
  for (const { name, path } of outputs) {
    const key = fileKey(path);
    const other = nameOf.get(key);
    // A pipe or a device has no key, and loses nothing.
    if (key !== null && other !== undefined) throw sameFile(other, name);
    nameOf.set(key, name);
  }
}
