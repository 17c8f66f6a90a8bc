// What stands where a value belongs: a placeholder that nothing filled in, a mask, a reference that nothing resolved, a word that
// programs write for nothing. Only a placeholder that is whole and in braces is refused; all others may be real, and are sent.

/** Whether a text is a placeholder in braces as a whole: `${NAME}`, `${{ … }}`, `{{name}}`. */
export const isPlaceholder = (text: string): boolean => /^\s*(?:\$\{.+\}|\{\{.+\}\})\s*$/s.test(text);

/** Whether a text holds `${…}`, `{{…}}`, or `$NAME` or `%NAME%`, a name in capitals, of three at least. Others stand in good secrets. */
export const holdsPlaceholder = (text: string): boolean =>
  /\$\{[^{}]+\}|\{\{[^{}]+\}\}|\$(?:[A-Z]_?){3}[A-Z\d_]*(?!\w)|%(?:[A-Z]_?){3}[A-Z\d_]*%/.test(text);

/** A value of a header that is one as a whole, as templates, shells and format strings write it. */
export const headerPlaceholder =
  /^(?:[$#%]?\{+[^{}"]+\}+|\$\([^()]*\)|\$(?:env:)?[a-z_]\w*|@\w+@|%\(?[a-z_]\w*\)?[%s]|%[sd]|<(?!Buffer |memory |[^<>]* object )[^<>]*>|\.{3}|…)$/i;

/**
 * Whether a part of a URL without its user information is a placeholder: `$HOST`, `%API%`, `<your-host>`, anything in braces.
 * Two hexadecimal digits behind `%` are an encoded byte.
 */
export const isPlaceholderInUrl = (text: string): boolean =>
  // V8 takes 0.2 ms to compile the second pattern.
  /[$%<{]/.test(text) &&
  /^(?:\w+:\/\/)?[^/?#]*\$|\$[a-z_]\w|\{[^{}]*\}|<[^<>]+>|%(?=\w*[g-z_])[\w-]+%(?![0-9a-f]{2})/i.test(text);

const emptyWords = new Set(["[object object]", ..."undefined null none nil nan true false".split(" ")]);

/** What stands in the place of a value, to follow "it may be"; and the kind of it. Null for a text that shows no sign of that. */
export function standIn(
  text: string,
): readonly [kind: "placeholder" | "reference" | "mask" | "nothing", words: string] | null {
  if (holdsPlaceholder(text) || /^<[^<>]+>$/.test(text))
    return ["placeholder", "a placeholder that nothing filled in, or hold one, such as $NAME or %NAME%"];
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text))
    return [
      "reference",
      "a reference that nothing resolved: it begins with a scheme, as op://vault/item does",
    ];
  if (/[*•]{3}|^x{3,}$|^\[[a-z]+\]$/i.test(text))
    return ["mask", "a mask, as logs show it in the place of a secret"];
  return emptyWords.has(text.toLowerCase())
    ? ["nothing", "the word that a program writes where it has no value"]
    : null;
}
