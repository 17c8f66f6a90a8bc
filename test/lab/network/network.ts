import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { emptyFolder } from "../../support/run.ts";
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
  /** Nothing listens there. */
  refusing: 30,
  /** This machine has no way there. */
  unreachable: 40,
  /** The first SYN of each port is lost. */
  losing: 60,
  /** Packets of more than 1,400 bytes are lost, and nobody says so. */
  narrow: 70,
} as const;

/** A network to make. By default this machine has both families, and a DNS server answers at once that no name exists. */
export type Wanted = Partial<Omit<Setting, "folder">>;

/** What a command did. Times are in milliseconds. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** From the last output to the end of the process. */
  readonly lingeredMs: number;
}

/** Whether a command went on after its last output, as one does that waits for lookups: for longer than all that it did before. */
export const lingers = ({ ms, lingeredMs }: Ran): boolean => lingeredMs > ms / 2;

/** A network of its own, with everything in it. */
export interface Network extends AsyncDisposable {
  /** The arguments that make the program, or curl, trust the CA of the servers. */
  readonly trusting: Readonly<Record<"ours" | "curl", readonly string[]>>;
  /** Runs a command with these variables and this standard input. */
  readonly run: (
    command: readonly string[],
    environment?: Readonly<Record<string, string>>,
    input?: string,
  ) => Promise<Ran>;
}

/** A run that takes longer is killed: longer than every deadline here and what may follow it. */
const killAfterMs = 15_000;

/** Makes a network. It ends when it is disposed of, or with this process. Throws if it cannot be made. */
export async function openNetwork(wanted: Wanted = {}): Promise<Network> {
  const folder = mkdtempSync(join(tmpdir(), "referral-auth-network-"));
  const setting: Setting = {
    folder,
    zone: {},
    ipv4: true,
    ipv6: "global",
    nameservers: ["127.0.0.1"],
    options: "",
    hosts: "",
    bundle: null,
    ...wanted,
  };
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
  const authority = join(folder, "ca.pem");
  const isNamed = setting.bundle === null;
  return {
    trusting: {
      ours: isNamed ? ["--ca-cert", authority] : [],
      curl: isNamed ? ["--cacert", authority] : [],
    },
    run: async (command, environment = {}, input = "") => {
      const spaces = [`--net=/proc/${world.pid}/ns/net`, `--mount=/proc/${world.pid}/ns/mnt`];
      const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8", HOME: emptyFolder, ...environment };
      const began = performance.now();
      const child = spawn("nsenter", [...spaces, "--", ...command], { env, stdio: "pipe", detached: true });
      child.stdin.on("error", () => {}).end(input);
      const output = { stdout: "", stderr: "" };
      let last = began;
      for (const name of ["stdout", "stderr"] as const) {
        child[name].on("data", (chunk) => {
          output[name] += chunk;
          last = performance.now();
        });
      }
      // With all that it started: its process group.
      const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), killAfterMs);
      const [[code], end] = await Promise.all([
        once(child, "close"),
        once(child, "exit").then(() => performance.now()),
      ]);
      clearTimeout(timer);
      return { exitCode: code ?? -1, ...output, ms: end - began, lingeredMs: end - last };
    },
    [Symbol.asyncDispose]: async () => {
      world.stdin.end();
      if (world.exitCode === null) await once(world, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}
