import type { TlsOptions } from "node:tls";
import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { authorityCertificate, names, signed, success, trusting } from "./authority.ts";
import { type Identity, identity, type Wanted } from "./certificates.ts";
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
const selfSigned = identity({ commonName: "api", names });
const ofOthers = identity({ commonName: "ingress", names: ["DNS:ingress.local"] });
const elsewhere = { commonName: "127.0.0.1", names: ["DNS:other.invalid"] };

async function findingOf({ url, args = [] }: Peer) {
  const run = await runInProcess(["test", "--json", ...args], {
    environment: { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: url },
  });
  expect(run).toMatchObject({ exitCode: 7, stderr: "" });
  const [{ failure, findings, received }] = JSON.parse(run.stdout).checks;
  // What is measured; what only repeats the failure stands last.
  const finding =
    findings.find(({ certainty }: { certainty: string }) => certainty === "measured") ?? findings[0];
  return { ...failure, headline: failure.message, received, ...finding };
}

const by = (name: string, subject = "api"): string => `${subject}, issued by ${name},`;
const above = (name: string, by: string): string => `${name}, above the server's own, issued by ${by},`;
const own = by("Root CA");
const middles = above("Middle CA", "Root CA");
const roots = above("Root CA", "Root CA");
const other = authorityCertificate;

const unknown = "UNABLE_TO_GET_ISSUER_CERT_LOCALLY";

type Row = [code: string, whose: string, served: Identity, trusted?: string];
// The root is trusted, unless a row says otherwise. A weak key or hash needs a server whose OpenSSL allows it.
// test/check/causes/texts/handshakes.txt has what is said of each code.
test.each<Row>([
  ["CERT_HAS_EXPIRED", own, leaf(past)],
  ["CERT_HAS_EXPIRED", middles, below(past)],
  ["CERT_NOT_YET_VALID", own, leaf(future)],
  ["ERR_TLS_CERT_ALTNAME_INVALID", `${by("Root CA", "127.0.0.1")} is for other.invalid`, leaf(elsewhere)],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", by("api"), selfSigned],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", `${by("ingress", "ingress")} is signed by itself, and is not`, ofOthers],
  [unknown, `${by("Root CA", "127.0.0.1")} came alone`, leaf(elsewhere), other],
  ["SELF_SIGNED_CERT_IN_CHAIN", roots, chain(leaf(), root), other],
  [unknown, `${middles} is signed by a CA`, below({}), other],
  // The server's own certificate signs nothing, whoever trusts it.
  [unknown, `${own} came alone`, leaf(), leaf().cert],
  ["UNSPECIFIED: EE certificate key too weak", own, leaf({ key: "weak" })],
  ["CERT_SIGNATURE_FAILURE", own, leaf({ broken: true })],
])("%s: the certificate of %s", async (code, whose, served, trusted = root.cert) => {
  const peer = await securing({ ...served, ciphers: "DEFAULT:@SECLEVEL=0" }, success);
  expect(await findingOf({ ...peer, args: trusting(trusted) })).toMatchObject({
    code: code.replace(/:.*/, ""),
    headline: expect.stringContaining(
      `no trusted TLS connection (${code}) to 127.0.0.1 port ${new URL(peer.url).port}: the certificate of ${whose}`,
    ),
    certainty: "measured",
    message: expect.stringContaining(`the certificate of ${whose}`),
  });
  expect(peer.requests()).toBe(0);
  // Nothing is tried again, unless the system's certificates could help.
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") expect(peer.connections()).toBe(1);
});

const serving = (options: TlsOptions) => (): Promise<Peer> => securing({ ...signed(), ...options }, success);
const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" } as const;
const rareCipher = { maxVersion: "TLSv1.2", ciphers: "CAMELLIA128-SHA" } as const;
const wantsCertificate = { requestCert: true, rejectUnauthorized: true, ca: authorityCertificate };
/** Answers the first message with a fatal alert (RFC 8446, section 6). */
const alerting = (description: number) => (): Promise<Peer> =>
  accepting("https", (socket) =>
    socket.once("data", () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, description]))),
  );

// Handshakes that fail before the certificate is verified.
test.each<[id: string, message: string, serve: () => Promise<Peer>, certainty?: string]>([
  ["tls-refused", '"tlsv1 unrecognized name"', alerting(112)],
  // With TLS 1.3 the client has sent its request when the alert arrives (RFC 8446, section 4.4.2.4), and the server drops it.
  ["tls-refused", "wants a client certificate", serving(wantsCertificate)],
  ["tls-refused", '"tlsv1 alert protocol version"', serving(old)],
  ["other-protocol", "does not speak TLS", () => accepting("https", sends("220 mail.example.com ESMTP\r\n"))],
  // A server that knows no certificate for a name answers as one that accepts no cipher.
  ["tls-refused", "no certificate, for the name 127.0.0.1", serving(rareCipher), "possible"],
])("%s: %s", async (id, message, serve, certainty = "measured") => {
  const peer = await serve();
  const finding = await findingOf({ ...peer, args: trusting() });
  expect(finding).toMatchObject({ id, certainty, message: expect.stringContaining(message) });
  expect(finding.received).toBe(id === "other-protocol" ? "220 mail.example.com ESMTP\r\n" : null);
  if (id === "other-protocol") expect(finding.step).toBe("tls");
  expect(finding.fix).not.toContain("--ca-cert");
  expect(peer.requests()).toBe(0);
});
