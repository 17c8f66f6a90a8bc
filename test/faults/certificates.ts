import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A certificate and its key in PEM, as node:tls takes them. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** The content of a certificate to make. */
export interface Wanted {
  readonly commonName: string;
  /** Subject alternative names: `DNS:api.test`, `IP:127.0.0.1` or `IP:0:0:0:0:0:0:0:1` (in full). None makes a CA. */
  readonly names?: readonly string[];
  readonly validFrom?: Date;
  readonly validTo?: Date;
  /** `weak`: an RSA key of 1,024 bits. */
  readonly key?: "weak";
  /** The signature is not that of the certificate. */
  readonly broken?: boolean;
}

// Just enough DER (X.690) for a certificate (RFC 5280): Node can sign but not make certificates, and not every machine has openssl.
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");
const yes = bytes("0101ff");
const version3 = bytes("a003020102");
/** Those of signatures with SHA-256. */
const algorithms = {
  ec: sequence(bytes("06082a8648ce3d040302")),
  rsa: sequence(bytes("06092a864886f70d01010b0500")),
};
const commonNameId = bytes("0603550403");
const basicConstraintsId = bytes("0603551d13");
const alternativeNamesId = bytes("0603551d11");

const nameOf = (text: string): Buffer =>
  sequence(der(0x31, sequence(commonNameId, der(0x0c, Buffer.from(text)))));

/** UTCTime, as RFC 5280 (4.1.2.5) wants it before 2050. */
const timeOf = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, "").slice(2, 14)}Z`));

function addressOf(text: string): Buffer {
  if (!text.includes(":")) return Buffer.from(text.split(".").map(Number));
  const groups = text.split(":").map((group) => group.padStart(4, "0"));
  return bytes(groups.join(""));
}

function extensionsOf({ names = [] }: Wanted): Buffer {
  const constraints = der(0x04, names.length === 0 ? sequence(yes) : sequence());
  const alternatives = names.map((name) => {
    const [kind, ...value] = name.split(":");
    return kind === "IP" ? der(0x87, addressOf(value.join(":"))) : der(0x82, Buffer.from(value.join(":")));
  });
  return der(
    0xa3,
    sequence(
      sequence(basicConstraintsId, yes, constraints),
      ...(names.length === 0 ? [] : [sequence(alternativeNamesId, der(0x04, sequence(...alternatives)))]),
    ),
  );
}

const day = 86_400_000;

/** Makes a certificate, signed by the issuer or, without one, by itself; valid for a day on either side of now. */
export function identity(wanted: Wanted, issuer?: Identity & { readonly commonName: string }): Identity {
  const { commonName, validFrom, validTo } = wanted;
  const own =
    wanted.key === "weak"
      ? generateKeyPairSync("rsa", { modulusLength: 1024 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signer: KeyObject = issuer ? createPrivateKey(issuer.key) : own.privateKey;
  const algorithm = algorithms[signer.asymmetricKeyType === "rsa" ? "rsa" : "ec"];
  const toBeSigned = sequence(
    version3,
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    nameOf(issuer?.commonName ?? commonName),
    sequence(
      timeOf(validFrom ?? new Date(Date.now() - day)),
      timeOf(validTo ?? new Date(Date.now() + 30 * day)),
    ),
    nameOf(commonName),
    own.publicKey.export({ type: "spki", format: "der" }),
    extensionsOf(wanted),
  );
  const signed = wanted.broken ? randomBytes(toBeSigned.length) : toBeSigned;
  const signature = der(0x03, Buffer.from([0]), sign("sha256", signed, signer));
  const base64 = sequence(toBeSigned, algorithm, signature).toString("base64");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: own.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
