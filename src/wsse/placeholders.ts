// Placeholders that nothing filled in. Each place has a pattern of its own: a setting in braces is sent by nobody, while `$NAME` may
// be a secret or a part of one; a header of another client can be a placeholder of any language.

/** Whether a text is a placeholder in braces as a whole: `${NAME}`, `${{ … }}`, `{{name}}`. */
export const isPlaceholder = (text: string): boolean => /^\s*(?:\$\{.+\}|\{\{.+\}\})\s*$/s.test(text);

/** A credential that has the form of one as a whole: `$NAME`, `%NAME%`, `@NAME@`, `__NAME__`, or a name in any brackets, as `${NAME}` and `<NAME>`. */
export const pastedPlaceholder =
  /^(?:\$(?:env:)?[a-z_]\w*|%[a-z_][\w.]*%|(__|@)[a-z][\w.]*\1|\$\(.+\)|[$#%]?\{\{?[^{}"]+\}\}?|\(\([\w.:/-]+\)\)|<[^<>]+>)$/is;

/** A value of a header that is one as a whole, as templates, shells and format strings write it. An ellipsis is three bytes there. */
export const headerPlaceholder =
  /^(?:\{\{[^{}]*\}\}|\{%[^{}]*%\}|[$#%]\{[^{}]*\}|\{(?:[A-Za-z_][\w.]*|\d)\}|\$\([^()]*\)|\$(?:env:)?[A-Za-z_]\w*|@[A-Za-z_]\w*@|%\(?[A-Za-z_]\w*\)?[%s]|%[sd]|<(?!Buffer |memory |[^<>]* object )[^<>]*>|\.\.\.|\xe2\x80\xa6|…)$/;

/** Whether a part of a text may be a variable: `$NAME` or `%NAME%`. A generated secret may hold such a part. */
export const holdsVariable = (text: string): boolean => /\$[a-z_]\w|\$\{|\{\{|%[a-z_]\w+%/i.test(text);

/**
 * Whether a part of a URL without its user information is a placeholder: `$HOST`, `%API%`, `<your-host>`, anything in braces.
 * Two hexadecimal digits behind `%` are an encoded byte.
 */
export const isPlaceholderInUrl = (text: string): boolean =>
  // V8 takes 0.2 ms to compile the second pattern.
  /[$%<{]/.test(text) &&
  /^(?:\w+:\/\/)?[^/?#]*\$|\$[a-z_]\w|\{[^{}]*\}|<[^<>]+>|%(?![0-9a-f]{2})[\w-]+%|%(?=\w*[g-z_])[a-z_]\w*%(?![0-9a-f]{2})/i.test(
    text,
  );
