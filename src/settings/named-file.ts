// Files that settings name: their paths, what other users can do with them, and the errors where one cannot be read.

import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { InputError, orInputError, wrongSettings } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { describeFileProblem, FileProblem, type Permissions } from "../system/file-reading.ts";
import { unseenIn } from "../wsse/characters.ts";
import { holdsVariable, isPlaceholder } from "../wsse/placeholders.ts";
import { pathProblem } from "./definition.ts";
import { invalid, type Level, type SettingText, whyUnexpanded } from "./levels.ts";
import { documentedShape } from "./secret.ts";
import { describeSource, type Source, type Trust } from "./source.ts";

/** The path that stands for standard input. */
export const standardInput = "-";

/** The path of what an input names. */
export const inputPath = (path: string): string => (path === standardInput ? "/dev/stdin" : path);

/** Why a `~` at the beginning of a path was left as it is, and what to write, by where it stands. */
const untouched: Partial<Record<Source["kind"], readonly [why: string, hint: string]>> &
  Record<"flag", readonly [why: string, hint: string]> = {
  flag: [
    "a shell expands it only at the beginning of a word",
    "Write a space before it instead of =, or $HOME in its place",
  ],
  environment: [
    "a shell expands it only outside quotation marks, and a file of variables not at all",
    "Write the whole path, or $HOME in its place",
  ],
  rc: ["an rc file expands ~/ alone", "Write the whole path"],
};

/** The resolved path. Throws InputError if the folder is gone, or something is left around the path. */
export function absolutePath(
  path: string,
  folder: string | null,
  place: string,
  source: Source = { kind: "flag", flag: place },
): string {
  const wrong = pathProblem(path);
  if (wrong !== null) throw wrongSettings(`${place} ${wrong.problem}`, wrong.hint);
  if (isPlaceholder(path))
    throw wrongSettings(
      `${place} is a placeholder that nothing expanded: ${whyUnexpanded(source)}`,
      "Write the path itself",
    );
  if (/^~[\w-]*(?:[\\/]|$)/.test(path)) {
    const [why, hint] = untouched[source.kind] ?? untouched.flag;
    throw wrongSettings(`${place} begins with ~, which was not expanded: ${why}`, hint);
  }
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
  return absolutePath(path, folderOf(source, context), describeSource(source), source);
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
    throw error instanceof FileProblem ? fileError(given, path, error, context) : error;
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

/**
 * Why a file that was named cannot be read: the end of a sentence. Names of files may hold characters that nobody sees, so these are
 * told only where there is no such file.
 */
export function whyUnreadable(problem: FileProblem, path: string): string {
  const unseen = problem.code === "ENOENT" ? unseenIn(basename(path)) : null;
  return `${describeFileProblem(problem)}${unseen === null ? "" : `; its name ${unseen.problem}`}`;
}

/** The error of a setting whose file cannot be read. It quotes only a path that exists. */
export function fileError(
  given: SettingText,
  path: string,
  problem: FileProblem,
  context: Context,
): InputError {
  const what = whyUnreadable(problem, path);
  if (context.fileExists(path))
    return invalid(
      given,
      `names ${path}, which ${what}`,
      problem.code === "EISDIR"
        ? "Check the path; Docker makes a folder where a file to mount does not exist"
        : "Check the path and its permissions",
    );
  if (given.text.includes("-----BEGIN "))
    return invalid(
      given,
      "holds a certificate or key itself, and not the path of its file",
      "Write it into a file, and name that file",
    );
  if (given.setting === "tokenFile" && documentedShape.test(given.text))
    return invalid(
      given,
      "has the form of a token, and not of a file that exists",
      "Name the file that holds the token, or set the token itself: REFERRAL_TOKEN, or token in an rc file",
    );
  if (holdsVariable(given.text))
    return invalid(
      given,
      "names a file that does not exist, by a variable that nothing replaced",
      `Write the whole path: ${whyUnexpanded(given.source)}`,
    );
  const folder = folderOf(given.source, context);
  const relative = folder === null ? "" : `, which is absolute or relative to ${folder}`;
  return invalid(given, `names a file that ${what}`, `Correct the path${relative}`);
}

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

/**
 * How to close a file to others: by the command, or by what helps where that is refused or changes nothing. Without `more`, it is an
 * rc file, which a run can leave out.
 */
export function howToClose(
  path: string,
  owner: number | null,
  command: string,
  { userId, ignoresModes }: Pick<Context, "userId" | "ignoresModes">,
  more = "; or use --no-config",
): string {
  if (ignoresModes(path))
    return `Its file system (of Windows, a network or FUSE) ignores permissions: use a copy in a folder of another one, closed by chmod 600${more}`;
  return owner === userId || userId === 0
    ? `${command} ${path}${more}`
    : `It is another user's, who alone can close it: in Kubernetes, mount it with defaultMode: 0400 and set fsGroup; elsewhere use a copy of your own, closed by chmod 600${more}`;
}
