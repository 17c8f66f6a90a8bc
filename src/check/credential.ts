// A credential as requests need it: its header fields, its words, and the texts that no output may hold. A check unwraps a secret
// here alone, and a test keeps the list of files that unwrap one.

import { orNull } from "../errors.ts";
import type { HeaderField } from "../http/exchange.ts";
import type { Secret } from "../settings/secret.ts";
import type { DigestAlgorithm } from "../wsse/digest.ts";
import {
  type AuthorizationMode,
  authorizationValue,
  freshNonce,
  looksSwapped,
  usernameToken,
  wsseValue,
} from "../wsse/header.ts";
import { readingOf, textsIn } from "./form.ts";

/** An account as WSSE uses it. */
export interface SigningCredential extends DigestAlgorithm {
  readonly method: "wsse";
  readonly username: string;
  readonly secret: Secret;
  /** Whether to send `Authorization: WSSE profile="UsernameToken"` too. */
  readonly authorization: AuthorizationMode;
}

/** The credential of a request. */
export type SentCredential = { readonly method: "token"; readonly token: Secret } | SigningCredential;

/** A header field that is sent. */
export interface SentField extends HeaderField {
  /** The part of the value that no output may hold: the token, or the digest, which stays valid for a while. */
  readonly secret?: string;
}

/**
 * The fields that authenticate one request (specification, section 5). Each call makes a new Created, and a new Nonce unless one is given.
 */
export function credentialFields(
  credential: SentCredential,
  { now, randomBytes }: { now(): number; randomBytes(size: number): Uint8Array },
  nonce: Uint8Array | null = null,
): readonly SentField[] {
  if (credential.method === "token") {
    const value = credential.token.reveal();
    return [{ name: "X-Auth-Token", value, secret: value }];
  }
  const { username, secret, digest, hash, authorization } = credential;
  const token = usernameToken({
    username,
    secret: secret.reveal(),
    digest,
    hash,
    now: now(),
    nonce: nonce ?? freshNonce(digest, randomBytes),
  });
  const field = { name: "X-WSSE", value: wsseValue(token), secret: token.passwordDigest };
  return authorization === "wsse" ? [field, { name: "Authorization", value: authorizationValue }] : [field];
}

/** The secret of a credential: the token, or that of WSSE. */
export const secretOf = (credential: SentCredential): string =>
  (credential.method === "token" ? credential.token : credential.secret).reveal();

/** The texts of a credential that no output may hold. A server may send a part of one back; a user may set it in a wrong place. */
export function secretsOf(credential: SentCredential): readonly string[] {
  const secret = secretOf(credential);
  const isSwapped = credential.method === "wsse" && looksSwapped(credential.username, secret);
  const { text: meant } = readingOf[credential.method === "token" ? "token" : "secret"](secret) ?? {};
  const texts = [
    secret,
    ...(isSwapped ? [credential.username] : []),
    ...(meant === undefined ? [] : [meant]),
  ];
  return [
    ...new Set(texts.flatMap((text) => [...textsIn(text), ...(/[/=:{]/.test(text) ? partsOf(text) : [])])),
  ];
}

/**
 * The parts of a URL, or of another text in a credential's place, that a server may send back alone: what follows `=` or `:`, and what has
 * a digit, of eight characters at least. The host of a URL is none: reports name the API's own.
 */
function partsOf(text: string): readonly string[] {
  // What stands before the host as user information stays.
  const host = /\/\/([^\s/?#@"]*@)?[\w-]{1,30}(?:\.[\w-]{1,30})*(?::\d+)?(?![\w.:-])/g;
  const part = /([=:]\s?"?)?([^\s"'/?#&=:@,;{}[\]]{8,})/g;
  return [...text.replace(host, "//$1").matchAll(part)]
    .filter(([, sign, found = ""]) => sign !== undefined || /\d/.test(found))
    .flatMap(([, , found = ""]) => [found, orNull(() => decodeURIComponent(found)) ?? found]);
}
