#!/usr/bin/env node
// Old syntax alone: it has to parse on any Node, so that an older one gets a sentence and not a syntax error.
"use strict";
var fs = require("fs");

process.exitCode = 1;
var args = process.argv.slice(2);
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
} else if (args.length !== 1 || (args[0] !== "--version" && args[0] !== "-V") || !printVersion()) {
  run("referral-auth.cjs");
}

/** A built file. In an executable it is inside of that: see scripts/executables.js. */
function read(name) {
  return fs.readFileSync(__dirname + "/../dist/" + name, "utf8");
}

/** Says what the program would say, which takes longer to load. False where nobody reads: the program reports that. */
function printVersion() {
  try {
    fs.writeSync(1, require("../package.json").version + "\n");
    process.exitCode = 0;
    return true;
  } catch (_) {
    return false;
  }
}

/**
 * Runs the program with what V8 compiled for an earlier run, or keeps what it compiles now. Node's own compile cache holds
 * a fifth of that: what is compiled while a file loads, not what a run then calls.
 */
function run(name) {
  // Node 20 would hold the exit for 220 ms, to compile the HTTP parser again for speed.
  if (major < 22) require("v8").setFlagsFromString("--wasm-tiering-budget=1000000000");
  var source = read(name);
  var folder = cacheFolder();
  // The build writes the program's hash at its beginning; V8 itself compares lengths only.
  var build = source.slice(3, 19);
  var cache = folder && folder + "/" + [build, process.version, process.arch, commandName()].join("-");
  var cachedData = cache ? readCache(cache) : undefined;
  var script = new (require("vm").Script)(source, { filename: name, cachedData: cachedData });
  process.once("beforeExit", (code) => {
    // A run that failed did not go through the whole command.
    if (cache && code === 0 && script.cachedDataRejected !== false) {
      writeCache(cache, script.createCachedData());
    }
    // Nothing is pending any more, so this cuts nothing off; it spares Node taking the heap apart.
    process.exit();
  });
  script.runInThisContext()(exports, require, module);
  module.exports.run();
}

/** What is compiled depends on the command. Anything else that was typed may be a secret, and becomes no file's name. */
function commandName() {
  var isHelp = args.indexOf("--help") !== -1 || args.indexOf("-h") !== -1;
  return !isHelp && /^(?:test|header|config|emulator)$/.test(args[0]) ? args[0] : "other";
}

/**
 * Our folder in the user's cache folder (XDG Base Directory Specification), or null. A cache is code, so both folders have
 * to be this user's and closed to the writing of others. Windows has no such bits to look at.
 */
function cacheFolder() {
  var env = process.env;
  if (process.platform === "win32" || env.NODE_DISABLE_COMPILE_CACHE) return null;
  // A run over all accounts sets flags of V8 under which it takes no cache, and lasts longer than its start.
  if (args.indexOf("--all") !== -1) return null;
  var ofHome = process.platform === "darwin" ? "/Library/Caches" : "/.cache";
  var parent = env.XDG_CACHE_HOME || (env.HOME && env.HOME + ofHome);
  if (!parent || parent[0] !== "/") return null;
  var folder = parent + "/referral-auth";
  // Under sudo HOME can be another user's, in whose folder nothing of ours is made.
  var there = fs.existsSync(parent) ? [parent, folder] : [parentOf(parent)];
  try {
    return there.every(isMissingOrOurs) ? folder : null;
  } catch (_) {
    return null;
  }
}

function isMissingOrOurs(folder) {
  var facts = fs.statSync(folder, { throwIfNoEntry: false });
  return facts === undefined || (facts.isDirectory() && isOurs(facts));
}

function isOurs(facts) {
  var writableByOthers = 0o022;
  return facts.uid === process.geteuid() && (facts.mode & writableByOthers) === 0;
}

/**
 * The cached data, or undefined. The file holds them twice, and both have to be the same: V8 would run what a disk garbled,
 * and to compare takes less time than to load a hash.
 */
function readCache(file) {
  try {
    if (!isOurs(fs.statSync(file))) return undefined;
    return onceOf(fs.readFileSync(file));
  } catch (_) {
    return undefined;
  }
}

function onceOf(twice) {
  var data = twice.subarray(0, twice.length / 2);
  return data.equals(twice.subarray(data.length)) ? data : undefined;
}

/** Keeps a cache beside those of other commands and builds. Where that fails, the next run takes as long as this one. */
function writeCache(file, data) {
  var folder = parentOf(file);
  var unfinished = file + "." + process.pid;
  try {
    // No more than these two: a home folder that does not exist is not made.
    makeFolder(parentOf(folder));
    makeFolder(folder);
    // Flushed to the disk before it gets its name, since a loss of power can leave half of it.
    fs.writeFileSync(unfinished, Buffer.concat([data, data]), { flag: "wx", mode: 0o600, flush: true });
    fs.renameSync(unfinished, file);
    removeOldest(folder, 10);
  } catch (_) {
    removeIfThere(unfinished);
  }
}

function removeIfThere(file) {
  try {
    fs.unlinkSync(file);
  } catch (_) {
    // It was not made.
  }
}

function parentOf(path) {
  return path.slice(0, path.lastIndexOf("/"));
}

function makeFolder(folder) {
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, 0o700);
}

/** Leaves the newest of the files, so many. */
function removeOldest(folder, kept) {
  var byAge = fs.readdirSync(folder).map((name) => {
    return { path: folder + "/" + name, made: fs.statSync(folder + "/" + name).mtimeMs };
  });
  byAge.sort((one, other) => other.made - one.made);
  byAge.slice(kept).forEach((old) => {
    fs.unlinkSync(old.path);
  });
}
