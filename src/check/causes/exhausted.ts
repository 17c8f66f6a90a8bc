import { type Fix, fix, flag } from "../../settings/fix.ts";

/** What this machine ran out of or forbids, in words and with what to do; null for every other code. */
export function exhausted(code: string): { readonly what: string; readonly fix: Fix } | null {
  switch (code) {
    case "EMFILE":
      return {
        what: "this process may open no more files and connections",
        fix: fix`Lower ${flag("concurrency")}, or raise the limit of open files (ulimit -n)`,
      };
    case "ENFILE":
    case "ENOBUFS":
      return {
        what: "this machine may open no more files and connections",
        fix: fix`Lower ${flag("concurrency")}, and see which programs of this machine keep so many open`,
      };
    case "EADDRNOTAVAIL":
      return {
        what: "this machine has no address or port left to connect from",
        fix: fix`Lower ${flag("concurrency")}, and wait a minute until closed connections give back their ports; for an IPv6 address, check that this machine has one`,
      };
    case "ERR_ACCESS_DENIED":
      return {
        what: "the permissions of this Node.js forbid it the network",
        fix: fix`Start Node.js with --allow-net, or without --permission; NODE_OPTIONS may set it`,
      };
    default:
      return null;
  }
}
