// Why a name has no address, and why no address became a connection.

import type { TriedAddress } from "../../http/record.ts";
import { type Fix, fix, flag } from "../../settings/fix.ts";
import { isLoopbackAddress, shownHost } from "../../system/addresses.ts";
import type { Cause } from "./evidence.ts";
import type { FailureRow, Peer } from "./peer.ts";

// The API's server and a proxy fail in the same ways until a connection is made. If the code is null, the deadline passed.

/** What to do where DNS does not answer, or not for a long time. */
export const checkDns = fix`Look up another name: if that fails too, check this machine's network and its DNS servers`;

/** What to do where the network is slow. */
export const checkNetwork = fix`Check this machine's network: it is slow or loses packets`;

const tooManyOpen = [
  "this process or this machine may open no more files and connections",
  fix`Lower ${flag("concurrency")}, or raise the limit of open files (ulimit -n)`,
] as const;

// What this machine ran out of or forbids.
const limits: Readonly<Record<string, readonly [what: string, advice: Fix]>> = {
  EMFILE: tooManyOpen,
  ENFILE: tooManyOpen,
  ENOBUFS: tooManyOpen,
  EADDRNOTAVAIL: [
    "this machine has no address or port left to connect from",
    fix`Lower ${flag("concurrency")}, and wait a minute until closed connections give back their ports`,
  ],
  ERR_ACCESS_DENIED: [
    "the permissions of this Node.js forbid it the network",
    fix`Start Node.js with --allow-net, or without --permission; NODE_OPTIONS may set it`,
  ],
};

/** The cause of a problem that comes from a limit of this machine; null for every other code. */
function exhausted(problem: string, code: string | null): Cause | null {
  const [what, advice] = limits[code ?? ""] ?? [];
  return advice === undefined ? null : { headline: `${problem}: ${what} (${code})`, fix: advice };
}

/** Why a name has no address. */
export const lookupCause: FailureRow = ({ failure: { code }, peer: { host, name, setting, otherWay } }) => {
  switch (code) {
    case null:
      return { headline: `DNS gave no answer for ${name}`, fix: checkDns };
    case "NOT_LOOPBACK":
      return {
        headline: `localhost leads to an address of another machine (${code}); nothing was sent`,
        fix: fix`Check the entry of localhost in this machine's hosts file and DNS, or write 127.0.0.1 or [::1]`,
      };
    case "ENOTFOUND":
      return {
        headline: `${name} does not exist in DNS (${code})`,
        fix: /\.(?!local$|svc$|internal$|cluster\.local$)[^.]+\.?$/i.test(host)
          ? fix`Check the spelling of the host of ${setting}, and whether you need ${otherWay} to reach it`
          : fix`Check the host of ${setting}: such a name is known in one network alone, as that of Docker, Kubernetes or a company; run this inside it, or write a name that is known outside`,
      };
    case "ENODATA":
      return {
        headline: `${name} exists in DNS, but has no address (${code})`,
        fix: fix`Check the host of ${setting}: a part may be missing, such as www or api; else ask who runs this name's DNS`,
      };
    case "EAI_AGAIN":
    case "EAI_FAIL":
      return {
        headline: `DNS gave no answer for ${name} (${code})`,
        fix: fix`${checkDns}; else tell the operator of this name's DNS`,
      };
    default: {
      const headline = `${name} could not be looked up`;
      return exhausted(headline, code) ?? { headline: `${headline} (${code})`, fix: checkDns };
    }
  }
};

const did: Readonly<Record<string, string>> = {
  ETIMEDOUT: "did not answer",
  ECONNREFUSED: "refused the connection",
  ENETUNREACH: "cannot be reached from this machine",
  EHOSTUNREACH: "cannot be reached from this machine",
  EACCES: "is forbidden by a route or a firewall of this machine",
  EPERM: "is forbidden by a route or a firewall of this machine",
};

const didOf = ({ code }: TriedAddress): string =>
  code === null ? "did not answer" : `${did[code] ?? "could not be connected to"} (${code})`;

// A name can have dozens of addresses.
const mostAddresses = 3;

/** Names addresses. DNS changes their order, and equal failures must read the same, so they are sorted. */
function listed(tried: readonly TriedAddress[]): string {
  const addresses = tried.map(({ address }) => shownHost(address)).sort();
  const shown = addresses.slice(0, mostAddresses);
  const more = addresses.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.join(", ").replace(/, (?=[^,]*$)/, " and ");
}

function triedAddresses(peer: Peer, tried: readonly TriedAddress[]): string {
  const [first] = tried;
  if (first !== undefined && tried.length === 1) return `${peer.at(first.address)} ${didOf(first)}`;
  const all = [...new Set(tried.map(didOf))].sort();
  const parts = all.map((what) => `${listed(tried.filter((one) => didOf(one) === what))} ${what}`);
  return `${peer.at(null)}: ${parts.join("; ")}`;
}

const familyOf = ({ address }: TriedAddress): "IPv6" | "IPv4" => (address.includes(":") ? "IPv6" : "IPv4");

/** Whether this machine has no route to the family of an address. For IPv4, EADDRNOTAVAIL means that no port is left. */
const isWithoutRoute = (one: TriedAddress): boolean =>
  one.code === "ENETUNREACH" ||
  one.code === "EAFNOSUPPORT" ||
  (one.code === "EADDRNOTAVAIL" && familyOf(one) === "IPv6");

function noRoute({ host, name, otherWay }: Peer, tried: readonly TriedAddress[], code: string | null): Cause {
  const [family = ""] = tried.map(familyOf);
  const needs = tried.some(({ address }) => address === host)
    ? `${name} needs ${family}`
    : `${name} has only ${family} addresses (${listed(tried)})`;
  return {
    headline: `${needs}, and this machine has no ${family} route there (${code})`,
    fix: fix`Check whether this machine's network has ${family}, and whether you need ${otherWay}`,
  };
}

/** Why no address became a connection. The code is the most telling one. */
export const connectCause: FailureRow = ({ failure: { code, reason }, connection: { tried }, peer }) => {
  const { otherWay } = peer;
  if (reason !== "")
    return {
      headline: `something in this process keeps it from connecting to ${peer.at(null)} (${code}: ${reason})`,
      fix: fix`Allow this host in what guards the network here, such as a set-up of your tests`,
    };
  const isOneFamily = new Set(tried.map(familyOf)).size === 1;
  if (isOneFamily && tried.every(isWithoutRoute)) return noRoute(peer, tried, code);
  return (
    exhausted(`no connection to ${peer.at(null)}`, code) ?? {
      headline: triedAddresses(peer, tried),
      fix:
        code === "ECONNREFUSED"
          ? fix`${checkHostAndPort(peer)}: nothing listens there, or a firewall rejects${
              isLoopbackAddress(peer.host) || /^localhost\.?$/i.test(peer.host)
                ? "; in a container, such an address is the container's own"
                : ""
            }`
          : fix`${checkHostAndPort(peer)}, the routes and firewalls on the way, and whether you need ${otherWay}`,
    }
  );
};

/** The first thing to do where nothing answers, or something else. */
export const checkHostAndPort = ({ setting }: Peer): Fix => fix`Check host and port of ${setting}`;
