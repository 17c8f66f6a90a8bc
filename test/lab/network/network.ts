import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { childNode, emptyFolder } from "../../support/run.ts";
import type { Zone } from "./dns.ts";
import type { Setting } from "./world.ts";

/**
 * What the network of an address does, by the tens of its last number. Every address without a server refuses.
 * Each family has the same: `198.51.100.21` and `2001:db8::21` both lead nowhere.
 */
export const ipv4 = (last: number): string => `198.51.100.${last}`;
/** The same for IPv6. */
export const ipv6 = (last: number): string => `2001:db8::${last}`;
/** The last numbers. */
export const to = {
  server: 10,
  blackHole: 20,
  /** Nothing listens there. 30 to 33. */
  refusing: 30,
  /** This machine has no way there. */
  unreachable: 40,
  /** A firewall forbids it. */
  forbidden: 41,
  /** The round trip takes 300 ms. */
  far: 50,
  /** The first SYN, or the first query, of each port is lost. */
  losing: 60,
  /** Packets of more than 1,400 bytes are lost, and nobody says so. */
  narrow: 70,
  /** Both losing and far. */
  losingFar: 80,
} as const;

/** A network to make. By default this machine has both families, and a DNS server answers at once from the zone. */
export interface Wanted {
  readonly zone?: Zone;
  readonly ipv4?: false;
  readonly ipv6?: Setting["ipv6"];
  /** The addresses of the name servers; one that works is at 127.0.0.1 and, far away, at `ipv4(to.far)`. */
  readonly nameservers?: readonly string[];
  /** Options of resolv.conf. */
  readonly options?: string;
  /** Lines of the hosts file. */
  readonly hosts?: string;
  /** A file of this machine that is replaced by the certificate of the servers' CA, which no option names then. */
  readonly bundle?: string;
  /** Contents that replace files of the machine, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What a command did. Times are in milliseconds. */
export interface Ran {
  /** 128 and the signal's number, if a signal ended it. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** From the last output to the end of the process. */
  readonly lingeredMs: number;
  /** From the signal to the end of the process. */
  readonly sinceSignalMs: number | null;
}

/** How to run a command. */
export interface How {
  readonly environment?: Readonly<Record<string, string>>;
  /** What it reads from standard input. */
  readonly input?: string;
  readonly signal?: { readonly name: "SIGINT" | "SIGTERM"; readonly afterMs: number };
}

/** A network of its own, with everything in it. */
export interface Network extends AsyncDisposable {
  /** The file of the CA that signed the servers' certificates. */
  readonly authority: string;
  readonly run: (command: readonly string[], how?: How) => Promise<Ran>;
}

/** A run that takes longer is killed: longer than every deadline here and what may follow it. */
const killAfterMs = 15_000;

async function run(world: ChildProcess, command: readonly string[], how: How = {}): Promise<Ran> {
  const spaces = ["net", "mnt"].map(
    (kind) => `--${kind === "mnt" ? "mount" : kind}=/proc/${world.pid}/ns/${kind}`,
  );
  const began = performance.now();
  const env = { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8", HOME: emptyFolder, ...how.environment };
  const child = spawn("nsenter", [...spaces, "--", ...command], { env, stdio: "pipe", detached: true });
  child.stdin.on("error", () => {}).end(how.input);
  const output = { stdout: "", stderr: "" };
  let [last, signalled] = [began, null as number | null];
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk) => {
      output[name] += chunk;
      last = performance.now();
    });
  }
  // With all that it started: its process group.
  const timers = [setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), killAfterMs)];
  if (how.signal) {
    const { name, afterMs } = how.signal;
    timers.push(
      setTimeout(() => {
        signalled = performance.now();
        child.kill(name);
      }, afterMs),
    );
  }
  const [ended] = await Promise.all([
    once(child, "exit").then((how) => [...how, performance.now()]),
    once(child, "close"),
  ]);
  for (const timer of timers) clearTimeout(timer);
  const [code, signal, end] = ended as [number | null, string | null, number];
  return {
    exitCode: code ?? 128 + ({ SIGINT: 2, SIGTERM: 15 }[signal ?? ""] ?? 9),
    ...output,
    ms: end - began,
    lingeredMs: end - last,
    sinceSignalMs: signalled && end - signalled,
  };
}

/** Makes a network. It ends when it is disposed of, or with this process. Throws if it cannot be made. */
export async function openNetwork(wanted: Wanted = {}): Promise<Network> {
  const { nameservers = ["127.0.0.1"], options = "", hosts = "", files = {} } = wanted;
  const folder = mkdtempSync(join(tmpdir(), "referral-auth-network-"));
  const contents: Readonly<Record<string, string>> = {
    "/etc/resolv.conf": `${nameservers.map((server) => `nameserver ${server}\n`).join("")}options ${options}\n`,
    "/etc/hosts": `127.0.0.1 localhost\n::1 localhost\n${hosts}`,
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    ...files,
  };
  const authority = join(folder, "ca.pem");
  const setting: Setting = {
    zone: wanted.zone ?? {},
    ipv4: wanted.ipv4 ?? true,
    ipv6: wanted.ipv6 ?? "global",
    files: wanted.bundle === undefined ? {} : { [wanted.bundle]: authority },
    authority,
  };
  for (const [path, content] of Object.entries(contents)) {
    setting.files[path] = join(folder, path.replaceAll("/", "-"));
    writeFileSync(setting.files[path], content);
  }
  const script = fileURLToPath(new URL("./world.ts", import.meta.url));
  const args = ["--net", "--mount", process.execPath, script, JSON.stringify(setting)];
  const world = spawn("unshare", args, { stdio: "pipe" });
  let problem = "";
  world.stderr.on("data", (chunk) => (problem += chunk));
  const [ready] = await Promise.race([
    once(world.stdout, "data"),
    once(world, "close"),
    once(world, "error"),
  ]);
  if (String(ready) !== "ready\n") throw new Error(`the network cannot be made: ${problem}${ready}`);
  return {
    authority,
    run: (command, how) => run(world, command, how),
    [Symbol.asyncDispose]: async () => {
      world.stdin.end();
      if (world.exitCode === null) await once(world, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}

const found = new Map<string, string>();

/** The command of a Node.js line; without one, that of the program under test. */
export function nodeOf(line?: "20" | "22" | "26"): string {
  if (line === undefined) return childNode;
  const script = fileURLToPath(new URL("../../../scripts/nodes.js", import.meta.url));
  const command = found.get(line) ?? join(`${execFileSync(process.execPath, [script, line])}`.trim(), "node");
  found.set(line, command);
  return command;
}
