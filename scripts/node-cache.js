// Where other Nodes than the project's own are kept, outside the checkout.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "referral-auth-nodes");

/**
 * The path of what is kept by this name. Where there is nothing, `make` makes it in a new folder and gives its path there: it
 * is renamed when it is whole, so that an interrupted run leaves no half of a Node behind.
 */
export function cached(name, make) {
  const kept = join(cache, name);
  if (existsSync(kept)) return kept;
  mkdirSync(cache, { recursive: true });
  const workplace = mkdtempSync(join(cache, "new-"));
  try {
    renameSync(make(workplace), kept);
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
  return kept;
}

/** Runs npm, which prints its errors alone. Throws where it fails. */
export function npm(...args) {
  execFileSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
}
