import { started } from "../support/child.ts";
import { childNode, launcher } from "../support/run.ts";

/** Runs a shell script in which `$RUN` is the program. */
export function inShell(script: string, environment: Readonly<Record<string, string>>, cwd: string) {
  const command = script.replaceAll("$RUN", '"$NODE" "$PROGRAM"');
  const env = { PATH: process.env.PATH, NODE: childNode, PROGRAM: launcher, ...environment };
  const { child, ended } = started(["/bin/sh", "-c", command], { cwd, env });
  child.stdin?.end();
  return ended;
}
