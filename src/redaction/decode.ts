// The encodings in which a server can send a secret back. Decoded bytes become latin1 characters, so that text that is not
// UTF-8 is kept; `utf8` decodes the rest in another step.

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

const fromHex = (digits: string | undefined): string => character(Number.parseInt(digits ?? "", 16));

/** Decodes UTF-8 that was read as latin1. */
function utf8(text: string): string {
  return text.replace(/[\xc2-\xf4][\x80-\xbf]{1,3}/g, (bytes) =>
    Buffer.from(bytes, "latin1").toString("utf8"),
  );
}

/** URLs: RFC 3986, section 2.1, and the `%u` of JavaScript's `escape`. */
function percent(text: string): string {
  return text.replace(/%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi, (_, wide, byte) => fromHex(wide ?? byte));
}

/** Quoted-printable: RFC 2045, section 6.7. The end of a line behind `=` is left out. */
function quotedPrintable(text: string): string {
  return text.replace(/=(?:([0-9a-f]{2})|\r?\n)/gi, (_, byte) => fromHex(byte));
}

// HTML's names for the characters that an escaping function may replace.
const names: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "amp& lt< gt> quot\" apos' nbsp\xa0 excl! num# dollar$ percnt% lpar( rpar) ast* plus+ comma, hyphen- dash- " +
    "period. sol/ colon: semi; equals= quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ grave` " +
    "lcub{ lbrace{ verbar| vert| rcub} rbrace} tilde~ Tab\t NewLine\n"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

/** Character references of HTML and XML. */
function entities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,8})|#(\d{1,9})|([a-z]{2,8}));?/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return (Object.hasOwn(names, name) && names[name]) || whole;
    return hex === undefined ? character(Number(decimal)) : fromHex(hex);
  });
}

const controls: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  0: "\0",
};

/** The escapes of JSON, JavaScript, C and shells. */
function backslashes(text: string): string {
  return text.replace(
    /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-3][0-7]{2})|(.))/gis,
    (_, long, wide, byte, octal, other) => {
      if (other !== undefined) return controls[other] ?? other;
      return octal === undefined ? fromHex(long ?? wide ?? byte) : character(Number.parseInt(octal, 8));
    },
  );
}

// Most texts have none of these characters, and searching for one is faster than the first use of a pattern.
const byMark = [
  ["%", percent],
  ["&", entities],
  ["\\", backslashes],
  ["=", quotedPrintable],
] as const;

/** Decodes all runs of the encoding's characters that are long enough, starting at each possible offset within a unit. */
function runs(
  text: string,
  pattern: RegExp,
  encoding: "base64" | "hex",
  unit: number,
  shortest: number,
): readonly string[] {
  if (text.length < shortest) return [];
  const found = (text.match(pattern) ?? [])
    .map((run) => run.replace(encoding === "hex" ? /[^0-9a-f]/gi : /\s/g, ""))
    .filter((run) => run.length >= shortest);
  return Array.from({ length: unit }, (_, start) =>
    found.map((run) => Buffer.from(run.slice(start), encoding).toString("latin1")).join("\n"),
  );
}

/**
 * Decodes a text once by each encoding: URLs, HTML, JSON and JavaScript, quoted-printable, UTF-8 misread as latin1, and
 * pieces in base64, base64url and hex. It leaves out results shorter than `shortest` characters.
 */
export function decodings(text: string, shortest: number): readonly string[] {
  // Base64 continues after white space only if a long piece precedes it: MIME breaks long lines, but words are short.
  const forms = [
    utf8(text),
    ...runs(text, /[\w+/-]+(?:(?<=[\w+/-]{16})\s+[\w+/-]+)*/g, "base64", 4, Math.floor((shortest * 4) / 3)),
    ...runs(text, /[0-9a-f](?:[\s:,-]?[0-9a-f])+/gi, "hex", 2, 2 * shortest),
  ];
  for (const [mark, decode] of byMark) if (text.includes(mark)) forms.push(decode(text));
  return forms.filter((form) => form !== text && form.length >= shortest);
}
