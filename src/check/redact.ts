/** What stands where a secret stood. */
export const redacted = "[secret]";

// A shorter text cannot be told from ordinary words: replacing it would garble the report and hide nothing.
const shortestSecret = 4;

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

const htmlNames: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
};

const writings = new Map<string, string>();

// The characters of many secrets are few, and each pattern takes longer to make than to find.
function writingsOf(character: string): string {
  const known = writings.get(character) ?? makeWritings(character);
  writings.set(character, known);
  return known;
}

/** Ways in which an answer could write this: as it is, misread as latin1, or escaped. */
function waysOf(text: string): readonly string[] {
  const each = (write: (code: number) => string): string =>
    Array.from(text, (character) => write(character.codePointAt(0) ?? 0)).join("");
  const bytes = Buffer.from(text, "utf8");
  return [
    literal(text),
    literal(bytes.toString("latin1")),
    literal(JSON.stringify(text).slice(1, -1)),
    ...(/^["'/]$/.test(text) ? [literal(`\\${text}`)] : []),
    bytes.toString("hex").replace(/../g, "%$&"),
    text.replace(/[\0-\uffff]/g, (unit) => `\\\\u0*${unit.charCodeAt(0).toString(16)}`),
    each((code) => `&#0*${code};`),
    each((code) => `&#x0*${code.toString(16)};`),
    ...(text in htmlNames ? [`&${htmlNames[text]};`] : []),
    ...(text === " " ? ["\\+"] : []),
  ];
}

/** A pattern of one character in every way in which an answer could write it, in either letter case. */
function makeWritings(character: string): string {
  // The flag of the pattern covers plain letters, but not escaped ones or those beyond U+FFFF.
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  const ways = new Set([...cases].flatMap(waysOf));
  return `(?:${[...ways].sort((a, b) => b.length - a.length).join("|")})`;
}

function backslashes(count: number): string {
  const others = ["%5c", "\\\\u0*5c", "&#0*92;", "&#x0*5c;"].map((way) => `(?:${way}){${count}}`);
  return `(?:\\\\{${count},${2 * count}}|${others.join("|")})`;
}

/** Of an encoding, the characters that the secret alone decides, whatever stands before and behind it. */
function base64Cores(bytes: Buffer, alphabet: "base64" | "base64url"): readonly string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString(alphabet);
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

/** A text without any of these can hold a secret in ASCII only as it is or in one of its encodings. */
const escapes = /[%&\\+]/;

/** The encodings of a secret as a whole. */
function encodingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const forms = [...base64Cores(bytes, "base64"), ...base64Cores(bytes, "base64url"), bytes.toString("hex")];
  return forms.filter((form) => form.length >= shortestSecret);
}

function patternOf(secret: string, encodings: readonly string[]): RegExp {
  // A run of backslashes as one: character by character, each could be one or two of them, and there would be as many
  // ways to try as combinations.
  const spelt = (secret.match(/\\+|[^\\]/gu) ?? [])
    .map((part) => (part.startsWith("\\") ? backslashes(part.length) : writingsOf(part)))
    .join("");
  // By looking ahead, all places that overlap are found: where a secret repeats itself, the first that fits one of its
  // pieces need not be the place of that piece.
  return new RegExp(`(?=(${[spelt, ...encodings.map(literal)].join("|")}))`, "gi");
}

/** Where something stands in a text: from the first index up to the second. */
type Span = readonly [number, number];

/** Finds one piece of a secret. Most texts hold nothing of it, which is seen sooner than the pattern is made. */
function finderOf(piece: string): (text: string) => readonly Span[] {
  const encodings = encodingsOf(piece);
  const forms = [piece, ...encodings].map((form) => form.toLowerCase());
  const isAscii = /^[\x20-\x7e]*$/.test(piece);
  let pattern: RegExp | undefined;
  return (text) => {
    const lower = text.toLowerCase();
    if (isAscii && !escapes.test(text) && !forms.some((form) => lower.includes(form))) return [];
    pattern ??= patternOf(piece, encodings);
    const spans: Span[] = [];
    text.replace(pattern, (_, found: string, at: number) => {
      spans.push([at, at + found.length]);
      return "";
    });
    return spans;
  };
}

/** The text with one mark for all that lies in these spans side by side. */
function withoutSpans(text: string, spans: readonly Span[]): string {
  let [result, done] = ["", 0];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (from > done || result === "") result += text.slice(done, from) + redacted;
    done = Math.max(done, to);
  }
  return result + text.slice(done);
}

// One expression over thousands of characters would be too large to compile.
const longestPiece = 128;

/** The secret in pieces of about the same length. */
function piecesOf(secret: string): readonly string[] {
  const characters = Array.from(secret);
  const count = Math.ceil(characters.length / longestPiece);
  const start = (index: number): number => Math.floor((index * characters.length) / count);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(start(index), start(index + 1)).join(""),
  );
}

/** Gives a copy of plain data in which nothing holds one of the secrets any more: plain or escaped in any letter case, or encoded. */
export type Redactor = <Data>(data: Data) => Data;

/** The redactor of these secrets: a server may send back what it was sent. */
export function redactorOf(secrets: readonly string[]): Redactor {
  const finders = secrets
    .filter(({ length }) => length >= shortestSecret)
    .flatMap(piecesOf)
    .map(finderOf);
  if (finders.length === 0) return (data) => data;
  const change = (text: string): string =>
    withoutSpans(
      text,
      finders.flatMap((find) => find(text)),
    );
  return <Data>(data: Data) => redactWith(data, change) as Data;
}

// Words of our own by which the program decides.
const kept = new Set(["kind", "id", "certainty"]);

function redactWith(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === "string") return change(data);
  if (typeof data === "number") return change(String(data)) === String(data) ? data : null;
  if (Array.isArray(data)) return data.map((item) => redactWith(item, change));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, kept.has(key) ? value : redactWith(value, change)]),
  );
}
