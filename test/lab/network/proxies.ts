import { expect } from "vitest";
import { base, type Case } from "./cases.ts";
import { ipv4, ipv6, to, type Wanted } from "./network.ts";
import { apiName, portOf } from "./services.ts";

const proxyName = "proxy.example.com";
const withApi = (zone: Wanted["zone"] = {}): Wanted => ({
  zone: { [apiName]: { addresses: [ipv4(to.server)] }, ...zone },
  options: "timeout:1 attempts:1",
});
const proxyAt = (port: number, host: string = ipv4(to.server), scheme = "http"): string =>
  `${scheme}://${host}:${port}`;
const noMatter = /whether you need a proxy/;

/** What every failure of a proxy has: its step, the URL, and the place where it is set. */
const blamed = (exit: 7 | 8, host: string, ...never: readonly RegExp[]): Case["ours"] => ({
  exit,
  facts: { "failure.step": "proxy", "connection.proxy": expect.stringContaining(host) },
  says: [/HTTPS_PROXY/, new RegExp(host.replaceAll(".", "\\."))],
  never: [noMatter, ...never],
});

/** Failures at the proxy, and which proxy is used at all. */
export const proxyCases: readonly Case[] = [
  {
    row: "rule: each step has an owner",
    name: "through a proxy, its address and port are the socket's",
    network: withApi(),
    environment: { HTTPS_PROXY: proxyAt(portOf.proxy) },
    curl: [0],
    ours: {
      exit: 0,
      facts: {
        "connection.address": ipv4(to.server),
        "connection.port": portOf.proxy,
        "connection.proxy": expect.stringMatching(/^http:\/\/198\.51\.100\.10:3128\/?$/),
        "connection.steps": expect.objectContaining({
          lookup: null,
          connect: null,
          proxy: expect.any(Number),
        }),
      },
    },
  },
  {
    row: "4",
    name: "the proxy swallows packets",
    network: withApi(),
    environment: { HTTPS_PROXY: proxyAt(portOf.proxy, ipv4(to.blackHole)) },
    curl: [28],
    ours: blamed(8, "198.51.100.20"),
  },
  {
    row: "4",
    name: "nothing comes through the tunnel",
    network: withApi(),
    environment: { HTTPS_PROXY: proxyAt(portOf.deadTunnel) },
    curl: [28],
    ours: blamed(8, "198.51.100.10", /that the server speaks TLS/),
  },
  {
    row: "4",
    name: "an https:// proxy is silent",
    network: withApi(),
    environment: { HTTPS_PROXY: proxyAt(portOf.silent, ipv4(to.server), "https") },
    curl: [28],
    ours: blamed(8, "198.51.100.10", /that the server speaks TLS/),
  },
  {
    row: "4",
    name: "the proxy has no name in DNS",
    network: withApi(),
    environment: { HTTPS_PROXY: proxyAt(portOf.proxy, proxyName) },
    curl: [5],
    ours: blamed(7, proxyName),
  },
  {
    row: "4",
    name: "the DNS of the proxy's name is dead",
    network: { ...withApi({ [proxyName]: { fails: "silence" } }), options: "" },
    environment: { HTTPS_PROXY: proxyAt(portOf.proxy, proxyName) },
    timeout: 1,
    curl: [28],
    ours: blamed(8, proxyName),
  },
  {
    row: "rule: each step has an owner",
    name: "the proxy answers CONNECT with 403",
    network: withApi(),
    environment: { HTTPS_PROXY: proxyAt(portOf.refusingProxy) },
    curl: [56],
    ours: blamed(7, "198.51.100.10"),
  },
  {
    row: "rule: each step has an owner",
    name: "the proxy refuses, and its address is named",
    network: withApi({ [proxyName]: { addresses: [ipv4(to.refusing)] } }),
    environment: { HTTPS_PROXY: proxyAt(portOf.proxy, proxyName) },
    curl: [7],
    ours: { ...blamed(7, proxyName), says: [/HTTPS_PROXY/, /198\.51\.100\.30/] },
  },
  {
    row: "rule: a name",
    name: "the proxy has only IPv6 addresses, and no IPv6 here",
    network: { ...withApi({ [proxyName]: { addresses: [ipv6(to.server)] } }), ipv6: "none" },
    environment: { HTTPS_PROXY: proxyAt(portOf.proxy, proxyName) },
    curl: [5, 7],
    ours: { ...blamed(7, proxyName, /no host/), says: [/HTTPS_PROXY/, /IPv6/] },
  },
  {
    row: "13",
    name: "an https:// proxy answers in clear text",
    network: withApi(),
    environment: { HTTPS_PROXY: proxyAt(portOf.noTls, ipv4(to.server), "https") },
    curl: [35],
    ours: blamed(7, "198.51.100.10", /--ca-cert|\bCA\b/),
  },
  {
    row: "13",
    name: "DNS fails for the proxy's name",
    network: withApi({ [proxyName]: { fails: "SERVFAIL" } }),
    environment: { HTTPS_PROXY: proxyAt(portOf.proxy, proxyName) },
    curl: [5],
    ours: blamed(7, proxyName, /no host/),
  },
  {
    row: "11",
    name: "ALL_PROXY alone is named, where the way without it fails",
    network: { zone: { [apiName]: { addresses: [ipv4(to.blackHole)] } } },
    environment: { ALL_PROXY: proxyAt(portOf.proxy) },
    curl: [0],
    ours: { exit: 8, facts: { "connection.proxy": null }, says: [/ALL_PROXY/] },
  },
  {
    row: "11",
    name: "NO_PROXY has the network of the address",
    url: base(443, ipv4(to.server)),
    environment: { HTTPS_PROXY: proxyAt(portOf.proxy, ipv4(to.blackHole)), NO_PROXY: "198.51.0.0/16" },
    curl: [0],
    ours: { exit: 0, facts: { "connection.proxy": null } },
  },
  ...(
    [
      ["an entry of NO_PROXY", apiName, `${apiName}.`],
      ["the host", `${apiName}.`, apiName],
    ] as const
  ).map(
    ([what, host, entry]): Case => ({
      row: "11",
      name: `${what} ends with a dot`,
      network: withApi(),
      url: base(443, host),
      environment: { HTTPS_PROXY: proxyAt(portOf.proxy, ipv4(to.blackHole)), NO_PROXY: entry },
      curl: [0],
      ours: { exit: 0, facts: { "connection.proxy": null } },
    }),
  ),
];
