import fc from "fast-check";

/** Characters that end lines, quote, hide, reorder, drive a terminal or begin a workflow command. */
const troublesome = fc.constantFrom(
  ...["\r", "\n", "\r\n", "\t", "\0", '"', "'", "\\", "%", "&", "<", "::", ":", "[::", "#", "##[", "##vso["],
  ...["::error::", "\u001b[31m", "\u007f", "\u0085", "\u009b", "\u00a0", "\u00ad", "ü", "\u061c", "\u200b"],
  ...["\u200e", "\u2028", "\u2029", "\u202e", "\u2066", "\ufeff", "\ue000", "😀", "\ud83d", "\ude00", "…"],
);

/** Any character. fast-check's own unit "binary" makes a table of all of Unicode first, which takes a second. */
export const character = fc.oneof(
  fc.mapToConstant({ num: 0x80, build: (code) => String.fromCodePoint(code) }),
  fc.integer({ min: 0x80, max: 0xd7ff }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0xe000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
);

/** Text with such characters between ordinary ones. */
export const foreignText = fc
  .array(fc.oneof(troublesome, fc.string({ maxLength: 8 }), fc.string({ unit: character, maxLength: 4 })), {
    maxLength: 40,
  })
  .map((parts) => parts.join(""));

/** Printable ASCII that is valid in every header and setting, without white space at its ends. */
export const plainText = fc
  .string({ minLength: 1, maxLength: 60 })
  .map((text) => text.trim())
  .filter((text) => text !== "");
