// The run of the command `emulator`: prints how to reach the server, runs a client command, and ends with it or with a signal.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode, Interrupted } from "../errors.ts";
import { asciiJson, escapeText, shellWord } from "../redaction/escape.ts";
import { hostAndPort, isLoopbackAddress, shownHost } from "../system/addresses.ts";
import type { ByteStream } from "../system/byte-stream.ts";
import type { Context } from "../system/context.ts";
import { FileProblem } from "../system/file-reading.ts";
import { writing } from "../system/file-writing.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { openEmulator } from "./emulator.ts";
import { logEntry, type ReceivedRequest, type Screen } from "./log.ts";
import type { AllOptions } from "./options.ts";

/**
 * Runs an emulator of these accounts as long as the command runs, and returns its exit code; without a command, until the context
 * is interrupted, and throws that reason. Throws InputError for what it cannot use, OutputError if it cannot print. `json` prints
 * a document and each request in place of variables, `readyFile` gets that document, `certFile` is the certificate's
 * absolute path, and `screen` shows the log to people, who do not read one line a request. With `endWithStdin` it returns 0
 * when standard input ends: that of a child ends with its parent, however the parent ends.
 */
export async function runSession(
  options: AllOptions & {
    readonly readyFile?: string | undefined;
    readonly json?: boolean | undefined;
    readonly quiet?: boolean | undefined;
    readonly endWithStdin?: boolean | undefined;
    readonly certFile?: string | undefined;
    readonly screen?: Screen | undefined;
  },
  given: readonly EmulatorAccount[],
  words: readonly string[],
  context: Context,
): Promise<number> {
  const { readyFile, json = false, quiet = false, endWithStdin = false, certFile, screen } = options;
  const { interrupted, stderr, stdout } = context;
  interrupted.throwIfAborted();
  async function onReadyFile(action: (path: string) => Promise<void> | void): Promise<void> {
    if (readyFile !== undefined) await writing("--ready-file", readyFile, () => action(readyFile));
  }
  // A document of an earlier run would say too soon that this server listens.
  await onReadyFile(context.removeFile);
  const written = logOf<ReceivedRequest>((line, request) =>
    json
      ? stdout.write(`${asciiJson(request, 0)}\n`)
      : stderr.write(`${screen === undefined ? line : logEntry(request, given, screen)}\n`),
  );
  const known = new Set<string>();
  const log: AllOptions["log"] = (line, request) => {
    const { accepted, notes } = request;
    const hasNewNote = notes.some((note) => !known.has(note));
    for (const note of notes) known.add(note);
    // A command that runs here reports its own successes, so the log has only refusals and new notes. Nothing waits for the log: a
    // program may read its first line and no more.
    if (!quiet && (words.length === 0 || !accepted || hasNewNote)) written.add(line, request);
  };
  const emulator = await openEmulator({ ...options, log }, given, context.now);
  try {
    const { url, port, accounts } = emulator;
    const document = `${asciiJson({ schemaVersion: 1, url, port, accounts }, 0)}\n`;
    // Print the document before anything else is waited for: it is the first line, before those of the log.
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
    if (words.length > 0)
      return await runClientCommand(
        words,
        { ...context.environment, ...removed, ...withoutProxy(context.environment, url), ...variables },
        context,
      );
    const isWindows = context.userId === null;
    if (!json && stderr.isTerminal) await stderr.write(advice(isWindows));
    if (!json) await stdout.write(variableLines(variables, isWindows));
    interrupted.throwIfAborted();
    if (!endWithStdin) {
      await once(interrupted, "abort");
      throw interrupted.reason;
    }
    await untilEnd(await context.openStream(null, interrupted));
    if (!quiet) await stderr.write("Standard input has ended, and so does the emulator (--end-with-stdin)\n");
    return 0;
  } finally {
    await emulator.close();
    await onReadyFile(context.removeFile);
    await written.end();
  }
}

/** Resolves when a stream ends, or can no longer be read. Rejects with the reason of its signal. */
async function untilEnd({ chunks }: ByteStream): Promise<void> {
  try {
    for await (const _ of chunks);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
  }
}

// A request takes about 500 bytes while it waits for its reader.
const mostWaiting = 10_000;

/** A log that drops lines while too many wait for their reader. Requests are answered even if it cannot be written. */
export function logOf<Entry>(write: (line: string, entry: Entry) => Promise<void>) {
  let last = Promise.resolve();
  let waiting = 0;
  return {
    add(line: string, entry: Entry): void {
      if (waiting >= mostWaiting) return;
      waiting += 1;
      last = write(line, entry)
        .catch(() => {})
        .finally(() => (waiting -= 1));
    },
    /** Resolves when all is written, or when a reader takes nothing for half a second. */
    async end(): Promise<void> {
      // Writes keep their order, so all lines are written when the last one is.
      for (let before = waiting + 1; waiting > 0 && waiting < before; ) {
        before = waiting;
        await Promise.race([last, delay(500, null, { ref: false })]);
      }
    },
  };
}

const advice = (isWindows: boolean): string =>
  `Paste these lines into ${isWindows ? "a second PowerShell" : "a second terminal"}; Ctrl-C stops the emulator:\n`;

/** Says who can reach the server besides programs of this machine; empty if nobody else can. */
function openWarning({ host, allowHosts }: AllOptions, port: number): string {
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

/**
 * Adds the emulator's host to NO_PROXY and no_proxy, and gives both the same hosts: some programs read only one of them. Curl and
 * Python understand `*` only if it stands alone. Some clients expect brackets around an IPv6 address and some do not, so both forms are
 * listed.
 */
function withoutProxy({ NO_PROXY = "", no_proxy = "" }: Context["environment"], url: string) {
  const { host } = hostAndPort(new URL(url));
  const hosts = [...`${NO_PROXY},${no_proxy}`.split(/[\s,]+/), shownHost(host), host];
  const all = hosts.includes("*") ? "*" : [...new Set(hosts.filter((host) => host !== ""))].join(",");
  return { NO_PROXY: all, no_proxy: all };
}

/** One line a variable that sets it: for any POSIX shell, or for PowerShell, which reads a typographic single quote as a straight one. */
export function variableLines(variables: Readonly<Record<string, string>>, isWindows: boolean): string {
  const lineOf = ([name, value]: readonly [string, string]): string =>
    isWindows
      ? `$env:${name} = '${value.replace(/['\u2018-\u201b]/g, "$&$&")}'\n`
      : `export ${name}=${shellWord(value)}\n`;
  return Object.entries(variables).map(lineOf).join("");
}

const missing =
  "Check its spelling, the PATH and, for a script, the interpreter in its first line; the first word that is no option begins the command";

/** The exit code of a program of Windows that Ctrl-C ended: STATUS_CONTROL_C_EXIT. */
const controlCExit = 0xc000013a;

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
  const { interrupted, stderr, userId } = context;
  interrupted.throwIfAborted();
  const [command = "", ...args] = words;
  let forward = (): void => {};
  try {
    const child = spawn(command, args, { stdio: "inherit", env: { ...environment } });
    forward = () => {
      const { reason } = interrupted;
      if (!(reason instanceof Interrupted)) child.kill("SIGTERM");
      else if (userId !== null) child.kill(reason.signal);
    };
    interrupted.addEventListener("abort", forward, { once: true });
    await once(child, "spawn");
    // A signal that could not be delivered: the command is still running.
    child.on("error", () => {});
    return await new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        const ending = code === controlCExit ? "SIGINT" : signal;
        resolve(ending === null ? (code ?? 128) : 128 + constants.signals[ending]);
      });
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === null) throw error;
    const name = escapeText(command, 200);
    // Node has another code for an empty name; a shell says that it is not found. Node cannot start a batch file of Windows.
    const isMissing = code === "ENOENT" || name === "";
    const batch = userId === null ? `; start a batch file by cmd: cmd /c ${name}` : "";
    const [problem, hint] = isMissing
      ? ["was not found", missing]
      : [`cannot be executed (${code})`, "Check that it is a program and that this user may execute it"];
    await stderr.write(`Error: The command "${name}" ${problem}\n  try       ${hint}${batch}\n`);
    return isMissing ? 127 : 126;
  } finally {
    interrupted.removeEventListener("abort", forward);
  }
}
