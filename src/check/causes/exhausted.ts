import { type Fix, fix, flag } from "../../settings/fix.ts";
import type { Problem } from "./evidence.ts";

const machineFull = [
  "this machine may open no more files and connections",
  fix`Lower ${flag("concurrency")}, and see which programs of this machine keep so many open`,
] as const;

// What this machine ran out of or forbids.
const limits: Readonly<Record<string, readonly [what: string, advice: Fix]>> = {
  EMFILE: [
    "this process may open no more files and connections",
    fix`Lower ${flag("concurrency")}, or raise the limit of open files (ulimit -n)`,
  ],
  ENFILE: machineFull,
  ENOBUFS: machineFull,
  EADDRNOTAVAIL: [
    "this machine has no address or port left to connect from",
    fix`Lower ${flag("concurrency")}, and wait a minute until closed connections give back their ports; for an IPv6 address, check that this machine has one`,
  ],
  ERR_ACCESS_DENIED: [
    "the permissions of this Node.js forbid it the network",
    fix`Start Node.js with --allow-net, or without --permission; NODE_OPTIONS may set it`,
  ],
};

/** A problem that comes from a limit of this machine; null for every other code. */
export function exhausted(problem: string, code: string): Problem | null {
  const [what, advice] = limits[code] ?? [];
  return advice === undefined ? null : { headline: `${problem}: ${what} (${code})`, fix: advice };
}
