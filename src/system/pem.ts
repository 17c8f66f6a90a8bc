// Finds the certificates in a PEM text. It reads none of them.

// The labels that OpenSSL reads a certificate from.
const marker = /-----(BEGIN|END) (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/**
 * The blocks of certificates in a PEM text (RFC 7468), each with the number of its first line. Other text is skipped. A block without its
 * begin or its end counts too: its reader reports what is wrong with it.
 */
export function certificateBlocks(
  text: string,
): ReadonlyArray<{ readonly text: string; readonly line: number }> {
  const blocks: Array<{ readonly text: string; readonly line: number }> = [];
  let line = 1;
  let counted = 0;
  let open: { readonly start: number; readonly line: number } | null = null;
  const close = (from: number, end: number): void => {
    // OpenSSL reads neither indented lines nor those that end in CR alone.
    const lines = text
      .slice(from, end)
      .split(/[\r\n]+/)
      .map((one) => one.trim());
    blocks.push({ text: lines.join("\n"), line: open?.line ?? line });
    open = null;
  };
  for (const { 0: found, 1: kind, index } of text.matchAll(marker)) {
    line += text.slice(counted, index).split(/\r\n|\r|\n/).length - 1;
    counted = index;
    if (kind === "END") close(open?.start ?? index, index + found.length);
    else {
      if (open !== null) close(open.start, index);
      open = { start: index, line };
    }
  }
  if (open !== null) close(open.start, text.length);
  return blocks;
}
