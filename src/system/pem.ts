// Finds the certificates in a PEM text. It reads none of them.

// The labels that OpenSSL reads a certificate from.
const marker = /-----(?:BEGIN|END) (?:X509 |TRUSTED )?CERTIFICATE-----/;
/** Where a text is divided: before each begin of a certificate, and behind each end. */
const edge =
  /(?=-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----)|(?<=-----END (?:X509 |TRUSTED )?CERTIFICATE-----)/;

const lineEndsIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/**
 * The blocks of certificates in a PEM text (RFC 7468), each with the number of its first line. Other text is skipped. A block without its
 * begin or its end counts too: its reader reports what is wrong with it.
 */
export function certificateBlocks(
  text: string,
): ReadonlyArray<{ readonly text: string; readonly line: number }> {
  let lineEnds = 0;
  return text.split(edge).flatMap((part) => {
    const start = part.search(marker);
    const line = 1 + lineEnds + lineEndsIn(part.slice(0, Math.max(0, start)));
    lineEnds += lineEndsIn(part);
    // OpenSSL reads neither indented lines nor those that end in CR alone.
    const lines = part.slice(start).split(/[\r\n]+/);
    return start < 0 ? [] : [{ text: lines.map((one) => one.trim()).join("\n"), line }];
  });
}
