// Starts the program in the standalone executables, as bin/launch.cjs does in the package. The bundle and its cache are
// inside the executable.
"use strict";
const { writeSync } = require("node:fs");
const { getAsset } = require("node:sea");

process.exitCode = 1;
const [argument, ...rest] = process.argv.slice(2);
// Such a process takes the place of one that would not end: see src/system/ending.ts.
const [, code] = /^--exit-with=(\d+)$/.exec(argument ?? "") ?? [];
if (code !== undefined) process.exitCode = Number(code);
else if (rest.length > 0 || (argument !== "--version" && argument !== "-V") || !printVersion()) run();

/** Prints the version without loading the bundle. Returns false if standard output is closed: the bundle reports that. */
function printVersion() {
  try {
    writeSync(1, `${JSON.parse(getAsset("package.json", "utf8")).version}\n`);
    process.exitCode = 0;
    return true;
  } catch {
    return false;
  }
}

function run() {
  // As in bin/launch.cjs: start the thread that parses Node's root certificates early.
  if (argument === "test" && [...rest, process.env.REFERRAL_BASE_URL ?? ""].some(isHttps))
    require("node:tls");
  const source = getAsset("referral-auth.cjs", "utf8");
  // Empty if the build could not make it: see scripts/executables.ts. V8 rejects an empty cache.
  const cachedData = Buffer.from(getAsset("code-cache"));
  const script = new (require("node:vm").Script)(source, { filename: "referral-auth.cjs", cachedData });
  // Everything has ended, so exit at once: Node would spend time on freeing its memory.
  process.once("beforeExit", () => process.exit());
  script.runInThisContext()(exports, require, module);
  // The bundle exports `run`.
  /** @type {any} */ (module.exports).run();
}

/** @param {string} text */
function isHttps(text) {
  return /^(?:--base-url=)?https:/i.test(text);
}
