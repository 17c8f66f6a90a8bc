import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { InputError, orNull } from "../errors.ts";
import type { AllOptions } from "./options.ts";
import type { Giver } from "./readers.ts";

/** Throws InputError if a server cannot speak TLS with this certificate and this key. */
export function checkPair({ cert, key }: Pick<AllOptions, "cert" | "key">, { kind, nameOf }: Giver): void {
  if (cert === null && key === null) return;
  const refuse = (problem: string, hint: string) => new InputError(kind, problem, hint);
  const [ofCert, ofKey] = [nameOf("cert"), nameOf("key")];
  if (key === null) throw refuse(`${ofCert} is given without ${ofKey}`, "Give both or none");
  if (cert === null) throw refuse(`${ofKey} is given without ${ofCert}`, "Give both or none");
  const certificate = orNull(() => new X509Certificate(cert));
  const begin = (what: string) => `Give one with "-----BEGIN ${what}-----" in it`;
  if (certificate === null) throw refuse(`${ofCert} holds no certificate in PEM`, begin("CERTIFICATE"));
  const privateKey = orNull(() => createPrivateKey(key));
  if (privateKey === null)
    throw refuse(`${ofKey} holds no private key in PEM without a passphrase`, begin("PRIVATE KEY"));
  if (!certificate.checkPrivateKey(privateKey))
    throw refuse(
      `${ofKey} does not belong to the certificate of ${ofCert}`,
      "Give the key that it was made with",
    );
  // OpenSSL refuses keys that are too short, each version others.
  if (orNull(() => createSecureContext({ cert, key })) === null)
    throw refuse(
      `OpenSSL does not serve TLS with ${ofCert} and ${ofKey}`,
      "Make another pair, such as RSA with 2048 bits and SHA-256",
    );
}
