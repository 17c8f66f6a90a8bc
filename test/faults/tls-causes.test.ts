import type { TlsOptions } from "node:tls";
import { describe, expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { authorityCertificate, names, signed, success, trusting } from "./authority.ts";
import { extensionFor, type Identity, identity, type Wanted } from "./certificates.ts";
import { accepting, type Peer, securing, sends } from "./peers.ts";

type Issuer = Identity & { readonly commonName: string };
const hour = 3_600_000;
const past = { validTo: new Date(Date.now() - hour) };
const future = { validFrom: new Date(Date.now() + hour) };
const root: Issuer = { commonName: "Root CA", ...identity({ commonName: "Root CA" }) };
const issuer = (wanted: Partial<Wanted> = {}, above = root): Issuer => {
  const commonName = wanted.commonName ?? "Middle CA";
  return { commonName, ...identity({ ...wanted, commonName }, above) };
};
const leaf = (wanted: Partial<Wanted> = {}, above = root): Identity =>
  identity({ commonName: "api", names, ...wanted }, above);
/** The server's certificate, and those above it in their order. */
const chain = (own: Identity, ...above: readonly Identity[]): Identity => ({
  key: own.key,
  cert: [own, ...above].map(({ cert }) => cert).join(""),
});
/** A chain whose CA between server and root is like this. */
const below = (wanted: Partial<Wanted>): Identity => {
  const middle = issuer(wanted);
  return chain(leaf({}, middle), middle);
};
const twice = (): Identity => {
  const first = issuer({ commonName: "First CA", pathLength: 0 });
  const second = issuer({ commonName: "Second CA" }, first);
  return chain(leaf({}, second), second, first);
};
const oldRoot: Issuer = { commonName: "Old CA", ...identity({ commonName: "Old CA", ...past }) };
const sameName = identity({ commonName: "Root CA" });
const whose = "the certificate of api, issued by Root CA,";
const middles = "the certificate of Middle CA, above the server's own, issued by Root CA,";

async function findingOf({ url, args = [] }: Peer) {
  const run = await runInProcess(["test", "--json", ...args], {
    environment: { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: url },
  });
  expect(run).toMatchObject({ exitCode: 7, stderr: "" });
  expect(leaks(run.everything)).toEqual([]);
  const [{ failure, findings }] = JSON.parse(run.stdout).checks;
  return { code: failure.code, headline: failure.message, ...findings[0] };
}

// The root is trusted, unless a row says otherwise. A weak key or hash needs a server whose OpenSSL allows it.
test.each<[code: string, message: string, own: Identity, trusted?: string]>([
  ["CERT_HAS_EXPIRED", `${whose} expired on `, leaf(past)],
  ["CERT_HAS_EXPIRED", `${middles} expired on `, below(past)],
  [
    "CERT_HAS_EXPIRED",
    "the certificate of Old CA, above the server's own, issued by Old CA, expired on ",
    leaf({}, oldRoot),
    oldRoot.cert,
  ],
  ["CERT_NOT_YET_VALID", `${whose} is not valid before `, leaf(future)],
  ["CERT_NOT_YET_VALID", `${middles} is not valid before `, below(future)],
  ["ERR_TLS_CERT_ALTNAME_INVALID", `${whose} is for other.invalid`, leaf({ names: ["DNS:other.invalid"] })],
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "the certificate of api, issued by api, is signed by itself",
    identity({ commonName: "api", names }),
  ],
  [
    "SELF_SIGNED_CERT_IN_CHAIN",
    "the certificate of Root CA, above the server's own, issued by Root CA, is signed by itself and not known here",
    chain(leaf(), root),
    authorityCertificate,
  ],
  [
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    `${whose} is signed by a CA that is not known here`,
    leaf(),
    authorityCertificate,
  ],
  [
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "the certificate of api, issued by Middle CA, is signed by a CA that is not known here",
    leaf({}, issuer()),
  ],
  [
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    `${middles} is signed by a CA that is not known here`,
    below({}),
    authorityCertificate,
  ],
  ["CERT_SIGNATURE_FAILURE", `${whose} has a signature that its issuer has not made`, leaf(), sameName.cert],
  [
    "CERT_SIGNATURE_FAILURE",
    `${whose} has a signature that its issuer has not made`,
    leaf({ signature: "broken" }),
  ],
  [
    "INVALID_PURPOSE",
    `${whose} is not meant for servers`,
    leaf({ extensions: [extensionFor.clientAuthentication] }),
  ],
  [
    "INVALID_PURPOSE",
    `${whose} is not meant for servers`,
    leaf({ extensions: [extensionFor.keyUsageCrlSign] }),
  ],
  [
    "INVALID_PURPOSE",
    `${middles} is not meant for servers`,
    below({ extensions: [extensionFor.clientAuthentication] }),
  ],
  [
    "INVALID_PURPOSE",
    `${middles} signs the server's certificate, but is not the certificate of a CA`,
    below({ ca: false }),
  ],
  [
    "PATH_LENGTH_EXCEEDED",
    "the certificate of api, issued by Second CA, has a CA above it that may not sign for so many CAs",
    twice(),
  ],
  ["UNSPECIFIED: EE certificate key too weak", `${whose} has a key that is too weak`, leaf({ key: "weak" })],
  [
    "UNSPECIFIED: CA certificate key too weak",
    "the certificate of api, issued by Middle CA, has a CA above it whose key is too weak",
    below({ key: "weak" }),
  ],
  [
    "UNSPECIFIED: CA signature digest algorithm too weak",
    `${whose} is signed with a hash that is too weak, such as SHA-1`,
    leaf({ signature: "sha1" }),
  ],
  [
    "UNSPECIFIED: permitted subtree violation",
    "the certificate of api, issued by Middle CA, has a CA above it that may not sign for these names",
    below({ extensions: [extensionFor.nameConstraints] }),
  ],
  [
    "UNSPECIFIED: unhandled critical extension",
    `${whose} has a critical extension that OpenSSL does not know`,
    leaf({ extensions: [extensionFor.unknown] }),
  ],
  [
    "UNSPECIFIED: key usage does not include certificate signing",
    "the certificate of api, issued by Middle CA, has an issuer whose key may not sign certificates",
    below({ extensions: [extensionFor.keyUsageCrlSign] }),
  ],
])("%s: %s", async (code, message, own, trusted = root.cert) => {
  const peer = await securing({ ...own, ciphers: "DEFAULT:@SECLEVEL=0" }, success);
  const finding = await findingOf({ ...peer, args: trusting(trusted) });
  expect(finding).toMatchObject({
    code: code.replace(/:.*/, ""),
    headline: `no trusted TLS connection (${code})`,
    certainty: "measured",
    message: expect.stringContaining(message),
  });
  expect(peer.requests()).toBe(0);
});

describe("a handshake that fails before the certificate is verified", () => {
  const serving = (options: TlsOptions): Promise<Peer> => securing({ ...signed(), ...options }, success);
  /** Answers the first message with a fatal alert (RFC 8446, section 6). */
  const alerting = (description: number): Promise<Peer> =>
    accepting("https", (socket) =>
      socket.once("data", () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, description]))),
    );
  const onlyHttp2 = (): Promise<Peer> => serving({ ALPNProtocols: ["h2"] });

  test.each<[id: string, message: string, serve: () => Promise<Peer>]>([
    ["unknown-server-name", "no certificate for the name 127.0.0.1", () => alerting(112)],
    ["http-version", "it may speak HTTP/2 alone", onlyHttp2],
    [
      "client-certificate",
      "wants a client certificate",
      () => serving({ requestCert: true, rejectUnauthorized: true, ca: authorityCertificate }),
    ],
    [
      "tls-version",
      "neither TLS 1.2 nor TLS 1.3",
      () => serving({ minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" }),
    ],
    ["not-tls", "does not speak TLS", () => accepting("https", sends("220 mail.example.com ESMTP\r\n"))],
    ["unreachable", "no trusted TLS connection (ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR)", () => alerting(80)],
    [
      "unreachable",
      "no trusted TLS connection (ECONNRESET)",
      () => accepting("https", (socket) => socket.end()),
    ],
  ])("%s: %s", async (id, message, serve) => {
    const finding = await findingOf({ ...(await serve()), args: trusting() });
    expect(finding).toMatchObject({ id, certainty: "measured", message: expect.stringContaining(message) });
    expect(finding.fix).not.toContain("--ca-cert");
  });
});
