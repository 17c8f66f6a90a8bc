// In lower case (RFC 9110, section 11.6.1).
function challengeSchemes(fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => {
    // Quoted strings may hold commas; a scheme is a token at the start of a list element that no "=" follows.
    const unquoted = field.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/g, '""');
    return unquoted.split(",").flatMap((element) => {
      const [, scheme] = /^\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?=\s+[^\s=]|\s*$)/.exec(element) ?? [];
      return scheme === undefined ? [] : [scheme.toLowerCase()];
    });
  });
}

// Schemes that no part of the specification uses: whoever asks for them is a gateway or proxy in front of the API.
const foreignSchemes = new Set(["basic", "digest", "negotiate", "ntlm", "kerberos", "bearer"]);

/**
 * The scheme in WWW-Authenticate fields that shows another party than the API, in lower case; null for none. A WSSE
 * challenge beside it shows the API.
 */
export function foreignScheme(fields: readonly string[]): string | null {
  const schemes = challengeSchemes(fields);
  if (schemes.includes("wsse")) return null;
  return schemes.find((scheme) => foreignSchemes.has(scheme)) ?? null;
}
