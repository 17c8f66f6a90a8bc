/** What stands where a secret stood. */
const redacted = "[secret]";

// A shorter text cannot be told from ordinary words: replacing it would garble the report and hide nothing.
const shortestSecret = 4;

/** The forms in which an answer could repeat a secret: as it is, percent-encoded, JSON-escaped, base64, base64url, hex. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  // By way of the bytes, since half a surrogate pair cannot be percent-encoded.
  const wellFormed = bytes.toString("utf8");
  const forms = [
    secret,
    encodeURIComponent(wellFormed),
    encodeURI(wellFormed),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
  return [...new Set(forms)].filter((form) => form.length >= shortestSecret);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/**
 * A copy of plain data in which no text holds one of the secrets any more, in whatever of the forms and letter case: a
 * server may send back what it was sent.
 */
export function redact<Data>(data: Data, secrets: readonly string[]): Data {
  const forms = secrets.filter((secret) => secret.length >= shortestSecret).flatMap(formsOf);
  if (forms.length === 0) return data;
  // The longest form first: a secret may be part of another's encoding.
  const pattern = new RegExp(
    forms
      .sort((a, b) => b.length - a.length)
      .map(escaped)
      .join("|"),
    "gi",
  );
  return mapTexts(data, (text) => text.replace(pattern, redacted)) as Data;
}

// Words of our own by which the program decides.
const kept = new Set(["kind", "id", "certainty"]);

function mapTexts(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === "string") return change(data);
  if (Array.isArray(data)) return data.map((item) => mapTexts(item, change));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, kept.has(key) ? value : mapTexts(value, change)]),
  );
}
