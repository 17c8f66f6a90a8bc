// The PasswordDigest, in every convention found in the field. Pure.

import { createHash } from "node:crypto";

/** The hashes that `--hash` can name. The WSSE of 2003 and the OASIS profile use SHA-1. */
export const hashNames = ["sha1", "sha256", "sha512"] as const;
/** The name of a hash that a digest can be made with. */
export type HashName = (typeof hashNames)[number];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** What a convention decides: how the Nonce is written on the wire, what of it is hashed, and how the hash is written. */
const axes = {
  wire: { hex, base64 },
  hashed: {
    text: (wire: string): Uint8Array => Buffer.from(wire),
    decoded: (wire: string): Uint8Array => Buffer.from(wire, "base64"),
  },
  written: { base64, "hex in base64": (hash: Uint8Array) => base64(Buffer.from(hex(hash))) },
} as const;

/**
 * The digest conventions found in the field, the default first. The specification (section 5.1, rule 3) does not show which one its
 * server uses, so it is a setting.
 */
export const conventions = {
  // The original WSSE of 2003, httplib2, most X-WSSE services.
  "text-nonce": { wire: "hex", hashed: "text", written: "base64" },
  // OASIS UsernameToken Profile, Atom clients, SOAP stacks.
  "base64-nonce": { wire: "base64", hashed: "decoded", written: "base64" },
  // Servers in the style of Symfony that get a hex nonce.
  "decoded-nonce": { wire: "hex", hashed: "decoded", written: "base64" },
  // Emarsys style.
  "hex-digest": { wire: "hex", hashed: "text", written: "hex in base64" },
} as const satisfies Record<string, { readonly [Axis in keyof typeof axes]: keyof (typeof axes)[Axis] }>;

/** The name of a digest convention. */
export type ConventionName = keyof typeof conventions;
/** The names of all digest conventions, the default first. */
export const conventionNames: readonly [ConventionName, ...ConventionName[]] = Object.keys(conventions) as [
  ConventionName,
  ...ConventionName[],
];

/** The convention and the hash of a digest: its two settings. */
export interface DigestAlgorithm {
  readonly digest: ConventionName;
  readonly hash: HashName;
}

/** The settings of the WSSE of 2003, which most services use. */
export const defaultAlgorithm = { digest: "text-nonce", hash: "sha1" } as const satisfies DigestAlgorithm;

/**
 * The PasswordDigest: the hash of nonce, Created and secret by the chosen convention. Text is hashed as UTF-8, Node's default;
 * `nonce` is the attribute's value as it stands on the wire.
 * Source: OASIS Web Services Security UsernameToken Profile 1.1.1, section 3.1 (`base64-nonce` with SHA-1); M. Pilgrim,
 * "Atom Authentication", xml.com 2003 (`text-nonce`).
 */
export function passwordDigest({
  digest,
  hash,
  nonce,
  created,
  secret,
}: DigestAlgorithm & Readonly<Record<"nonce" | "created" | "secret", string>>): string {
  const { hashed, written } = conventions[digest];
  const computed = createHash(hash)
    .update(axes.hashed[hashed](nonce))
    .update(created)
    .update(secret)
    .digest();
  return axes.written[written](computed);
}

/** The Nonce attribute for fresh random bytes, as the convention writes it. */
export function wireNonce(digest: ConventionName, nonce: Uint8Array): string {
  return axes.wire[conventions[digest].wire](nonce);
}
