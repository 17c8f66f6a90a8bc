import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";
import { quietly } from "./links.ts";

/**
 * Makes a folder and those above it that are missing. Node's own way (`recursive`) never ends where a folder that exists takes no
 * other, as in /proc. Throws an error of the system.
 */
export function makeFolder(path: string): void {
  if (statSync(path, quietly) !== undefined) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process has just made it, or a link that leads nowhere has its name: opening the file tells which.
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
