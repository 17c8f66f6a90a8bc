import type { FileProblem } from "../system/file-reading.ts";

const problems: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
  EISDIR: "is a folder, not a file",
  ELOOP: "is a symbolic link that leads back to itself",
  NOT_REGULAR: "is not a regular file",
  ENXIO: "is not a regular file",
  TOO_LARGE: "is too large",
};

/** Why a file could not be read, as the end of a sentence. */
export function describeFileProblem(problem: FileProblem): string {
  return problems[problem.code] ?? `cannot be read (${problem.code})`;
}
