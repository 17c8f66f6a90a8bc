// Placeholders that nothing filled in. A value that is one as a whole, in braces, is sent by nobody; `$NAME` may be part of a secret.

/** Whether a text is a placeholder in braces as a whole: `${NAME}`, `${{ … }}`, `{{name}}`. */
export const isPlaceholder = (text: string): boolean => /^\s*(?:\$\{.+\}|\{\{.+\}\})\s*$/s.test(text);

/** Whether a part of a text may be a variable: `$NAME` or `%NAME%`. A generated secret may hold such a part. */
export const holdsVariable = (text: string): boolean => /\$[a-z_]\w|\$\{|\{\{|%[a-z_]\w+%/i.test(text);

/**
 * Whether a part of a URL without its user information is a placeholder: `$HOST`, `%API%`, `<your-host>`, anything in braces.
 * Two hexadecimal digits behind `%` are an encoded byte.
 */
export const isPlaceholderInUrl = (text: string): boolean =>
  /^(?:\w+:\/\/)?[^/?#]*\$|\$[a-z_]\w|\{[^{}]*\}|<[^<>]+>|%(?![0-9a-f]{2})[\w-]+%|%(?=\w*[g-z_])[a-z_]\w*%(?![0-9a-f]{2})/i.test(
    text,
  );
