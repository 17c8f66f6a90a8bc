// Installs other Node lines into npm's cache, to run the built program on. `nodes.js 20 26` prints the folder of each `node`.
import { execFileSync } from "node:child_process";

/**
 * The pinned versions, so that a later run tests the same. The program refuses the first two.
 * Each exists for x64 and arm64, except the last one, for x64 alone. scripts/patched-nodes.ts says which have every public fix.
 * @type {Record<string, string>}
 */
const versions = {
  10: "10.18.1",
  18: "18.20.8",
  20: "20.20.2",
  22: "22.23.3",
  24: "24.21.0",
  26: "26.12.1",
};

for (const line of process.argv.slice(2)) {
  if (!(line in versions)) throw new Error(`no version is pinned for Node ${line}`);
  // npm has a package for the plain binary of each platform.
  const name = `--package=node-linux-${process.arch}@${versions[line]}`;
  const options = ["--yes", "--prefer-offline", "--loglevel=error", "--call", 'dirname "$(command -v node)"'];
  execFileSync("npm", ["exec", name, ...options], { stdio: ["ignore", "inherit", "inherit"] });
}
