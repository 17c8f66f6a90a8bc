import { wrongUsage } from "../errors.ts";
import { standardInput } from "../settings/inputs.ts";
import { absolutePath } from "../settings/named-file.ts";
import type { Context } from "../system/context.ts";

// An output that replaced one of these files would destroy credentials.
const inputFiles = ["config", "caCert", "cert", "key"];
const filesOrStandardInput = ["accounts", "tokenFile", "secretFile"];

const flagOf = (name: string): string => `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * The options that are given of those that name a file to write, and their absolute paths. Throws InputError if one is empty or
 * `-`, or if two of them, or one and a file that an option names for reading, are the same file.
 */
export function outputPaths<Name extends string>(
  outputs: readonly Name[],
  options: Readonly<Record<string, unknown>>,
  { workingFolder, fileKey }: Pick<Context, "workingFolder" | "fileKey">,
): readonly (readonly [Name, string])[] {
  const flagAt = new Map<string | null, string>();
  for (const name of [...inputFiles, ...filesOrStandardInput]) {
    const given = options[name];
    const isFile = given !== standardInput || inputFiles.includes(name);
    if (typeof given === "string" && isFile)
      flagAt.set(fileKey(absolutePath(given, workingFolder, flagOf(name))), flagOf(name));
  }
  return outputs.flatMap((name) => {
    const given = options[name];
    if (typeof given !== "string") return [];
    const flag = flagOf(name);
    if (given === "") throw wrongUsage(`${flag} is empty`, "Write a path after it");
    if (given === standardInput)
      throw wrongUsage(
        `${flag} takes a path, and - is none`,
        `Write ${flag} /dev/stdout for standard output, or ./- for a file of that name`,
      );
    const path = absolutePath(given, workingFolder, flag);
    const key = fileKey(path);
    const other = key === null ? undefined : flagAt.get(key);
    if (other !== undefined)
      throw wrongUsage(`${other} and ${flag} name the same file`, "Name another file to write");
    flagAt.set(key, flag);
    return [[name, path]];
  });
}
