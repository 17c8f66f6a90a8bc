// Why a name has no address, and why no address became a connection. What the system says of this machine is quoted.

import { getSystemErrorMap } from "node:util";
import type { TriedAddress } from "../../http/record.ts";
import { type Fix, fix, flag } from "../../settings/fix.ts";
import { isLoopbackAddress, shownHost } from "../../system/addresses.ts";
import type { Cause } from "../check-context.ts";
import type { FailureRow, Peer } from "./peer.ts";

// The API's server and a proxy fail in the same ways until a connection is made. If the code is null, the deadline passed.

/** What to do where DNS does not answer, or not for a long time. */
export const checkDns = fix`Look up another name: if that fails too, check this machine's network and its DNS servers`;

/** What to do where the network is slow. */
export const checkNetwork = fix`Check this machine's network: it is slow or loses packets`;

// What the system says of this machine, and not of the network.
const onThisMachine = /^(?:EMFILE|ENFILE|ENOBUFS|ENOMEM|EADDRNOTAVAIL|EACCES|EPERM)$/;
const mendHere = fix`Mend what the system or Node.js says of this machine; a lower ${flag("concurrency")} opens fewer connections at once`;

/** A code and what it means: `reason` if the error gave one, or else the system's own words. "EMFILE: too many open files". */
function codeInWords(code: string, reason = ""): string {
  const [, words = ""] = [...getSystemErrorMap().values()].find(([name]) => name === code) ?? [];
  return reason === "" && words === "" ? code : `${code}: ${reason || words}`;
}

// A name without a dot, or below a top level that is no public one (RFC 6762; ICANN, 2024-07-29).
const isLocalName = (host: string): boolean => /^[^.]+\.?$|\.(?:local|internal)\.?$/i.test(host);

/** Why a name has no address. */
export const lookupCause: FailureRow = ({
  failure: { code, reason },
  peer: { host, name, setting, otherWay },
}) => {
  const local = fix`Check the host of ${setting}: such a name is known in one network alone, as that of Docker, Kubernetes or a company; run this inside it, or write a name that is known outside`;
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
        fix: isLocalName(host)
          ? local
          : fix`Check the spelling of the host of ${setting}, and whether you need ${otherWay} to reach it`,
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
        fix: isLocalName(host) ? local : fix`${checkDns}; else tell the operator of this name's DNS`,
      };
    default:
      return { headline: `${name} could not be looked up (${codeInWords(code, reason)})`, fix: mendHere };
  }
};

const did: Readonly<Record<string, string>> = {
  ETIMEDOUT: "did not answer",
  ECONNREFUSED: "refused the connection",
};

const didOf = ({ code }: TriedAddress): string =>
  code === null
    ? "did not answer"
    : did[code] === undefined
      ? `could not be connected to (${codeInWords(code)})`
      : `${did[code]} (${code})`;

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
  // Node.js threw the error, or what guards a test's network did.
  if (reason !== "")
    return {
      headline: `${peer.at(null)} could not be connected to (${codeInWords(code ?? "", reason)})`,
      fix: mendHere,
    };
  const isOneFamily = new Set(tried.map(familyOf)).size === 1;
  if (isOneFamily && tried.every(isWithoutRoute)) return noRoute(peer, tried, code);
  const isHere = isLoopbackAddress(peer.host) || /^localhost\.?$/i.test(peer.host);
  const container = isHere ? "; in a container, such an address is the container's own" : "";
  return {
    headline: triedAddresses(peer, tried),
    fix:
      code === "ECONNREFUSED"
        ? fix`${checkHostAndPort(peer)}: nothing listens there, or a firewall rejects${container}`
        : onThisMachine.test(code ?? "")
          ? mendHere
          : fix`${checkHostAndPort(peer)}, the routes and firewalls on the way, and whether you need ${otherWay}`,
  };
};

/** The first thing to do where nothing answers, or something else. */
export const checkHostAndPort = ({ setting }: Peer): Fix => fix`Check host and port of ${setting}`;
