// The paths of outputs. No output may replace an input or another output.

import { wrongUsage } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { absolutePath, type NamedFile, standardInput } from "./named-file.ts";

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
