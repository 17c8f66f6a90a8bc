import { X509Certificate } from "node:crypto";
import { orNull } from "../errors.ts";
import { invalid, type SettingText } from "./levels.ts";

const isCertificate = (pem: string): boolean => orNull(() => new X509Certificate(pem)) !== null;

/** The text of PEM files as a list. Throws InputError if there is no certificate in it: a TLS connection would ignore it. */
export function certificatesIn(given: SettingText): readonly string[] {
  const { text } = given;
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  // Only as many are parsed as the answer needs.
  if (blocks.some(isCertificate)) return [text];
  throw given.source.kind === "option"
    ? invalid(given, "holds no PEM certificate", "Give the content of PEM files")
    : invalid(
        given,
        "names a file without a PEM certificate",
        'Give a file with "-----BEGIN CERTIFICATE-----" in it; for a DER file: openssl x509 -inform der -in FILE -out ca.pem',
      );
}
