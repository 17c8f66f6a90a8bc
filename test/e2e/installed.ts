import { execFile, execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { childNode, launcher } from "../support/run.ts";

/** The version and the processor of the Node that runs the program, such as `24.1.0` and `x64`. */
const facts = execFileSync(childNode, ["-p", "process.versions.node + ' ' + process.arch"]);
const [version = "", arch = ""] = facts.toString().trim().split(" ");
const major = Number(version.split(".")[0]);

/** The name of the file that holds the cache of a command. */
export const cacheName = (command: string): string => `${command}-node${major}-${arch}`;

/** An installed copy of the program in its own folder, which everybody can read. Tests can change its files. */
export function install() {
  const folder = folderWith();
  chmodSync(folder, 0o755);
  const source = dirname(dirname(launcher));
  for (const file of ["bin/launch.cjs", "dist/referral-auth.cjs", "package.json"])
    cpSync(join(source, file), join(folder, file));
  const cacheFolder = join(folder, "dist/cache");
  return {
    folder,
    bundle: join(folder, "dist/referral-auth.cjs"),
    cacheFolder,
    /** The cache of `header`. */
    cache: join(cacheFolder, cacheName("header")),
    /** Exists once the code of the planted cache has run. */
    canary: join(folderWith(), "canary"),
  };
}

/** An installed copy of the program. */
export type Installed = ReturnType<typeof install>;

interface Differences {
  readonly environment?: Readonly<Record<string, string>>;
  readonly workingFolder?: string;
  readonly umask?: string;
  readonly node?: string;
  readonly uid?: number;
}

/** Runs an installed copy and returns its exit code and both streams. */
export function runInstalled(
  { folder }: Installed,
  args: readonly string[],
  { environment, workingFolder = folder, umask = "022", node = childNode, uid }: Differences = {},
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const script = `umask ${umask}; exec "$@"`;
  const command = ["-c", script, "sh", node, join(folder, "bin/launch.cjs"), ...args];
  const options = {
    cwd: workingFolder,
    env: { REFERRAL_TOKEN: planted.token, HOME: "/nonexistent", ...environment },
    ...(uid !== undefined && { uid, gid: uid }),
  };
  return new Promise((resolve) => {
    const child = execFile("/bin/sh", command, options, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, output: stdout + stderr }),
    );
  });
}

/** Prints one header: the fastest command that runs the bundle. */
export const header = (program: Installed, differences?: Differences) =>
  runInstalled(program, ["header", "--token"], differences);

/** The result of `header`. */
export const printed = { exitCode: 0, output: `X-Auth-Token: ${planted.token}\n` };

// The function is in parentheses, so that V8 compiles it immediately and its code is in the cache.
const canaryMaker = `
const [bundle, canary, flags] = process.argv.slice(1);
const fs = require("node:fs");
if (flags) require("node:v8").setFlagsFromString(flags);
const code = "(function (exports, require, module) { require('fs').writeFileSync(" + JSON.stringify(canary) +
  ", ''); module.exports.run = Boolean; process.exitCode = 0; })";
// V8 compares only the length of the source.
const source = code.padEnd(fs.readFileSync(bundle, "utf8").length);
process.stdout.write(new (require("node:vm").Script)(source).createCachedData());
`;

/** An installed copy whose cache V8 accepts, and which makes the canary file instead of running the program. */
export async function installWithCanary(): Promise<Installed> {
  const program = install();
  await header(program);
  const key = readFileSync(program.cache).subarray(0, 64 + `v${version}`.length);
  const flags = major < 22 ? ["--wasm-tiering-budget=1000000000"] : [];
  const data = execFileSync(childNode, ["-e", canaryMaker, program.bundle, program.canary, ...flags]);
  writeFileSync(program.cache, Buffer.concat([key, data, key, data]));
  return program;
}

/** Everything below a folder, with the properties that a write would change. */
export function contentOf(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => {
      const { mode, uid, size, mtimeMs, ino } = lstatSync(join(folder, name));
      return [name, mode, uid, size, mtimeMs, ino].join(" ");
    })
    .sort();
}
