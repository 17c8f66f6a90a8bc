// Runs the bundle as bin/executable.cjs does, and writes the code that V8 compiled meanwhile.
// usage: node --hash-seed=1 --no-sparkplug code-cache.cjs <bundle> <target> [argument…]
const { readFileSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const [bundle = "", target = ""] = process.argv.splice(2, 2);
// Imported after the command line has its final form.
require("../bin/launch.cjs").run(readFileSync(bundle, "utf8"), undefined, (compiled) => {
  // A fixed hash seed gives the same bytes every time, and so does V8 without Sparkplug, which marks a function that was called
  // often enough. V8 rejects a cache that was made with other flags than it has when it reads the cache, so both get their default
  // again.
  setFlagsFromString("--hash-seed=0");
  setFlagsFromString("--sparkplug");
  writeFileSync(target, compiled());
});
