// Installs other Node lines to run the built program on. `nodes.js 20 26` prints the folder of each `node`, one per line.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The pinned versions, so that a later run tests the same. Each exists for x64 and arm64. The program refuses the first two.
 * @type {Record<string, string>}
 */
const versions = {
  10: "10.18.1",
  18: "18.20.8",
  20: "20.20.2",
  22: "22.23.3",
  24: "24.21.0",
  26: "26.10.0",
};

// npm keeps each platform's plain binary as a package of its own.
const packageName = `node-linux-${process.arch}`;

const cache = fileURLToPath(new URL("../node_modules/.cache/nodes/", import.meta.url));

/**
 * The folder that holds `node` of this line. Throws if the line is unknown or npm cannot install it.
 * @param {string} line
 */
function installed(line) {
  const version = versions[line];
  if (version === undefined) throw new Error(`no version is pinned for Node ${line}`);
  const folder = join(cache, version);
  const bin = join(folder, "node_modules", packageName, "bin");
  if (!existsSync(join(bin, "node"))) {
    const options = [
      "--prefix",
      folder,
      "--no-save",
      "--ignore-scripts",
      "--prefer-offline",
      "--loglevel=error",
    ];
    mkdirSync(folder, { recursive: true });
    execFileSync("npm", ["install", ...options, `${packageName}@${version}`], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  return bin;
}

const lines = process.argv.slice(2);
for (const line of lines.length > 0 ? lines : Object.keys(versions)) {
  process.stdout.write(`${installed(line)}\n`);
}
