// Other Node lines to run the built program on. `nodes.js 20 26` prints the folder of each one's `node`, one to a line,
// after installing what is missing into a cache outside the checkout.
import { join } from "node:path";
import { cached, npm } from "./node-cache.js";

/** Pinned, so that a run next month tests the same; each exists for x64 and arm64. The first two are refused. */
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

/** The folder that holds `node` of this line. Throws where the line is unknown or npm cannot install it. */
function installed(line) {
  const version = versions[line];
  if (version === undefined)
    throw new Error(`no version is pinned for Node ${line}; see ${import.meta.filename}`);
  const home = cached(`${packageName}-${version}`, (workplace) => {
    const options = ["--no-save", "--ignore-scripts", "--loglevel=error"];
    npm("install", "--prefix", workplace, ...options, `${packageName}@${version}`);
    return workplace;
  });
  return join(home, "node_modules", packageName, "bin");
}

const lines = process.argv.slice(2);
for (const line of lines.length > 0 ? lines : Object.keys(versions)) {
  process.stdout.write(`${installed(line)}\n`);
}
