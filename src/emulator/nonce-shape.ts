import type { ConventionName } from "../wsse/digest.ts";
import { nonceBytes } from "../wsse/header.ts";

interface Shape {
  readonly fits: (nonce: string) => boolean;
  readonly description: string;
}

const hex: Shape = {
  fits: (nonce) => nonce.length === nonceBytes * 2 && /^[0-9a-f]*$/i.test(nonce),
  description: `${nonceBytes * 2} hexadecimal characters`,
};

const base64: Shape = {
  // Written back and compared: two spellings of the same bytes have the same digest, and would pass for two nonces.
  fits: (nonce) => {
    const bytes = Buffer.from(nonce, "base64");
    return bytes.length === nonceBytes && bytes.toString("base64") === nonce;
  },
  description: `the base64 of ${nonceBytes} bytes`,
};

/** What a Nonce looks like under each digest convention, and the words for it. */
export const nonceShapes: Readonly<Record<ConventionName, Shape>> = {
  "text-nonce": hex,
  "base64-nonce": base64,
  "decoded-nonce": hex,
  "hex-digest": hex,
};
