import { once } from "node:events";
import { OutputError } from "../errors.ts";
import { asciiJson } from "../report/escape.ts";
import type { Context } from "../system/context.ts";
import { describeFileProblem, describeForeign, FileProblem } from "../system/file-reading.ts";
import { isLoopbackAddress } from "../system/loopback.ts";
import { runClientCommand } from "./client-command.ts";
import { type CompleteOptions, openEmulator } from "./emulator.ts";

/** How an emulator of the command line tells others of itself. */
export interface SessionOptions extends CompleteOptions {
  /** Where to write the document about it when it listens. */
  readonly readyFile?: string | undefined;
  /** Whether to print the document instead of variables. */
  readonly json?: boolean | undefined;
}

/**
 * Runs an emulator as long as the command runs, and returns the exit code of the command. Without a command it prints how
 * to reach the emulator, runs until the context is interrupted, and throws the reason of the interruption. Throws InputError
 * for options that it cannot use and for a port that it cannot open, OutputError if it cannot print.
 */
export async function runSession(
  { readyFile, json = false, ...options }: SessionOptions,
  words: readonly string[],
  context: Context,
): Promise<number> {
  const { interrupted, stderr, stdout } = context;
  interrupted.throwIfAborted();
  async function onReadyFile(action: (path: string) => Promise<void> | void): Promise<void> {
    try {
      if (readyFile !== undefined) await action(readyFile);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      const what = describeForeign(error) ?? `a file that ${describeFileProblem(error)}`;
      throw new OutputError(`--ready-file names ${what}`);
    }
  }
  // A document of an earlier run would say too soon that this server listens.
  await onReadyFile(context.removeFile);
  let logged = Promise.resolve();
  const log = logOf((line) => {
    // Requests are answered even if the log cannot be written.
    logged = stderr.write(`${line}\n`).catch(() => {});
  }, words.length > 0);
  const emulator = await openEmulator({ ...options, log }, context.now);
  try {
    const warning = openWarning(options, emulator.port);
    if (warning !== "") await stderr.write(warning);
    const { url, port, accounts } = emulator;
    const document = `${asciiJson({ schemaVersion: 1, url, port, accounts }, 0)}\n`;
    // The document holds credentials.
    await onReadyFile((path) => context.writeFile(path, [document], interrupted, 0o600));
    const [{ token, username, secret }] = accounts;
    const variables = {
      REFERRAL_BASE_URL: url,
      REFERRAL_TOKEN: token,
      REFERRAL_USERNAME: username,
      REFERRAL_SECRET: secret,
    };
    if (words.length > 0) {
      return await runClientCommand(words, { ...context.environment, ...removed, ...variables }, context);
    }
    await stdout.write(json ? document : exportLines(variables));
    interrupted.throwIfAborted();
    await once(interrupted, "abort");
    throw interrupted.reason;
  } finally {
    await emulator.close();
    await onReadyFile(context.removeFile);
    // Writes keep their order, so all lines are written when the last one is.
    await logged;
  }
}

/** A log. With a command it leaves out accepted requests, except the first with each note: the command reports its own successes. */
function logOf(write: (line: string) => void, refusalsOnly: boolean): CompleteOptions["log"] {
  const known = new Set<string>();
  return (line, { accepted, notes }) => {
    const hasNewNote = notes.some((note) => !known.has(note));
    for (const note of notes) known.add(note);
    if (!accepted || !refusalsOnly || hasNewNote) write(line);
  };
}

/** Says who can reach the server besides programs of this machine; empty if nobody else can. */
function openWarning({ host, allowHosts }: CompleteOptions, port: number): string {
  const reached = /^(?:0\.0\.0\.0|::)$/.test(host) ? "this one" : host;
  const machines = `every machine that reaches ${reached} can use port ${port} and its accounts (--host)`;
  const pages = `web pages of ${allowHosts.join(", ")} can reach this server (--allow-host)`;
  const warnings = [isLoopbackAddress(host) ? [] : machines, allowHosts.length > 0 ? pages : []].flat();
  return warnings.map((text) => `Warning: ${text}\n`).join("");
}

// The client refuses a credential that is set twice, by value and by file, and a profile counts before the environment.
const removed = {
  REFERRAL_TOKEN_FILE: undefined,
  REFERRAL_SECRET_FILE: undefined,
  REFERRAL_PROFILE: undefined,
};

/** One `export NAME='value'` line per variable, for any POSIX shell (POSIX.1-2024, Shell Command Language, 2.2.2). */
export function exportLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join("");
}
