import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { FileProblem } from "./file-reading.ts";

/** Option of `stat`: give undefined for a file that does not exist. */
export const quietly = { throwIfNoEntry: false } as const;

/**
 * Whether a link may be followed. In a sticky folder that everyone can write to, it must belong to the user or to the
 * folder's owner. This is Linux' rule protected_symlinks (proc_sys_fs(5)), which does not apply if a program resolves links.
 */
export function mayFollow(
  link: Pick<Stats, "uid">,
  folder: Pick<Stats, "uid" | "mode">,
  user: number,
): boolean {
  const open = (folder.mode & 0o1002) === 0o1002;
  return !open || link.uid === user || link.uid === folder.uid;
}

const mostLinks = 40;

/** The path with the links at its end resolved. Throws FileProblem for one that may not be followed. */
export function followed(path: string): string {
  const user = process.geteuid?.();
  if (user === undefined) return path;
  let target = path;
  for (let count = 0; count <= mostLinks; count += 1) {
    const folder = realpathSync(dirname(target));
    target = join(folder, basename(target));
    const facts = lstatSync(target, quietly);
    // Some links of /proc lead to something without a path, such as a pipe. Open these unresolved.
    if (facts === undefined && statSync(path, quietly) !== undefined) return path;
    if (!facts?.isSymbolicLink()) return target;
    if (!mayFollow(facts, statSync(folder), user)) throw new FileProblem("FOREIGN_LINK");
    target = resolve(folder, readlinkSync(target));
  }
  throw new FileProblem("ELOOP");
}
