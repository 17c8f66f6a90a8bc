import { expect } from "vitest";
import { base, type Case, type Expected } from "./cases.ts";
import { ipv4, to } from "./network.ts";
import { apiName, portOf } from "./services.ts";

const served = { zone: { [apiName]: { addresses: [ipv4(to.server)] } } };
const caAdvice = /--ca-cert/;
const clientCertificate = /client certificate/;
const lostPackets: Pick<Expected, "findings"> = { findings: { "lost-packets": "possible" } };

/** A failed handshake with the service of this port. */
const fails = (
  row: string,
  name: string,
  port: number,
  curl: readonly number[],
  ours: Omit<Expected, "exit">,
): Case => ({
  ...{ row, name, curl, network: served, url: base(port) },
  ours: {
    exit: 7,
    ...ours,
    facts: { "failure.step": "tls", "connection.address": ipv4(to.server), ...ours.facts },
  },
});

/** What comes back in a handshake, and whose certificate it is. */
export const handshakeCases: readonly Case[] = [
  ...(
    [
      ["a hotspot answers with a certificate of its own", portOf.hotspot],
      ["a firewall answers with a certificate of its own CA, for another name", portOf.firewall],
    ] as const
  ).map(([name, port]) =>
    fails("6", name, port, [60], { says: [/login|firewall|default certificate/i], never: [caAdvice] }),
  ),
  fails("6", "a certificate that is signed by itself, and for this host", portOf.selfSigned, [60], {
    says: [caAdvice],
  }),
  {
    row: "7",
    name: "packets of more than 1,400 bytes are lost",
    network: { zone: { [apiName]: { addresses: [ipv4(to.narrow)] } } },
    curl: [0],
    ours: {
      exit: 8,
      ...lostPackets,
      facts: { "failure.step": "tls", "connection.address": ipv4(to.narrow) },
    },
  },
  ...(["resetsLargeHello", "endsLargeHello"] as const).map((device) =>
    fails("7", `a device ${device.slice(0, -10)} a large ClientHello`, portOf[device], [0], lostPackets),
  ),
  fails("10", "no cipher or group in common: an alert alone", portOf.nothingInCommon, [35], {
    says: [/cipher/, /group|curve/],
    never: [clientCertificate, caAdvice],
  }),
  fails("rule: what came back", "an alert alone: no version in common", portOf.oldVersion, [35], {
    findings: { "tls-version": "measured" },
    never: [clientCertificate],
  }),
  fails("rule: what came back", "a client certificate is wanted", portOf.wantsCertificate, [35, 56], {
    says: [clientCertificate],
    never: [/cipher/],
  }),
  fails("rule: what came back", "not TLS at all", portOf.noTls, [35], {
    findings: { "not-tls": "measured" },
    never: [clientCertificate, caAdvice],
  }),
  ...(
    [
      ["nothing", portOf.silent, [clientCertificate, caAdvice]],
      ["a part", portOf.partOfHandshake, [clientCertificate, caAdvice, /speaks TLS/]],
    ] as const
  ).map(
    ([name, port, never]): Case => ({
      ...{
        row: "rule: what came back",
        name: `${name}, and then silence`,
        network: served,
        url: base(port),
        curl: [28],
      },
      ours: {
        exit: 8,
        facts: {
          "failure.step": "tls",
          "connection.address": ipv4(to.server),
          "connection.steps.tls": expect.any(Number),
        },
        says: [/198\.51\.100\.10/],
        never: [...never, /server is slow/],
      },
    }),
  ),
];
