#!/usr/bin/env node
// The installed `referral-auth`: checks the version of Node, reads the bundle and V8's cache of it, and runs the bundle.
// Use only old syntax: every Node must be able to parse this file, so that an old one prints a message, not a syntax error.
"use strict";
const fs = require("fs");
const path = require("path");

// If nothing below sets another code, the run has failed.
process.exitCode = 1;
const folder = packageFolder();
const bundle = folder + "/dist/referral-auth.cjs";
const source = Number(process.versions.node.split(".")[0]) < 20 ? refuseNode() : readBundle();
if (source !== undefined) {
  const { cacheBeside, run } = require(folder + "/bin/run.cjs");
  const cache = cacheBeside(bundle, source);
  run(source, cache && cache.read(), cache && cache.write);
}

/** The folder of the package, also if Node does not follow the link that started this file (--preserve-symlinks-main). */
function packageFolder() {
  try {
    return path.dirname(path.dirname(fs.realpathSync.native(__filename)));
  } catch (_) {
    return path.dirname(__dirname);
  }
}

/** @returns {undefined} */
function refuseNode() {
  const version = process.version + " (" + process.execPath + ")";
  const hint = "Install a maintained release from https://nodejs.org or put a newer one first on the PATH.";
  return refuse("needs Node.js 20 or newer; this is " + version + ".\n" + hint);
}

/**
 * The bundle. Undefined if Node's permissions forbid to read it, or if it is missing or cut off: `npm link` and
 * `npm install --global .` take a checkout as it stands, and a full disk leaves a half.
 */
function readBundle() {
  try {
    // Not latin1: Node keeps such a text outside V8's heap if it has more than 1,031,913 bytes, and V8 then collects its young
    // objects once more in a run (1.3 ms).
    const text = fs.readFileSync(bundle, "utf8");
    // The end that the build writes.
    if (text.slice(-2) === "})") return text;
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "ENOENT") return refuse("cannot read its files in " + folder + ": " + message);
  }
  if (fs.existsSync(folder + "/scripts/build.js"))
    return refuse("is not built. Run in " + folder + ": npm ci --include=dev && npm run build");
  const hint = "Install the package again; link to its launcher, do not copy it.";
  return refuse("is not whole: " + bundle + " is missing or cut off. " + hint);
}

/**
 * @param {string} problem
 * @returns {undefined}
 */
function refuse(problem) {
  process.stderr.write("referral-auth " + problem + "\n");
  process.exitCode = 2;
}
