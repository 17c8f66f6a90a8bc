// Runs the bundle as bin/executable.cjs does, and writes the code that V8 compiled meanwhile.
// usage: node --hash-seed=1 code-cache.cjs <bundle> <target> [argument…]
const { readFileSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");
const [bundle = "", target = ""] = process.argv.splice(2, 2);
const source = readFileSync(bundle, "utf8");
const script = new Script(source, { filename: "referral-auth.cjs" });
process.once("beforeExit", (code) => {
  // The fixed hash seed gives the same bytes every time. V8 rejects a cache that was made with other flags than it has
  // when it reads the cache, so the flag gets its default again.
  setFlagsFromString("--hash-seed=0");
  if (code === 0) writeFileSync(target, script.createCachedData());
  process.exit();
});
script.runInThisContext()(exports, require, module);
/** @type {any} */ (module.exports).run();
