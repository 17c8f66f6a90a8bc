import { X509Certificate } from "node:crypto";
import { invalid } from "./invalid.ts";
import type { SettingText } from "./levels.ts";

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

// Only as many certificates are parsed as the answer needs.
function holdsCertificate(text: string): boolean {
  for (const [pem] of text.matchAll(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g)) {
    if (isCertificate(pem)) return true;
  }
  return false;
}

/** The text of PEM files as a list. Throws InputError if there is no certificate in it: a TLS connection would ignore it. */
export function certificatesIn(
  given: Pick<SettingText, "setting" | "source">,
  text: string,
): readonly string[] {
  if (holdsCertificate(text)) return [text];
  throw given.source.kind === "option"
    ? invalid(given, "holds no PEM certificate", "Give the content of PEM files")
    : invalid(
        given,
        "names a file without a PEM certificate",
        'Give a file with "-----BEGIN CERTIFICATE-----" in it; for a DER file: openssl x509 -inform der -in FILE -out ca.pem',
      );
}
