import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { folderWith } from "../support/folder.ts";
import { childNode, launcher, type Run } from "../support/run.ts";

/** The folder into which `.ci/run` installs the validators. */
export const validators = resolve(process.env.RECIPE_VALIDATORS || "RECIPE_VALIDATORS names no folder");

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** A machine on which recipes run: an empty home and working folder, and nothing in the environment but this. */
export interface Machine {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A machine with `referral-auth` and these scripts on its PATH, and these files in its home, which is the working folder
 * too.
 */
export function machineWith(
  files: Readonly<Record<string, string>> = {},
  scripts: Readonly<Record<string, string>> = {},
): Machine {
  const programs = folderWith();
  const folder = folderWith(files);
  const script = `#!/bin/sh\nexec ${quoted(childNode)} ${quoted(launcher)} "$@"\n`;
  for (const [name, text] of Object.entries({ "referral-auth": script, ...scripts }))
    writeFileSync(join(programs, name), text, { mode: 0o755 });
  return { folder, environment: { HOME: folder, PATH: pathFrom(programs), NO_COLOR: "1" } };
}

/** A machine on which npm installs into a prefix of its own, and the package to install as `npm pack` makes it. */
export async function machineWithNpm(): Promise<Machine & { readonly archive: string }> {
  const folder = folderWith();
  const prefix = folderWith();
  const environment = {
    HOME: folder,
    PATH: pathFrom(join(prefix, "bin")),
    NO_COLOR: "1",
    npm_config_prefix: prefix,
    // The package brings no dependencies, so nothing needs the registry.
    npm_config_offline: "true",
  };
  const packed = await start({ folder: repository, environment }, "npm", [
    "pack",
    "--ignore-scripts",
    "--pack-destination",
    folder,
  ]);
  if (packed.exitCode !== 0) throw new Error(packed.everything);
  return { folder, environment, archive: join(folder, packed.stdout.trim()) };
}

const pathFrom = (programs: string): string =>
  [programs, dirname(childNode), "/usr/local/bin", "/usr/bin", "/bin"].join(":");

/** Runs a program on the machine. Rejects where it is missing. */
export async function start(
  { folder, environment }: Machine,
  command: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...environment, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
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
  more: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<Run> {
  const file = join(folderWith({ "script.sh": script }), "script.sh");
  return start(machine, "bash", [...options, file], more);
}

/** What action-validator says of a workflow: it holds the text against the schema of SchemaStore, as editors do. */
export function validateWorkflow(text: string): Promise<Run> {
  const file = join(folderWith({ "workflow.yml": text }), "workflow.yml");
  return start(machineWith(), join(validators, "node_modules/.bin/action-validator"), [file]);
}
