import { expect } from "vitest";
import { base, type Case } from "./cases.ts";
import { ipv4, ipv6, to } from "./network.ts";
import { apiName, portOf } from "./services.ts";

const server = { addresses: [ipv4(to.server)] };
const number: unknown = expect.any(Number);
/** A time that the deadline of three seconds leaves no doubt about. */
const mostOfTheTime: unknown = expect.toSatisfy((ms: number) => ms > 1_500);

/** What DNS says, does not say, or says late; and where the time of a deadline went. */
export const nameCases: readonly Case[] = [
  {
    row: "rule: a name",
    name: "it does not exist",
    curl: [6],
    ours: {
      exit: 7,
      facts: {
        "failure.step": "lookup",
        "failure.code": "ENOTFOUND",
        "connection.address": null,
        "connection.tried": [],
      },
      says: [/no host|does not exist/],
    },
  },
  {
    row: "rule: a name",
    name: "DNS fails",
    network: { zone: { [apiName]: { fails: "SERVFAIL" } }, options: "timeout:1 attempts:1" },
    curl: [6],
    ours: {
      exit: 7,
      facts: { "failure.step": "lookup", "failure.code": "EAI_AGAIN" },
      says: [/DNS/],
      never: [/no host/],
    },
  },
  ...(["22", undefined] as const).map(
    (node): Case => ({
      row: "2",
      name: `DNS is dead, and the process ends at its deadline, ${node === undefined ? "the Node of the tests" : `Node ${node}`}`,
      network: { nameservers: [ipv4(to.blackHole)] },
      ...(node && { node }),
      curl: [28],
      ours: {
        exit: 8,
        facts: {
          "failure.step": "lookup",
          "connection.steps.lookup": mostOfTheTime,
          "connection.steps.connect": null,
        },
        says: [/DNS/],
        never: [/no host/, /server is slow/],
      },
    }),
  ),
  {
    row: "rule: a name",
    name: "the first name server is dead",
    network: {
      zone: { [apiName]: server },
      nameservers: [ipv4(to.blackHole), "127.0.0.1"],
      options: "timeout:1",
    },
    curl: [0],
    ours: { exit: 0, facts: { "connection.steps.lookup": expect.toSatisfy((ms: number) => ms > 900) } },
  },
  {
    row: "9",
    name: "the lookup took most of the deadline, and then the server is slow",
    network: { zone: { [apiName]: { ...server, delayMs: 2_000 } } },
    url: base(portOf.slow),
    curl: [28],
    ours: {
      exit: 8,
      facts: { "failure.step": "response", "connection.steps.lookup": mostOfTheTime },
      says: [/look-?up|DNS/],
      never: [/server is slow/],
    },
  },
  {
    row: "rule: a deadline",
    name: "the server had the request and nearly all of the time",
    network: { zone: { [apiName]: server } },
    url: base(portOf.slow),
    curl: [28],
    ours: {
      exit: 8,
      facts: {
        "failure.step": "response",
        "connection.steps": {
          ...{ lookup: number, connect: number, proxy: null, tls: number, request: number },
          response: mostOfTheTime,
        },
      },
      says: [/slow|overloaded/],
    },
  },
  {
    row: "rule: a deadline",
    name: "no connection before the deadline: the report names the address that is silent",
    network: { zone: { [apiName]: { addresses: [ipv4(to.blackHole)] } } },
    curl: [28],
    ours: {
      exit: 8,
      facts: {
        "failure.step": "connect",
        "connection.tried": [{ address: ipv4(to.blackHole), code: null, ms: mostOfTheTime }],
        "connection.steps": expect.objectContaining({
          connect: mostOfTheTime,
          tls: null,
          request: null,
          response: null,
        }),
      },
      says: [/198\.51\.100\.20/],
      never: [/server is slow/],
    },
  },
  {
    row: "rule: the JSON value",
    name: "a plain check has the address and the time of each step, and tried nothing else",
    network: { zone: { [apiName]: server } },
    curl: [0],
    ours: {
      exit: 0,
      facts: {
        connection: {
          ...{ address: ipv4(to.server), port: 443, proxy: null, tried: [] },
          steps: {
            lookup: number,
            connect: number,
            proxy: null,
            tls: number,
            request: number,
            response: number,
          },
          certificateExpiresAt: expect.stringMatching(/^20.*Z$/),
        },
      },
    },
  },
  {
    row: "rule: the JSON value",
    name: "--verbose shows no field as sent when nothing was, and the address",
    network: { zone: { [apiName]: { addresses: [ipv6(to.refusing)] } } },
    args: ["--verbose"],
    curl: [7],
    ours: { exit: 7, says: [/2001:db8::30/], never: [/^\s*> [\w-]+: /m] },
  },
];
