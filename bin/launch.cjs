#!/usr/bin/env node
// The installed `referral-auth`: checks the version of Node, reads the bundle and V8's cache of it, and runs the bundle, which
// bin/executable.cjs does by `run` too. It is one file: Node takes 0.9 ms to find and load another. Use only old syntax: every
// Node must be able to parse this file, so that an old one prints a message, not a syntax error.
//
// V8's cache is the code that it compiled in an earlier run. With it `test` takes 53 ms, without it 83 ms, and with Node's own
// compile cache 71 ms: that one holds only the fifth that V8 compiles while a file loads (Node 24). A cache is code, and V8 compares
// nothing but the length of the source. So it is trusted only as the program is: it lies beside the bundle, it and its folder belong
// to the owner of the bundle, and nobody else can write to them. Only that owner writes it. In an executable it is a part of the file.
"use strict";
const fs = require("fs");
const path = require("path");

const args = process.argv.slice(2);
const major = Number(process.versions.node.split(".")[0]);

exports.run = run;
if (require.main === module) launch();

/** @returns {void} */
function launch() {
  // If nothing below sets another code, the run has failed.
  process.exitCode = 1;
  const folder = packageFolder();
  const bundle = folder + "/dist/referral-auth.cjs";
  const source = major < 20 ? refuseNode() : readBundle(folder, bundle);
  if (source === undefined) return;
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
 * @param {string} folder
 * @param {string} bundle
 */
function readBundle(folder, bundle) {
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

/**
 * Runs the bundle. At the end of a complete run without a valid cache, `keep` may take the code that V8 compiled.
 * @param {string} source
 * @param {Buffer} [cachedData]
 * @param {(compiled: () => Buffer) => void} [keep]
 */
function run(source, cachedData, keep) {
  // Without this, Node 20 delays the exit by 220 ms to compile the HTTP parser again for speed.
  if (major < 22) require("node:v8").setFlagsFromString("--wasm-tiering-budget=1000000000");
  // Loading node:tls starts a thread that parses Node's root certificates. Started here, it runs beside everything before the
  // TLS handshake, and a check over https takes 1.2 times as long as node:https instead of 1.4.
  if (commandName() === "test" && args.concat(process.env.REFERRAL_BASE_URL || "").some(isHttps))
    require("node:tls");
  const Script = require("node:vm").Script;
  const script = new Script(source, { filename: "referral-auth.cjs", cachedData: cachedData });
  const isMissing = keep !== undefined && script.cachedDataRejected !== false;
  const tag = isMissing && require("node:v8").cachedDataVersionTag();
  process.once("beforeExit", (code) => {
    // A run that set flags of V8 changed the version tag: V8 would reject the cache.
    if (isMissing && isComplete(code) && tag === require("node:v8").cachedDataVersionTag())
      keep(() => script.createCachedData());
    // Everything has ended, so exit at once: Node would spend time on freeing its memory.
    process.exit();
  });
  const program = { exports: /** @type {any} */ ({}) };
  script.runInThisContext()(program.exports, require, program);
  program.exports.run();
}

/**
 * Whether a run compiled the whole command: it succeeded, or judged a response (codes 4 to 6). Without a response, or with a
 * mistake of the user, V8 compiled a part, and a cache is never written again.
 * @param {number} code
 */
function isComplete(code) {
  return code === 0 || (code >= 4 && code <= 6);
}

/**
 * Whether an argument or variable may be a base URL with TLS.
 * @param {string} text
 */
function isHttps(text) {
  return /^(?:--base-url=)?https:/i.test(text);
}

/** V8 compiles different code for each command. Other arguments may be secrets, so they are not in the name of the file. */
function commandName() {
  const isHelp = args.includes("--help") || args.includes("-h");
  return !isHelp && /^(?:test|header|config|emulator)$/.test(args[0] || "") ? args[0] : "other";
}

/**
 * The cache of this command beside the bundle. Undefined on Windows, which has no owner and mode to check.
 * @param {string} bundle
 * @param {string} source
 */
function cacheBeside(bundle, source) {
  if (!process.geteuid || process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const owner = fs.statSync(bundle).uid;
  const folder = path.dirname(bundle) + "/cache";
  // There are only a few names, so the folder stays small: a new Node release overwrites the cache of the old one.
  const file = folder + "/" + commandName() + "-node" + major + "-" + process.arch;
  // V8 compares only the length of the source. The build writes the hash of the source at its beginning.
  const key = Buffer.from(source.slice(3, 67) + process.version);

  /**
   * Whether this file or folder belongs to the owner of the program and nobody else can write to it. Links are not followed.
   * @param {string} path
   */
  function isOfOwner(path) {
    const facts = fs.lstatSync(path);
    const writableByOthers = 0o022;
    return !facts.isSymbolicLink() && facts.uid === owner && (facts.mode & writableByOthers) === 0;
  }

  return {
    /**
     * The cached data, or undefined. The file holds key and data twice, and both copies must be equal: V8 would run corrupted
     * data, and comparing two copies is faster than loading a hash function.
     */
    read() {
      try {
        if (!isOfOwner(folder) || !isOfOwner(file)) return undefined;
        const descriptor = fs.openSync(file, "r");
        const first = Buffer.allocUnsafeSlow(fs.fstatSync(descriptor).size / 2);
        fs.readSync(descriptor, first, 0, first.length, 0);
        // The second copy in pieces: each page of memory that is not used before takes 2 us, and these are 216.
        const piece = Buffer.allocUnsafeSlow(1 << 16);
        let compared = first.subarray(0, key.length).equals(key) ? 0 : first.length + 1;
        while (compared < first.length) {
          const read = fs.readSync(descriptor, piece, 0, piece.length, first.length + compared);
          const isEqual = read > 0 && piece.compare(first, compared, compared + read, 0, read) === 0;
          compared = isEqual ? compared + read : first.length + 1;
        }
        fs.closeSync(descriptor);
        return compared === first.length ? first.subarray(key.length) : undefined;
      } catch (_) {
        return undefined;
      }
    },

    /**
     * Writes the cache, if this user owns the program. Everybody can read it. If it fails, the next run has no cache either.
     * @param {() => Buffer} compiled
     */
    write(compiled) {
      if (process.geteuid === undefined || process.geteuid() !== owner) return;
      const unfinished = file + ".new";
      try {
        // Without this, the umask of the user could change the modes below.
        process.umask(0o022);
        if (!fs.existsSync(folder)) fs.mkdirSync(folder, 0o755);
        if (!isOfOwner(folder)) return;
        const half = Buffer.concat([key, compiled()]);
        // Flush the data to the disk before the rename, since a power failure could leave half of it.
        fs.writeFileSync(unfinished, Buffer.concat([half, half]), { flag: "wx", mode: 0o644, flush: true });
        fs.renameSync(unfinished, file);
      } catch (_) {
        try {
          // A run may have been ended while it wrote. The next run must be able to write again.
          fs.unlinkSync(unfinished);
        } catch (_) {
          // It does not exist, or cannot be removed.
        }
      }
    },
  };
}
