// What arrived of a response that breaks a rule of HTTP or is no HTTP at all: its first lines as they came. Nothing is parsed here: the
// parser names the rule, and a reader sees the place.

import type { BrokenHttp } from "../../http/exchange.ts";
import { withoutCutWord } from "../../redaction/cut.ts";
import { masked, type Redactor } from "../../redaction/redact.ts";
import { hiddenInFields } from "./quotes.ts";

/** What may be known of such a response. The texts are without secrets. */
export interface BrokenResponse {
  /** The parser's words for the rule. */
  readonly problem: string;
  /** Whether anything in it looks like HTTP. */
  readonly isHttp: boolean;
  /** Its first lines as they came, 300 characters at most; never a body of HTTP. */
  readonly received: string;
  /** Its status line and fields, for `--verbose`. */
  readonly lines: readonly string[];
}

const mostReceived = 300;

const controls = /(?![\t\r\n])\p{Cc}/gu;
const noAscii = /[\x80-\xff]/g;
const inHexadecimal = (byte: string): string => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Reads what had arrived. All of it is searched for secrets before a part is taken; UTF-16 too, which is full of NULs. */
export function readBroken({ problem, bytes }: BrokenHttp, known: Redactor): BrokenResponse {
  const redact = known.forResponse();
  // A character that is cut at the end is left out.
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
  const isUtf8 = !utf8.includes("\ufffd");
  const text = isUtf8 ? utf8 : Buffer.from(bytes).toString("latin1");
  const whole = redact.and([], Number.POSITIVE_INFINITY);
  const dense = text.replaceAll("\0", "");
  // After the search: a secret can hold white space.
  const searched = withoutCutWord(dense !== text && whole(dense) !== dense ? masked : whole(text));
  const isHttp = /^[ \t]*HTTP\/\d/im.test(text);
  // Behind an empty line stands the body. Where HTTP is broken, it may begin without one.
  const end = isHttp ? searched.search(/(?:\r\n|\n|\r(?!\n))(?=[ \t]*[\r\n{[<])/) : -1;
  const shown = hiddenInFields(end < 0 ? searched : searched.slice(0, end));
  const first = shown.replace(controls, inHexadecimal);
  const head = isUtf8 ? first : first.replace(noAscii, inHexadecimal);
  return {
    problem,
    isHttp,
    received: redact.and([], mostReceived)(head),
    lines: isHttp ? head.split(/\r\n|\n|\r/).map((line) => redact(line)) : [],
  };
}
