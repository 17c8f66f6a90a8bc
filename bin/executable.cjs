// Starts the program in the standalone executables, as bin/launch.cjs does in the package. The bundle and V8's cache of it
// are inside the executable.
"use strict";
const { getAsset } = require("node:sea");
const { run } = require("./launch.cjs");

// Such a process takes the place of one that would not end: see src/system/ending.ts.
const [, code] = /^--exit-with=(\d+)$/.exec(process.argv[2] ?? "") ?? [];
process.exitCode = Number(code ?? 1);
// The cache is empty if the build could not make it: see scripts/executables.ts. V8 rejects an empty one.
if (code === undefined) run(getAsset("referral-auth.cjs", "utf8"), Buffer.from(getAsset("code-cache")));
