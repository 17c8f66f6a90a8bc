// What bin/launch.cjs is for the package, for the standalone executables: bundle and cache lie inside.
"use strict";
const { writeSync } = require("node:fs");
const { getAsset } = require("node:sea");

process.exitCode = 1;
const [argument, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (argument !== "--version" && argument !== "-V") || !printVersion()) run();

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
  const source = `(function (exports, require, module) {${getAsset("referral-auth.cjs", "utf8")}\n})`;
  // Empty where the build could not make it: see scripts/executables.js. V8 rejects it then.
  const cachedData = Buffer.from(getAsset("code-cache"));
  const script = new (require("node:vm").Script)(source, { filename: "referral-auth.cjs", cachedData });
  // Nothing is pending any more, so this cuts nothing off; it spares Node taking the heap apart.
  process.once("beforeExit", () => process.exit());
  script.runInThisContext()(exports, require, module);
  // The bundle puts it there.
  /** @type {any} */ (module.exports).run();
}
