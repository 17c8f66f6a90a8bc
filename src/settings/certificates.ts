import { X509Certificate } from "node:crypto";
import type { Inputs } from "./inputs.ts";
import { type Level, type SettingText, winnerOf } from "./levels.ts";
import type { Source } from "./source.ts";
import { invalid, type Setting } from "./values.ts";

const maxBytes = 8 * 1024 * 1024;

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function holdsCertificate(text: string): boolean {
  for (const [pem] of text.matchAll(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g)) {
    if (isCertificate(pem)) return true;
  }
  return false;
}

/** Throws InputError for a text without a PEM certificate. A TLS connection would ignore such a text. */
export function checkCertificates(text: string, source: Source): void {
  if (holdsCertificate(text)) return;
  const given = { setting: "caCert", source } as const;
  throw source.kind === "option"
    ? invalid(given, "holds no PEM certificate", "Give the content of PEM files")
    : invalid(
        given,
        "names a file without a PEM certificate",
        'Give a file with "-----BEGIN CERTIFICATE-----" in it; for a DER file: openssl x509 -inform der -in FILE -out ca.pem',
      );
}

// A run reads each file once, so all accounts that name it share its bytes. To decode and parse a file of 145 certificates for
// each of them takes a third of the time of a run.
const textOf = new WeakMap<Uint8Array, string>();

async function readCertificates(given: SettingText, inputs: Inputs): Promise<string> {
  const bytes = await inputs.read(given, maxBytes);
  const known = textOf.get(bytes);
  if (known !== undefined) return known;
  const text = Buffer.from(bytes).toString("latin1");
  checkCertificates(text, given.source);
  textOf.set(bytes, text);
  return text;
}

/** The PEM text of the certificates to trust besides the system's; null if none are set. Rejects with InputError. */
export async function certificatesSetting(
  levels: readonly Level[],
  inputs: Inputs,
): Promise<Setting<string> | null> {
  const given = winnerOf(levels, "caCert");
  if (given === null) return null;
  const { text, source } = given;
  // An option holds the certificates themselves; every other setting names a file.
  if (source.kind !== "option") return { value: await readCertificates(given, inputs), source };
  checkCertificates(text, source);
  return { value: text, source };
}
