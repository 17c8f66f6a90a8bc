import { dirname, join } from "node:path";
import type { Trust } from "./source.ts";

/** The facts that decide whether a folder is yours. Paths are absolute, with links resolved; null if unknown. */
export interface FolderFacts {
  /** The home folder that the environment names. */
  readonly home: string | null;
  /** The home folder that the password database names, which no checkout can change. */
  readonly registeredHome: () => string | null;
  /** Whether `.git` lies in the folder, as in the top folder of a checkout. */
  readonly holdsGit: (folder: string) => boolean;
}

/** Yours, unless a folder from this one upward holds `.git`. The search ends at a folder that is known to be yours. */
function trustUpward(folder: string, known: readonly (string | null)[], facts: FolderFacts): Trust {
  if (known.includes(folder)) return "yours";
  if (facts.holdsGit(folder)) return "found";
  const parent = dirname(folder);
  return parent === folder ? "yours" : trustUpward(parent, known, facts);
}

/** Whether the home folder is yours. HOME can come from a checkout, so a folder in one is yours only if the system names it. */
export function homeTrust(home: string, facts: FolderFacts): Trust {
  if (trustUpward(home, [], facts) === "yours" || home === facts.registeredHome()) return "yours";
  return "found";
}

/**
 * Whether a configuration folder is yours. XDG_CONFIG_HOME can come from a checkout, and checkouts are often in the home
 * folder. So a folder with `.git` below the home folder is a checkout, except `.config`: people keep it under version control.
 */
export function configurationTrust(folder: string, facts: FolderFacts): Trust {
  const { home } = facts;
  const homes = [facts.registeredHome(), home !== null && homeTrust(home, facts) === "yours" ? home : null];
  const known = homes.flatMap((one) => (one === null ? [] : [one, join(one, ".config")]));
  return trustUpward(folder, known, facts);
}
