import { expect, test } from "vitest";
import type { TriedAddress } from "../../../src/http/record.ts";
import { failed } from "../../support/exchanges.ts";
import { tried } from "./exchanges.ts";
import { explained } from "./found.ts";
import { expectWords, type Words } from "./words.ts";

const lower = "Lower --concurrency";
const noDns = "Look up another name: if that fails too, check this machine's network and its DNS servers";
const routes = "Check the routes and the firewall of this machine";
const check = "Check the host and the port of the base URL (now set by the default)";

test.each<readonly [string, ...Words]>([
  [
    "ENOTFOUND",
    "api.example.com does not exist: this machine's DNS knows no such name (ENOTFOUND)",
    "Check the spelling of the host of the base URL (now set by the default), and whether you need a VPN or",
  ],
  ["ENODATA", "api.example.com exists in DNS, but has no address (ENODATA)", "Check the host of the base"],
  ["EAI_AGAIN", "DNS gave no answer for api.example.com (EAI_AGAIN)", noDns],
  ["EAI_FAIL", "DNS gave no answer for api.example.com (EAI_FAIL)", noDns],
  ["EAI_MEMORY", "api.example.com could not be looked up (EAI_MEMORY)", noDns],
  ["EMFILE", "this process may open no more files and connections (EMFILE)", lower],
  [
    "ERR_ACCESS_DENIED",
    "the permissions of this Node.js forbid it the network (ERR_ACCESS_DENIED)",
    "Start Node.js with --allow-net",
  ],
  [
    "NOT_LOOPBACK",
    "localhost leads to an address of another machine (NOT_LOOPBACK); nothing was sent",
    "Check",
  ],
])("a lookup that failed with %s: %s", (code, ...words) => {
  expectWords({ exchange: failed({ step: "lookup", code }) }, words);
});

const v6 = "2001:db8::1";
const v4 = "192.0.2.7";
test.each<readonly [string, readonly TriedAddress[], ...Words]>([
  [
    "ECONNREFUSED",
    tried([v4, "ECONNREFUSED"]),
    "api.example.com (192.0.2.7) port 443 refused the connection (ECONNREFUSED)",
    `${check}: nothing listens there, or a firewall rejects the connection`,
  ],
  [
    "ECONNREFUSED",
    tried([v6, "ENETUNREACH"], [v4, "ECONNREFUSED"]),
    "port 443: [2001:db8::1] cannot be reached from this machine (ENETUNREACH); 192.0.2.7 refused the connection (ECONNREFUSED)",
    `${check}: nothing listens there`,
  ],
  [
    "ECONNREFUSED",
    tried(...[5, 4, 3, 2, 1].map((last) => [`192.0.2.${last}`, "ECONNREFUSED"] as const)),
    "443: 192.0.2.1, 192.0.2.2, 192.0.2.3 and 2 more refused the connection (ECONNREFUSED)",
    check,
  ],
  [
    "ETIMEDOUT",
    tried([v4, "ETIMEDOUT"]),
    "api.example.com (192.0.2.7) port 443 did not answer (ETIMEDOUT)",
    `${check}, whether a firewall drops or rejects the connection, and whether you need a VPN or a proxy (--proxy)`,
  ],
  ["EHOSTUNREACH", tried([v4, "EHOSTUNREACH"]), "cannot be reached from this machine (EHOSTUNREACH)", routes],
  [
    "EACCES",
    tried([v4, "EACCES"]),
    "443 is forbidden by a route or a firewall of this machine (EACCES)",
    routes,
  ],
  ["EINVAL", tried([v4, "EINVAL"]), "port 443 could not be connected to (EINVAL)", check],
  [
    "ENETUNREACH",
    tried([v6, "ENETUNREACH"]),
    "api.example.com has only IPv6 addresses ([2001:db8::1]), and this machine has no IPv6 route there (ENETUNREACH)",
    "Check whether this machine's network has IPv6, and whether you need a VPN or a proxy",
  ],
  [
    "ENETUNREACH",
    tried([v4, "ENETUNREACH"]),
    "has only IPv4 addresses (192.0.2.7), and this machine has no IPv4 route there (ENETUNREACH)",
    "Check whether this machine's network has IPv4",
  ],
  [
    "EADDRNOTAVAIL",
    tried([v6, "EADDRNOTAVAIL"], ["2001:db8::2", "ENETUNREACH"]),
    "only IPv6 addresses ([2001:db8::1] and [2001:db8::2]), and this machine has no IPv6 route there (EADDRNOTAVAIL)",
    "Check whether",
  ],
  [
    "ENETUNREACH",
    tried([v6, "ENETUNREACH"], [v4, "ENETUNREACH"]),
    "this machine has no network: no route leads to api.example.com (192.0.2.7 and [2001:db8::1]; ENETUNREACH)",
    "Connect this machine to a network",
  ],
  [
    "EADDRNOTAVAIL",
    tried([v4, "EADDRNOTAVAIL"]),
    "no address or port left to connect from (EADDRNOTAVAIL)",
    lower,
  ],
  ["ENFILE", tried([v4, "ENFILE"]), "this machine may open no more files and connections (ENFILE)", lower],
])("a connection that failed with %s, %j: %s", (code, addresses, ...words) => {
  expectWords({ exchange: failed({ code }, { tried: addresses }) }, words);
});

test("a literal address is no name, and stands in brackets if it is IPv6", () => {
  const literal = (code: string) =>
    explained({
      url: `https://[${v6}]/v1/test-authentication`,
      exchange: failed({ code }, { tried: tried([v6, code]) }),
    }).headline;
  expect(literal("ECONNREFUSED")).toBe("[2001:db8::1] port 443 refused the connection (ECONNREFUSED)");
  expect(literal("EADDRNOTAVAIL")).toBe(
    "[2001:db8::1] needs IPv6, and this machine has no IPv6 route there (EADDRNOTAVAIL)",
  );
});

test("DNS changes the order of addresses, and equal failures read the same", () => {
  const headline = (...addresses: readonly string[]) =>
    explained({
      exchange: failed(
        { code: "ECONNREFUSED" },
        {
          tried: tried(...addresses.map((one) => [one, "ECONNREFUSED"] as const)),
        },
      ),
    }).headline;
  expect(headline("192.0.2.1", "192.0.2.2")).toBe(headline("192.0.2.2", "192.0.2.1"));
});
