import { isIP } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { main } from "../../src/app.ts";
import { byteStreamOf, openByteStream } from "../../src/system/byte-stream.ts";
import { type Context, machine } from "../../src/system/context.ts";
import type { Output } from "../../src/system/streams.ts";
import { started } from "./child.ts";
import { type Clock, virtualClock } from "./clock.ts";
import { type ProgramRun, runOf } from "./every-run.ts";

export type { Run } from "./every-run.ts";

/** The inputs of a run. The environment is empty by default. */
export interface Given {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly workingFolder?: string;
  readonly homeFolder?: string;
}

/** The inputs that only a run in process can have. */
export interface GivenInProcess extends Given {
  /** The time at which its clock stands still; the system's unless a test names one. Pauses move it all the same. */
  readonly now?: number;
  /** The clock of the run, for a test that reads it too; it has one of its own unless a test gives one. */
  readonly clock?: Clock;
  readonly nonce?: Uint8Array;
  readonly terminal?: boolean;
  readonly interrupted?: AbortSignal;
  /** The addresses of every host name that the program looks up itself; the system's unless a test names them. */
  readonly addresses?: readonly string[];
  /** The home folder that the password database names; none unless a test names one. */
  readonly registeredHomeFolder?: string;
  /** Collects the lengths of all pauses, in milliseconds. The run does not wait for them: its clock leaps. */
  readonly waits?: { push(milliseconds: number): unknown };
  /** Replaces parts of the context, such as an output that cannot be written. */
  readonly broken?: (own: ReturnType<typeof contextOf>) => Partial<Context>;
}

/** An empty folder. */
export const emptyFolder = fileURLToPath(new URL("./empty/", import.meta.url)).slice(0, -1);
/** The environment of every child: an empty home folder. */
export const childHome: Readonly<Record<string, string>> = { HOME: emptyFolder };
/** The launcher of the built program; continuous integration names that of an installed package. */
export const launcher =
  process.env.REFERRAL_AUTH_LAUNCHER ?? fileURLToPath(new URL("../../bin/launch.cjs", import.meta.url));
/** The Node that runs the program as a child; continuous integration names one of each supported line. */
export const childNode = process.env.REFERRAL_AUTH_NODE ?? process.execPath;
/** The command that starts a child: Node and the launcher, or the standalone executable under test. */
const { REFERRAL_AUTH_EXECUTABLE: executable } = process.env;
const program: readonly string[] = executable === undefined ? [childNode, launcher] : [executable];

const collector = (isTerminal: boolean): Output & { text: string } => ({
  text: "",
  isTerminal,
  async write(text) {
    this.text += text;
  },
});

/** The context of a run in process: real files and sockets, and everything else from the test. */
export function contextOf(
  args: readonly string[],
  given: GivenInProcess = {},
): Context & { readonly stdout: { text: string }; readonly stderr: { text: string } } {
  let count = 0;
  const { now, nonce, addresses, interrupted = new AbortController().signal } = given;
  const { clock = virtualClock(now === undefined ? Date.now : () => now) } = given;
  return {
    args,
    environment: given.environment ?? {},
    stdout: collector(given.terminal ?? false),
    stderr: collector(given.terminal ?? false),
    readStdin: async () => Buffer.from(given.stdin ?? ""),
    openStream: async (path, stop) =>
      path === null
        ? byteStreamOf(Readable.from([Buffer.from(given.stdin ?? "")]), stop)
        : openByteStream(path, stop),
    ...machine,
    now: clock.now,
    // Fresh for every call, since a server may take each nonce once.
    randomBytes: (size) => {
      count += 1;
      return nonce ?? Buffer.alloc(size, count);
    },
    wait: async (milliseconds, end = interrupted) => {
      given.waits?.push(milliseconds);
      await clock.wait(milliseconds, end);
    },
    keepHeapSmall: () => {},
    allowLookupsOf: () => {},
    workingFolder: given.workingFolder ?? emptyFolder,
    homeFolder: given.homeFolder ?? emptyFolder,
    configurationFolder: join(given.homeFolder ?? emptyFolder, ".config", "referral"),
    registeredHomeFolder: () => given.registeredHomeFolder ?? null,
    ...(addresses && {
      lookup: async () => addresses.map((address) => ({ address, family: isIP(address) })),
    }),
    userId: process.getuid?.() ?? null,
    interrupted,
  };
}

const placeOf = ({ workingFolder = emptyFolder, environment }: Given) => ({
  workingFolder,
  summary: environment?.GITHUB_STEP_SUMMARY ?? "",
});

/** Runs the program in this process. */
export async function runInProcess(args: readonly string[], given: GivenInProcess = {}): Promise<ProgramRun> {
  const context = contextOf(args, given);
  const exitCode = await main({ ...context, ...given.broken?.(context) });
  return runOf(args, placeOf(given), { exitCode, stdout: context.stdout.text, stderr: context.stderr.text });
}

/** Runs the built program as a child. The exit code is -1 if a signal ends it before it can give one. */
export async function runAsChild(args: readonly string[], given: Given = {}): Promise<ProgramRun> {
  const { child, ended } = started([...program, ...args], {
    cwd: given.workingFolder ?? emptyFolder,
    env: { ...childHome, ...(given.homeFolder && { HOME: given.homeFolder }), ...given.environment },
  });
  child.stdin?.end(given.stdin ?? "");
  const { exitCode, stdout, stderr } = await ended;
  return runOf(args, placeOf(given), { exitCode: exitCode ?? -1, stdout, stderr });
}

/** True in `vitest run --mode built`, where tests of the whole program run the built one. */
export const built = process.env.REFERRAL_AUTH_TESTS === "built";

/** How tests of the whole program run it: in process, and in `--mode built` as a child. */
export const ways: ReadonlyArray<
  readonly [string, (args: readonly string[], given?: Given) => Promise<ProgramRun>]
> = built ? [["as a child", runAsChild]] : [["in process", runInProcess]];
