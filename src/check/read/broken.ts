// What arrived of a response that breaks a rule of HTTP: which rule, in which line and field, and its head as it may be shown. The
// parser names one error for many faults, so the lines are looked at here.

import { type BrokenHttp, contradictoryLengths } from "../../http/exchange.ts";
import { masked, type Redactor } from "../../redaction/redact.ts";

/** What may be known of a response that breaks a rule of HTTP. The texts are without secrets. */
export interface BrokenResponse {
  /** The parser's words for it, or ours. */
  readonly problem: string;
  /** Whether anything in it looks like HTTP. */
  readonly isHttp: boolean;
  /** What is wrong with the line, in words that follow its place; null if only the parser's words are known. */
  readonly rule: string | null;
  /** From 1; null if unknown. */
  readonly line: number | null;
  readonly field: string | null;
  /** The status line and the fields as they came. */
  readonly head: readonly string[];
}

/** What is wrong where no line is, but a limit of this program or of its parser ended the response. */
const limits: Readonly<Record<string, string>> = {
  "Headers too large": "its fields take more than 16 KiB",
  "Too many header fields": "it has more than 1,000 fields",
  "Headers without an end": "its fields have no end",
  "Status 101": "an interim response (101) came that changes the protocol, for which the request did not ask",
  "Unexpected interim response": "an interim response (100) came, for which the request did not ask",
};

// RFC 9110, section 5.6.2.
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

const unicodeOf = (text: string): string =>
  `U+${text.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/** What is wrong with a status line (RFC 9112, section 4); null if nothing is. */
function statusLineRule(line: string): string | null {
  if (!/^HTTP\//.test(line)) return "the status line does not begin with HTTP/";
  if (!/^HTTP\/1\.[01](?!\d)/.test(line)) return "the status line has another version than HTTP/1.1";
  return /^HTTP\/1\.[01] \d{3}(?: |$)/.test(line)
    ? null
    : "the status line has no space and status of three digits behind the version";
}

/** What is wrong with the line of a field (RFC 9112, section 5; RFC 9110, section 5.5); null if nothing is. */
function fieldRule(line: string): string | null {
  if (/^[ \t]/.test(line)) return "it begins with white space: a folded field, which is obsolete";
  const colon = line.indexOf(":");
  if (colon < 0) return "it has no colon, so it is no field";
  const name = line.slice(0, colon);
  if (name === "") return "it has no name before its colon";
  if (/[ \t]$/.test(name)) return "white space stands before its colon";
  if (!token.test(name)) return "its name holds a character that no name of a field may hold";
  const control = [...line].find((one) => (one < " " && one !== "\t") || one === "\x7f");
  return control === undefined ? null : `its value holds a control character (${unicodeOf(control)})`;
}

/** What is wrong with the lengths that the fields give (RFC 9112, section 6.3); null if nothing is. */
function lengthRule(lines: readonly string[]) {
  const valuesOf = (name: string) =>
    lines.flatMap((text, index) => {
      const [field = "", ...value] = text.split(":");
      return field.toLowerCase() === name ? [{ line: index + 1, value: value.join(":") }] : [];
    });
  const lengths = valuesOf("content-length").flatMap(({ line, value }) =>
    value.split(",").map((one) => ({ line, value: one.trim() })),
  );
  const wrong = lengths.find(({ value }) => !/^\d+$/.test(value));
  if (wrong !== undefined) return { line: wrong.line, rule: "its length is not a number" };
  const [first, second] = lengths;
  if (first === undefined) return null;
  if (second !== undefined) {
    const other = lengths.find(({ value }) => value !== first.value) ?? second;
    const isContradiction = other.value !== first.value;
    const what = isContradiction ? "the lengths contradict each other" : "the length stands twice";
    const both = `${first.value.slice(0, 20)} and ${other.value.slice(0, 20)}`;
    return { line: other.line, rule: `${what} (${both})`, isContradiction };
  }
  const [coding] = valuesOf("transfer-encoding");
  return coding === undefined
    ? null
    : {
        line: Math.max(first.line, coding.line),
        rule: "Content-Length and Transfer-Encoding contradict each other",
        isContradiction: true,
      };
}

/** The lines of the head that a text holds, of the last response in it, and the line on which that begins. */
function headOf(text: string) {
  let first = 1;
  let rest = text;
  for (;;) {
    // A lone CR counts as a line end: what is behind an empty line is a body.
    const found = rest.split(/(\r\n|\n|\r)/);
    const lines = found.filter((_, index) => index % 2 === 0);
    const ends = found.filter((_, index) => index % 2 === 1);
    const last = lines.findIndex((line, index) => index > 0 && line.trim() === "");
    const length = last < 0 ? lines.length : last;
    const head = {
      first,
      lines: lines.slice(0, length),
      ends,
      isWhole: last >= 0 && last < ends.length,
    };
    const behind = found.slice(2 * (length + 1)).join("");
    // An interim response comes before the one that counts (RFC 9110, section 15.2).
    if (!head.isWhole || !/^HTTP\/\S* 1\d\d/.test(lines[0] ?? "") || !/^HTTP\//.test(behind)) return head;
    first += length + 1;
    rest = behind;
  }
}

/** The first line of a head that breaks a rule; null if none does. */
function brokenLine({ first, lines, ends, isWhole }: ReturnType<typeof headOf>) {
  for (const [index, line] of lines.entries()) {
    const end = ends[index];
    // The rest of a line that is cut is not known.
    if (end === undefined) break;
    const known = index === 0 ? statusLineRule(line) : fieldRule(line);
    const rule =
      known ??
      (end === "\n"
        ? "it ends in a line feed alone"
        : end === "\r"
          ? "it holds a carriage return alone"
          : null);
    if (rule !== null) return { line: first + index, rule };
  }
  const lengths = isWhole ? lengthRule(lines) : null;
  return lengths && { ...lengths, line: first + lengths.line - 1 };
}

/** The line of a head that a parser's place is in; null if it is behind the head, or not known. */
function lineAt({ first, lines }: ReturnType<typeof headOf>, text: string, place: number | null) {
  const line = place === null ? 0 : text.slice(0, place).split(/\r\n|\n|\r/).length;
  return line >= first && line < first + lines.length ? line : null;
}

/** Reads what had arrived of a response that breaks a rule of HTTP. It is searched for secrets as a whole. */
export function readBroken({ problem, text, place }: BrokenHttp, known: Redactor): BrokenResponse {
  const redact = known.forResponse();
  const isHttp = /^[ \t]*HTTP\/\d/im.test(text);
  const head = headOf(text);
  const broken = isHttp ? brokenLine(head) : null;
  const line = isHttp ? (broken?.line ?? lineAt(head, text, place)) : null;
  const searched = headOf(known.and([], Number.POSITIVE_INFINITY)(text));
  const shown = isHttp ? shownLines(searched) : [];
  const isOther = problem === contradictoryLengths && broken?.isContradiction !== true;
  const rule = broken === null ? (limits[problem] ?? null) : redact(broken.rule);
  return {
    problem: isOther ? (rule ?? "a rule that the parser does not name") : problem,
    isHttp,
    rule,
    line,
    field: line === null || line === head.first ? null : fieldIn(searched.lines[line - head.first] ?? ""),
    head: shown.map((one) => redact(one)),
  };
}

/** The name of the field in a line, in which nothing was masked; null if it has none. */
function fieldIn(line: string): string | null {
  const name = line.slice(0, Math.max(0, line.indexOf(":"))).trimEnd();
  return /^[\x21-\x7e](?:[\x20-\x7e]{0,60}[\x21-\x7e])?$/.test(name) && !name.includes(masked) ? name : null;
}

/** The status line, and the lines behind it that look like fields: where HTTP is broken, the body may begin without an empty line. */
function shownLines({ lines, ends }: ReturnType<typeof headOf>): readonly string[] {
  // A line that has no end yet may hold a part of a secret.
  const whole = lines.slice(0, ends.length);
  const isFieldLike = (line: string): boolean =>
    /^[ \t]*[^\s{["<][^:]*:/.test(line) || /^[ \t]+[^\s{["<]/.test(line);
  const [first = "", ...fields] = whole;
  const end = fields.findIndex((line) => !isFieldLike(line));
  return [first, ...(end < 0 ? fields : fields.slice(0, end))];
}
