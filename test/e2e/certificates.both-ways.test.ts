import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { authorityCertificate, names, signed, success } from "../faults/authority.ts";
import { type Identity, identity } from "../faults/certificates.ts";
import { securing } from "../faults/peers.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { built, ways } from "../support/run.ts";
import { rcOf } from "./profiles.ts";

// These hold on every line of Node, so the modes of other lines run them too.

const root = { commonName: "Root CA", ...identity({ commonName: "Root CA" }) };
const middle = { commonName: "Middle CA", ...identity({ commonName: "Middle CA" }, root) };
const leaf = identity({ commonName: "api", names }, middle);
const sibling = identity({ commonName: "sibling", names }, middle);
const oldRoot = { commonName: "Old CA", ...identity({ commonName: "Old CA", validTo: new Date(1.7e12) }) };
const ofOldRoot = identity({ commonName: "api", names }, oldRoot);
const withMiddle: Identity = { key: leaf.key, cert: leaf.cert + middle.cert };
const withRoot: Identity = { key: leaf.key, cert: leaf.cert + middle.cert + root.cert };
const withOther: Identity = { key: leaf.key, cert: leaf.cert + authorityCertificate };
const damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const { cert: other } = identity({ commonName: "Other CA" });
const byteOrderMark = "\ufeff";
const windows = (text: string): string => text.replaceAll("\n", "\r\n");
const named = (name: string): Identity => signed({ names: [name] });

type Row = readonly [what: string, served: Identity, file: string, exit: number, says: string];
const rows: readonly Row[] = [
  ["a root", withMiddle, root.cert, 0, ""],
  ["a root that the server sends too", withRoot, root.cert, 0, ""],
  ["a root, without the CA in between", leaf, root.cert, 7, "came alone"],
  [
    "a root, and another certificate in the place of that CA",
    withOther,
    root.cert,
    7,
    "issued by Middle CA, is signed by a CA",
  ],
  ["the CA that issued, which the server sends", withMiddle, middle.cert, 0, ""],
  ["the CA that issued, which the server does not send", leaf, middle.cert, 0, ""],
  ["the CA that issued, of three", withRoot, middle.cert, 0, ""],
  ["the server's own certificate", leaf, leaf.cert, 0, ""],
  ["the server's own certificate, of two", withMiddle, leaf.cert, 0, ""],
  ["the certificate of another server of the same CA", withMiddle, sibling.cert, 7, "not known here"],
  ["another CA", withMiddle, other, 7, "not known here"],
  ["a root that has expired", ofOldRoot, oldRoot.cert, 7, "Replace it in --ca-cert"],
  ["a byte order mark", withMiddle, byteOrderMark + root.cert, 0, ""],
  ["line ends of Windows, and a remark", withMiddle, windows(`# CA\n${other}text\n${root.cert}`), 0, ""],
  ["line ends of an old Mac", withMiddle, root.cert.replaceAll("\n", "\r"), 0, ""],
  ["a key before the certificate", withMiddle, leaf.key + root.cert, 0, ""],
  ["a damaged block before it", withMiddle, damaged + root.cert, 3, "block 1 of 2 (line 1) cannot be read"],
  ["a damaged block behind it", withMiddle, root.cert + damaged, 3, "block 2 of 2"],
  ["no certificate", withMiddle, leaf.key, 3, "without a PEM certificate"],
  [
    "a certificate for the name 127.0.0.1",
    named("DNS:127.0.0.1"),
    authorityCertificate,
    7,
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
  [
    "a certificate for the names *.0.0.1",
    named("DNS:*.0.0.1"),
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

  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "a session is kept for its host alone, over %s",
    async (version) => {
      const only = { minVersion: version, maxVersion: version };
      const peer = await securing({ ...named("IP:127.0.0.1"), ...only }, success);
      const elsewhere = { baseUrl: peer.url.replace("127.0.0.1", "localhost") };
      const profiles = { a: {}, b: elsewhere, c: {}, d: elsewhere };
      const files = { ".referralrc": rcOf(peer.url, profiles), "ca.pem": authorityCertificate };
      const homeFolder = folderWith(files);
      const args = ["test", "--all", "--json", "--concurrency", "1", "--ca-cert", join(homeFolder, "ca.pem")];
      const { checks } = await run(args, { homeFolder });
      expect(checks.map(({ outcome }) => outcome)).toEqual([
        "accepted",
        "unreachable",
        "accepted",
        "unreachable",
      ]);
      expect(peer.requests()).toBe(2);
    },
  );
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
