#!/usr/bin/env node
// Use only old syntax: every Node must be able to parse this file, so that an old one prints a message, not a syntax error.
"use strict";
const fs = require("fs");

/** @typedef {NonNullable<ReturnType<typeof cacheFor>>} Cache */

process.exitCode = 1;
const args = process.argv.slice(2);
const folder = packageFolder();
const dist = folder + "/dist/";
const bundle = dist + "referral-auth.cjs";
const major = Number(process.versions.node.split(".")[0]);
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
  run();
}

/** Prints the version without loading the bundle. Returns false if standard output is closed: the bundle reports that. */
function printVersion() {
  try {
    fs.writeSync(1, require(folder + "/package.json").version + "\n");
    process.exitCode = 0;
    return true;
  } catch (_) {
    return false;
  }
}

/**
 * Runs the program with the code that V8 compiled in an earlier run, or keeps the code that it compiles now. Node's own
 * compile cache holds only a fifth of that code: what V8 compiles while a file loads, but not what it compiles later.
 */
function run() {
  // Without this, Node 20 delays the exit by 220 ms to compile the HTTP parser again for speed.
  if (major < 22) require("v8").setFlagsFromString("--wasm-tiering-budget=1000000000");
  // Loading node:tls starts a thread that parses Node's root certificates. Started here, it runs beside everything before the
  // TLS handshake, and a check over https takes 1.2 times as long as node:https instead of 1.4.
  if (commandName() === "test" && args.concat(process.env.REFERRAL_BASE_URL || "").some(isHttps))
    require("tls");
  const source = readBundle();
  if (source === undefined) return;
  const cache = cacheFor(source);
  const cachedData = cache && readCache(cache);
  const script = new (require("vm").Script)(source, {
    filename: "referral-auth.cjs",
    cachedData: cachedData,
  });
  const isMissing = cache && script.cachedDataRejected !== false;
  const tag = isMissing && require("v8").cachedDataVersionTag();
  process.once("beforeExit", (code) => {
    // Keep no cache of a failed run, which did not compile the whole command, nor of a run that sets flags of V8: they change
    // the version tag, and V8 would reject the cache.
    if (isMissing && code === 0 && tag === require("v8").cachedDataVersionTag()) {
      writeCache(cache, script.createCachedData());
    }
    // Everything has ended, so exit at once: Node would spend time on freeing its memory.
    process.exit();
  });
  script.runInThisContext()(exports, require, module);
  // The bundle exports `run`.
  /** @type {any} */ (module.exports).run();
}

/** The folder of the package, also if Node does not follow the link that started this file (--preserve-symlinks-main). */
function packageFolder() {
  const path = require("path");
  try {
    return path.dirname(path.dirname(fs.realpathSync.native(__filename)));
  } catch (_) {
    return path.dirname(__dirname);
  }
}

/**
 * The bundle. Undefined if Node's permissions forbid to read it, or if it is missing or cut off: `npm link` and
 * `npm install --global .` take a checkout as it stands, and a full disk leaves a half.
 */
function readBundle() {
  let problem = "";
  try {
    const source = fs.readFileSync(bundle, "latin1");
    // The end that the build writes.
    if (source.slice(-2) === "})") return source;
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "ENOENT") problem = "cannot read its files in " + folder + ": " + message;
  }
  if (problem === "")
    problem = fs.existsSync(folder + "/scripts/build.js")
      ? "is not built. Run in " + folder + ": npm ci --include=dev && npm run build"
      : "is not whole: " +
        bundle +
        " is missing or cut off. Install the package again; link to its launcher, do not copy it.";
  process.stderr.write("referral-auth " + problem + "\n");
  process.exitCode = 2;
  return undefined;
}

/**
 * Whether an argument or variable may be a base URL with TLS.
 * @param {string} text
 */
function isHttps(text) {
  return /^(?:--base-url=)?https:/i.test(text);
}

/**
 * The place of this command's cache, and its required owner. A cache is code, so it must lie beside the program and belong to
 * the owner of the program. Undefined on Windows, which has no owner and mode to check.
 * @param {string} source
 */
function cacheFor(source) {
  if (!process.geteuid || process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  // There are only a few names, so the folder stays small: a new Node release overwrites the cache of the old one.
  const file = [commandName(), "node" + major, process.arch].join("-");
  return {
    owner: fs.statSync(bundle).uid,
    folder: dist + "cache",
    file: dist + "cache/" + file,
    // V8 compares only the length of the source. The build writes the hash of the source at its beginning.
    key: Buffer.from(source.slice(3, 67) + process.version),
  };
}

/** V8 compiles different code for each command. Other arguments may be secrets, so they are not in the name of the file. */
function commandName() {
  const isHelp = args.indexOf("--help") !== -1 || args.indexOf("-h") !== -1;
  return !isHelp && /^(?:test|header|config|emulator)$/.test(args[0] || "") ? args[0] : "other";
}

/**
 * The cached data, or undefined. The file holds key and data twice, and both copies must be equal: V8 would run corrupted
 * data, and comparing two copies is faster than loading a hash function.
 * @param {Cache} cache
 */
function readCache(cache) {
  try {
    if (!isOfOwner(cache, cache.folder) || !isOfOwner(cache, cache.file)) return undefined;
    const content = fs.readFileSync(cache.file);
    const half = content.subarray(0, content.length / 2);
    const isWhole = half.equals(content.subarray(half.length));
    const length = cache.key.length;
    return isWhole && half.subarray(0, length).equals(cache.key) ? half.subarray(length) : undefined;
  } catch (_) {
    return undefined;
  }
}

/**
 * Whether this file or folder belongs to the owner of the program and nobody else can write to it. Links are not followed.
 * @param {Cache} cache
 * @param {string} path
 */
function isOfOwner(cache, path) {
  const facts = fs.lstatSync(path);
  const writableByOthers = 0o022;
  return !facts.isSymbolicLink() && facts.uid === cache.owner && (facts.mode & writableByOthers) === 0;
}

/**
 * Writes the cache, if this user owns the program. Everybody can read it. If it fails, the next run has no cache either.
 * @param {Cache} cache
 * @param {Buffer} data
 */
function writeCache(cache, data) {
  if (!process.geteuid || process.geteuid() !== cache.owner) return;
  const unfinished = cache.file + ".new";
  try {
    // Without this, the umask of the user could change the modes below.
    process.umask(0o022);
    if (!fs.existsSync(cache.folder)) fs.mkdirSync(cache.folder, 0o755);
    if (!isOfOwner(cache, cache.folder)) return;
    const half = Buffer.concat([cache.key, data]);
    // Flush the data to the disk before the rename, since a power failure could leave half of it.
    fs.writeFileSync(unfinished, Buffer.concat([half, half]), { flag: "wx", mode: 0o644, flush: true });
    fs.renameSync(unfinished, cache.file);
  } catch (_) {
    try {
      // A run may have been ended while it wrote. The next run must be able to write again.
      fs.unlinkSync(unfinished);
    } catch (_) {
      // It does not exist, or cannot be removed.
    }
  }
}
