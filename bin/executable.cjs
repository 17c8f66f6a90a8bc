// What bin/launch.cjs is for the package, for the standalone executables: the bundle lies inside, and Node is known.
"use strict";
process.exitCode = 1;
const source = require("node:sea").getAsset("referral-auth.cjs", "utf8");
const script = new (require("node:vm").Script)(source, { filename: "referral-auth.cjs" });
// Nothing is pending any more, so this cuts nothing off; it spares Node taking the heap apart.
process.once("beforeExit", () => process.exit());
script.runInThisContext()(exports, require, module);
module.exports.run();
