import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { authorityCertificate, names, signed, success } from "../faults/authority.ts";
import { type Identity, identity } from "../faults/certificates.ts";
import { securing } from "../faults/peers.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { built, ways } from "../support/run.ts";

// These hold on every line of Node, so the modes of other lines run them too.

const root = { commonName: "Root CA", ...identity({ commonName: "Root CA" }) };
const middle = { commonName: "Middle CA", ...identity({ commonName: "Middle CA" }, root) };
const leaf = identity({ commonName: "api", names }, middle);
const sibling = identity({ commonName: "sibling", names }, middle);
const oldRoot = { commonName: "Old CA", ...identity({ commonName: "Old CA", validTo: new Date(1.7e12) }) };
const ofOldRoot = identity({ commonName: "api", names }, oldRoot);
const withMiddle: Identity = { key: leaf.key, cert: leaf.cert + middle.cert };
const damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const { cert: other } = identity({ commonName: "Other CA" });
const named = (name: string): Identity => signed({ names: [name] });

type Row = readonly [what: string, served: Identity, file: string, exit: number, says: string];
const rows: readonly Row[] = [
  ["a root", withMiddle, root.cert, 0, ""],
  ["a root, without the CA in between", leaf, root.cert, 7, "came alone"],
  ["the CA that issued, which the server sends", withMiddle, middle.cert, 0, ""],
  ["the CA that issued, which the server does not send", leaf, middle.cert, 0, ""],
  ["the server's own certificate", leaf, leaf.cert, 0, ""],
  ["the certificate of another server of the same CA", withMiddle, sibling.cert, 7, "not known here"],
  ["a root that has expired", ofOldRoot, oldRoot.cert, 7, "Replace it in --ca-cert"],
  ["a damaged block before it", withMiddle, damaged + root.cert, 3, "block 1 of 2 (line 1) cannot be read"],
  [
    "a certificate for the name 127.0.0.1",
    named("DNS:127.0.0.1"),
    authorityCertificate,
    7,
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
  ["a certificate for the address 127.0.0.1", named("IP:127.0.0.1"), authorityCertificate, 0, ""],
];

describe.each(ways)("--ca-cert, %s:", (_, run) => {
  test.each(rows)("%s", async (_, served, file, exit, says) => {
    const peer = await securing(served, success);
    const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: peer.url };
    const path = join(folderWith({ "ca.pem": file }), "ca.pem");
    const result = await run(["test", "--ca-cert", path], { environment });
    expect([result.exitCode, peer.requests()], result.everything).toEqual([exit, exit === 0 ? 1 : 0]);
    expect(result.everything.replace(/\n\s+/g, " ")).toContain(says);
  });
});

describe.each(ways)("SSL_CERT_FILE, %s:", (_, run) => {
  test.each<[what: string, only: string, file: string | null, exit: number]>([
    ["is trusted", authorityCertificate, null, 0],
    ["holds no certificate, and nothing else is trusted", "", null, 7],
    ["holds another, and nothing else is trusted", other, null, 7],
    ["holds another, beside --ca-cert", other, authorityCertificate, 0],
    ["is trusted beside --ca-cert", authorityCertificate, other, 0],
  ])("%s", async (_, only, file, exit) => {
    const folder = folderWith({ "only.pem": only, "ca.pem": file ?? "" });
    const peer = await securing(signed(), success);
    const variables = { SSL_CERT_FILE: join(folder, "only.pem") };
    // The process reads it, and tests in this process share theirs.
    for (const [name, value] of built ? [] : Object.entries(variables)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: peer.url, ...variables };
    const args = file === null ? [] : ["--ca-cert", join(folder, "ca.pem")];
    const { exitCode, checks } = await run(["test", "--json", ...args], { environment });
    expect([exitCode, peer.requests()]).toEqual([exit, exit === 0 ? 1 : 0]);
    const ids = checks.flatMap(({ findings }) => findings.map(({ id }) => id));
    expect(ids.includes("other-settings")).toBe(exit === 7);
  });
});
