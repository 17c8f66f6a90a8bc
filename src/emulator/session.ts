import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode, Interrupted } from "../errors.ts";
import { asciiJson, escapeText } from "../report/escape.ts";
import { isLoopbackAddress } from "../system/addresses.ts";
import type { Context } from "../system/context.ts";
import { writing } from "../system/file-writing.ts";
import { type CompleteOptions, openEmulator } from "./emulator.ts";

/**
 * Runs an emulator as long as the command runs, and returns its exit code; without a command, until the context is interrupted,
 * and throws that reason. Throws InputError for what it cannot use, OutputError if it cannot print. `json` prints a document and
 * each request in place of variables, `readyFile` gets that document, and `certFile` is the certificate's absolute path.
 */
export async function runSession(
  {
    readyFile,
    json = false,
    quiet = false,
    certFile,
    ...options
  }: CompleteOptions & {
    readonly readyFile?: string | undefined;
    readonly json?: boolean | undefined;
    readonly quiet?: boolean | undefined;
    readonly certFile?: string | undefined;
  },
  words: readonly string[],
  context: Context,
): Promise<number> {
  const { interrupted, stderr, stdout } = context;
  interrupted.throwIfAborted();
  async function onReadyFile(action: (path: string) => Promise<void> | void): Promise<void> {
    if (readyFile !== undefined) await writing("--ready-file", readyFile, () => action(readyFile));
  }
  // A document of an earlier run would say too soon that this server listens.
  await onReadyFile(context.removeFile);
  let logged = Promise.resolve();
  let waiting = 0;
  let dropped = 0;
  function write(line: string, object: object): void {
    waiting += 1;
    // Requests are answered even if the log cannot be written.
    logged = (json ? stdout.write(`${asciiJson(object, 0)}\n`) : stderr.write(`${line}\n`))
      .catch(() => {})
      .finally(() => (waiting -= 1));
  }
  function tellDropped(): void {
    if (dropped > 0) write(`Warning: ${dropped} lines of this log were dropped: nobody read it`, { dropped });
    dropped = 0;
  }
  const log = logOf((line, request) => {
    // A program may read the first line and no more.
    if (quiet) return;
    if (waiting >= mostWaiting) {
      dropped += 1;
    } else {
      tellDropped();
      write(line, request);
    }
  }, words.length > 0);
  const emulator = await openEmulator({ ...options, log }, context.now);
  try {
    const { url, port, accounts } = emulator;
    const document = `${asciiJson({ schemaVersion: 1, url, port, accounts }, 0)}\n`;
    // Before anything is waited for, so that no line of the log is the first one.
    if (json) await stdout.write(document);
    const warning = openWarning(options, port);
    if (warning !== "") await stderr.write(warning);
    // The document holds credentials.
    await onReadyFile((path) => context.writeFile(path, document, 0o600));
    const [{ token, username, secret }] = accounts;
    const variables = {
      REFERRAL_BASE_URL: url,
      REFERRAL_TOKEN: token,
      REFERRAL_USERNAME: username,
      REFERRAL_SECRET: secret,
      ...(certFile !== undefined && { REFERRAL_CA_CERT: certFile }),
    };
    if (words.length > 0) {
      return await runClientCommand(words, { ...context.environment, ...removed, ...variables }, context);
    }
    if (!json && stderr.isTerminal) await stderr.write(advice);
    if (!json) await stdout.write(exportLines(variables));
    interrupted.throwIfAborted();
    await once(interrupted, "abort");
    throw interrupted.reason;
  } finally {
    await emulator.close();
    await onReadyFile(context.removeFile);
    tellDropped();
    // Writes keep their order, so all lines are written when the last one is. Wait half a second for a reader who takes none.
    let before: number;
    do {
      before = waiting;
      await Promise.race([logged, delay(500, null, { ref: false })]);
    } while (waiting > 0 && waiting < before);
  }
}

const advice = "Paste these lines into a second terminal; Ctrl-C stops the emulator:\n";

// A request takes about 500 bytes while it waits for its reader.
const mostWaiting = 10_000;

/** A log. With a command it leaves out accepted requests, except the first with each note: the command reports its own successes. */
function logOf(write: CompleteOptions["log"], refusalsOnly: boolean): CompleteOptions["log"] {
  const known = new Set<string>();
  return (line, request) => {
    const { accepted, notes } = request;
    const hasNewNote = notes.some((note) => !known.has(note));
    for (const note of notes) known.add(note);
    if (!accepted || !refusalsOnly || hasNewNote) write(line, request);
  };
}

/** Says who can reach the server besides programs of this machine; empty if nobody else can. */
function openWarning({ host, allowHosts }: CompleteOptions, port: number): string {
  const reached = /^(?:0\.0\.0\.0|::)$/.test(host) ? "this one" : host;
  const machines = `every machine that reaches ${reached} can use port ${port} and its accounts (--host)`;
  const pages = `web pages of ${allowHosts.join(", ")} can reach this server (--allow-host)`;
  const ofMachines = isLoopbackAddress(host) ? "" : `Warning: ${machines}\n`;
  return ofMachines + (allowHosts.length > 0 ? `Warning: ${pages}\n` : "");
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

/** The exit code of a program of Windows that Ctrl-C ended: STATUS_CONTROL_C_EXIT. */
const controlCExit = 0xc000013a;

/** Resolves with the exit code. Rejects with Node's error if the command cannot be started. */
function ended(
  [command = "", ...args]: readonly string[],
  environment: Context["environment"],
  { interrupted, userId }: Pick<Context, "interrupted" | "userId">,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...environment } });
    const forward = (): void => {
      const { reason } = interrupted;
      if (!(reason instanceof Interrupted)) child.kill("SIGTERM");
      else if (userId !== null) child.kill(reason.signal);
    };
    interrupted.addEventListener("abort", forward, { once: true });
    child.on("error", (error) => {
      // A signal that could not be delivered is an error too; then the command is still running.
      if (child.pid === undefined) reject(error);
    });
    // Not `close`: a background process of the command may keep the streams open.
    child.once("exit", (code, signal) => {
      interrupted.removeEventListener("abort", forward);
      const ending = code === controlCExit ? "SIGINT" : signal;
      resolve(ending === null ? (code ?? 128) : 128 + constants.signals[ending]);
    });
  });
}

/**
 * Runs a command without a shell on our own streams. Resolves with its exit code: 128 plus the number of a signal that ended it,
 * 127 or 126 if it cannot start (POSIX.1-2024, Shell Command Language, 2.8.2). It passes an interruption on, except on Windows,
 * where the console has told the command already. Rejects with an interruption that came before the start.
 */
export async function runClientCommand(
  words: readonly string[],
  environment: Context["environment"],
  context: Pick<Context, "interrupted" | "stderr" | "userId">,
): Promise<number> {
  context.interrupted.throwIfAborted();
  try {
    return await ended(words, environment, context);
  } catch (error) {
    const code = errorCode(error);
    if (code === null) throw error;
    const name = escapeText(words[0] ?? "", 200);
    // Node has another code for an empty name; a shell says that it is not found. Node cannot start a batch file of Windows.
    const isMissing = code === "ENOENT" || name === "";
    const batch = context.userId === null ? `; start a batch file by cmd: cmd /c ${name}` : "";
    const [problem, hint] = isMissing
      ? ["was not found", "its spelling, the PATH and, for a script, the interpreter in its first line"]
      : [`cannot be executed (${code})`, "that it is a program and that this user may execute it"];
    await context.stderr.write(
      `Error: The command "${name}" ${problem}\n  try       Check ${hint}${batch}\n`,
    );
    return isMissing ? 127 : 126;
  }
}
