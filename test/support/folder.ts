import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

const parent = realpathSync(tmpdir());

/** A folder with these files, closed to others, until the test is finished. Objects are written as JSON. */
export function folderWith(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = mkdtempSync(join(parent, "referral-auth-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const written = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(join(folder, name), written ? content : JSON.stringify(content), { mode: 0o600 });
  }
  return folder;
}

/** The path of a named pipe, until the test is finished. */
export function namedPipe(): string {
  const pipe = join(folderWith(), "pipe");
  execFileSync("mkfifo", ["-m", "600", pipe]);
  return pipe;
}
