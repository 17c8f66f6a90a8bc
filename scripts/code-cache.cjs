// Runs the bundle as bin/executable.cjs does, and writes the code that V8 compiled meanwhile.
// usage: node --hash-seed=1 code-cache.cjs <bundle> <target> [argument…]
const { readFileSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const [bundle = "", target = ""] = process.argv.splice(2, 2);
// Imported after the command line has its final form.
require("../bin/run.cjs").run(readFileSync(bundle, "utf8"), undefined, (compiled) => {
  // The fixed hash seed gives the same bytes every time. V8 rejects a cache that was made with other flags than it has
  // when it reads the cache, so the flag gets its default again.
  setFlagsFromString("--hash-seed=0");
  writeFileSync(target, compiled());
});
