import { expect } from "vitest";
import { base, type Case, shell } from "./cases.ts";
import { ipv4, to } from "./network.ts";
import { apiName, portOf } from "./services.ts";

const addresses = [ipv4(to.server)];
const served = { zone: { [apiName]: { addresses } } };
/** What none of these may blame. */
const network = [/between this machine and the API/, /Check .*network/, /firewall/];

/** What is wrong, or only unusual, on this machine. */
export const machineCases: readonly Case[] = [
  {
    row: "13",
    name: "an international name is reached, and the report has its xn-- form",
    network: { zone: { "xn--bcher-kva.example": { addresses } } },
    url: base(443, "bücher.example"),
    curl: [0],
    ours: { exit: 0, facts: { "request.url": expect.stringContaining("xn--bcher-kva.example") } },
  },
  ...(["20", undefined] as const).map(
    (node): Case => ({
      row: "13",
      name: `the system trusts the CA, under ${node === undefined ? "the Node of the tests" : `Node ${node}`}`,
      network: { ...served, bundle: "/etc/ssl/certs/ca-certificates.crt" },
      ...(node && { node }),
      curl: [0],
      ours: { exit: 0 },
    }),
  ),
  {
    row: "rule: the system's certificates",
    name: "SSL_CERT_FILE names the bundle, under Node 20",
    network: { ...served, bundle: "/etc/issue" },
    environment: { SSL_CERT_FILE: "/etc/issue" },
    node: "20",
    curl: [0],
    ours: { exit: 0 },
  },
  ...(["20", "22"] as const).map(
    (node): Case => ({
      row: "14",
      name: `no memory for WebAssembly, under Node ${node}`,
      network: served,
      node,
      within: shell('ulimit -v 4000000; exec "$@"'),
      curl: [0],
      ours: { exit: 1, says: [/This is a bug/], never: network },
    }),
  ),
  {
    row: "14",
    name: "no WebAssembly at all: --jitless",
    network: served,
    environment: { NODE_OPTIONS: "--jitless" },
    curl: [0],
    ours: { exit: 1, says: [/This is a bug/], never: network },
  },
  {
    row: "14",
    name: "Node has no permission for the network",
    network: served,
    node: "26",
    environment: { NODE_OPTIONS: "--permission --allow-fs-read=*" },
    curl: [0],
    ours: { exit: 7, says: [/permission|--allow-net/i], never: network },
  },
  {
    row: "14",
    name: "the user has no entry in the password database, and no home folder",
    network: { ...served, files: { "/etc/passwd": "" } },
    within: ["env", "--unset=HOME"],
    curl: [0],
    ours: { exit: 0 },
  },
  {
    row: "rule: the server is reached",
    name: "a slow answer is no failure",
    network: served,
    url: base(portOf.late),
    curl: [0],
    ours: { exit: 0 },
  },
];
