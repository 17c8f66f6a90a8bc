#!/usr/bin/env node
// Plain ES5: it has to parse on any Node, so that an older one gets a sentence and not a syntax error.
"use strict";
process.exitCode = 1;
var major = Number(process.versions.node.split(".")[0]);
if (major < 20) {
  process.stderr.write(
    "referral-auth needs Node.js 20 or newer; this is " +
      process.version +
      " (" +
      process.execPath +
      ").\n" +
      "Install a maintained release from https://nodejs.org or put a newer one first on the PATH.\n",
  );
  process.exitCode = 2;
} else {
  require("../dist/referral-auth.cjs").run();
}
