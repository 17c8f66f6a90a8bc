import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { folderWith } from "../../support/folder.ts";
import { childNode, launcher, type Run } from "../../support/run.ts";

/** The folder into which `.ci/run` installs the validators. */
export const validators = resolve(process.env.RECIPE_VALIDATORS || "RECIPE_VALIDATORS names no folder");

type Texts = Readonly<Record<string, string>>;

/** A machine on which recipes run: an empty home and working folder, and nothing in the environment but this. */
export interface Machine {
  readonly folder: string;
  readonly environment: Texts;
}

function machineIn(folder: string, programs: string): Machine {
  const path = [programs, dirname(childNode), "/usr/local/bin", "/usr/bin", "/bin"].join(":");
  return { folder, environment: { HOME: folder, PATH: path, NO_COLOR: "1" } };
}

/** A machine with these files in its home, which is the working folder too; `referral-auth` and these scripts are on its PATH. */
export function machineWith(files: Texts = {}, scripts: Texts = {}): Machine {
  const programs = folderWith();
  const script = `#!/bin/sh\nexec "${childNode}" "${launcher}" "$@"\n`;
  for (const [name, text] of Object.entries({ "referral-auth": script, ...scripts }))
    writeFileSync(join(programs, name), text, { mode: 0o755 });
  return machineIn(folderWith(files), programs);
}

/** A machine on which npm installs into a prefix of its own, and the package to install as `npm pack` makes it. */
export async function npmMachine(): Promise<Machine & { readonly archive: string }> {
  const prefix = folderWith();
  const { folder, environment } = machineIn(folderWith(), join(prefix, "bin"));
  // The package brings no dependencies, so nothing needs the registry.
  const offline = { ...environment, npm_config_prefix: prefix, npm_config_offline: "true" };
  const repository = fileURLToPath(new URL("../../..", import.meta.url));
  const args = ["pack", "--ignore-scripts", "--pack-destination", folder, repository];
  const packed = await start({ folder, environment: offline }, "npm", args);
  if (packed.exitCode !== 0) throw new Error(packed.everything);
  return { folder, environment: offline, archive: join(folder, packed.stdout.trim()) };
}

/** Runs a program on the machine. Rejects where it is missing. */
export async function start(
  { folder, environment }: Machine,
  command: string,
  args: readonly string[],
  more: Texts = {},
): Promise<Run> {
  const env = { ...environment, ...more };
  const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = await once(child, "close");
  return { exitCode: code ?? -1, stdout, stderr, everything: stdout + stderr };
}

/** Runs a script as a file of its own, as bash runs one. */
export function bash(
  machine: Machine,
  script: string,
  more: Texts = {},
  options: readonly string[] = [],
): Promise<Run> {
  const file = join(folderWith({ "script.sh": script }), "script.sh");
  return start(machine, "bash", [...options, file], more);
}
