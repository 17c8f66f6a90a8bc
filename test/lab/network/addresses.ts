import { expect } from "vitest";
import { base, type Case } from "./cases.ts";
import { ipv4, ipv6, to, type Wanted } from "./network.ts";
import { apiName } from "./services.ts";

const nameWith = (...addresses: readonly string[]): Wanted => ({ zone: { [apiName]: { addresses } } });
const tried = (address: string, code: unknown = expect.any(String)): unknown =>
  expect.arrayContaining([expect.objectContaining({ address, code })]);
const noProxyAdvice = /whether you need a proxy/;

/** Every address gets its chance, and each is named with what it did. */
export const addressCases: readonly Case[] = [
  {
    row: "1",
    name: "no IPv6 route, and the round trip takes 300 ms",
    network: { ...nameWith(ipv6(to.server), ipv4(to.far)), ipv6: "link" },
    curl: [0],
    ours: {
      exit: 0,
      facts: {
        "connection.address": ipv4(to.far),
        "connection.port": 443,
        "connection.proxy": null,
        "connection.tried": tried(ipv6(to.server), "ENETUNREACH"),
        "connection.steps.proxy": null,
        "connection.steps.lookup": expect.any(Number),
      },
    },
  },
  {
    row: "1",
    name: "no IPv6 route, and the first SYN is lost, from each attempt of --retry",
    network: { ...nameWith(ipv6(to.server), ipv4(to.losing)), ipv6: "link" },
    args: ["--retry", "1"],
    curl: [0],
    ours: { exit: 0, facts: { "request.attempts": 1, "connection.address": ipv4(to.losing) } },
  },
  {
    row: "1",
    name: "two addresses are 300 ms away, and to a third there is no way",
    network: nameWith(ipv6(to.far), ipv4(to.far), ipv4(to.unreachable)),
    curl: [0],
    ours: { exit: 0, facts: { "connection.address": expect.stringMatching(/::50|\.50/) } },
  },
  {
    row: "1",
    name: "IPv6 is a black hole, and IPv4 is far",
    network: nameWith(ipv6(to.blackHole), ipv4(to.far)),
    curl: [0],
    ours: {
      exit: 0,
      facts: { "connection.tried": tried(ipv6(to.blackHole), null) },
    },
  },
  {
    row: "rule: every address",
    name: "an earlier attempt stays alive: its SYN was lost, and all the others lead nowhere",
    network: nameWith(ipv4(to.losing), ipv4(to.blackHole), ipv4(to.blackHole + 1)),
    curl: [0, 28],
    ours: { exit: 0, facts: { "connection.address": ipv4(to.losing) } },
  },
  {
    row: "rule: every address",
    name: "the next attempt begins at once when one fails",
    network: nameWith(ipv4(to.refusing), ipv4(to.refusing + 1), ipv4(to.refusing + 2), ipv4(to.server)),
    curl: [0],
    ours: {
      exit: 0,
      facts: {
        "connection.address": ipv4(to.server),
        "connection.tried": [30, 31, 32].map((last) =>
          expect.objectContaining({ address: ipv4(last), code: "ECONNREFUSED" }),
        ),
      },
    },
  },
  ...(["0.0.0.0", "127.0.0.1"] as const).map(
    (address): Case => ({
      row: "5",
      name: `the hosts file leads to ${address}`,
      network: { hosts: `${address} ${apiName}\n` },
      curl: [7],
      ours: {
        exit: 7,
        facts: {
          "failure.step": "connect",
          "failure.code": "ECONNREFUSED",
          "connection.address": null,
          "connection.tried": tried(address, "ECONNREFUSED"),
        },
        says: [new RegExp(address.replaceAll(".", "\\.")), /hosts file/i, /DNS/],
        never: [noProxyAdvice, /that the server runs/],
      },
    }),
  ),
  {
    row: "5",
    name: "a DNS filter answers with 0.0.0.0 and ::",
    network: nameWith("0.0.0.0", "::0"),
    curl: [7],
    ours: { exit: 7, says: [/0\.0\.0\.0/, /DNS filter|filter/i], never: [/that the server runs/] },
  },
  ...(["unreachable", "forbidden"] as const).map(
    (kind): Case => ({
      row: "5",
      name: `a rule of the network rejects: ${kind}`,
      network: nameWith(ipv4(to[kind])),
      curl: [7],
      ours: {
        exit: 7,
        facts: { "failure.step": "connect", "connection.tried": tried(ipv4(to[kind])) },
        says: [new RegExp(`198\\.51\\.100\\.${to[kind]}`)],
        never: [/nothing listens/],
      },
    }),
  ),
  {
    row: "5",
    name: "the address that refuses is in the sentence",
    network: nameWith(ipv4(to.refusing)),
    curl: [7],
    ours: { exit: 7, says: [/198\.51\.100\.30/, /refused/] },
  },
  {
    row: "12",
    name: "IPv6 is a black hole, and IPv4 refuses",
    network: nameWith(ipv6(to.blackHole), ipv4(to.refusing)),
    curl: [7, 28],
    ours: {
      exit: 8,
      facts: {
        "failure.step": "connect",
        "connection.address": null,
        "connection.tried": expect.arrayContaining([
          expect.objectContaining({ address: ipv4(to.refusing), code: "ECONNREFUSED" }),
          expect.objectContaining({ address: ipv6(to.blackHole), code: null }),
        ]),
      },
      says: [/198\.51\.100\.30/, /refused/, /2001:db8::20/],
    },
  },
  {
    row: "8",
    name: "only IPv6 addresses, and no IPv6 here",
    network: { ...nameWith(ipv6(to.server)), ipv6: "none" },
    curl: [6, 7],
    ours: { exit: 7, says: [/IPv6/], never: [/there is no host/, /spelling/] },
  },
  {
    row: "8",
    name: "only IPv4 addresses, and no IPv4 here",
    network: { ...nameWith(ipv4(to.server)), ipv4: false },
    curl: [6, 7],
    ours: { exit: 7, says: [/IPv4/], never: [/there is no host/, /spelling/] },
  },
  {
    row: "8",
    name: "only IPv6 addresses, and no route for them",
    network: { ...nameWith(ipv6(to.server)), ipv6: "link" },
    curl: [7],
    ours: { exit: 7, says: [/2001:db8::10/, /IPv6/], never: [/there is no host/] },
  },
  {
    row: "13",
    name: "an IPv6 literal, and no IPv6 here",
    network: { ipv6: "none" },
    url: base(443, `[${ipv6(to.server)}]`),
    curl: [7],
    ours: {
      exit: 7,
      facts: { "failure.step": "connect", "connection.steps.lookup": null },
      says: [/IPv6/, /2001:db8::10/],
      never: [/--concurrency/],
    },
  },
];
