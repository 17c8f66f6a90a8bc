// What is quoted beside a body: which fields hide what, which reason phrases say nothing, and the beginning of what is no valid HTTP.

import type { BrokenHttp } from "../../http/exchange.ts";
import { withoutCutWord } from "../../redaction/cut.ts";
import { masked, type Redactor } from "../../redaction/redact.ts";
import { hiddenInText } from "./body.ts";

// The WHATWG's grammar of Refresh begins with a pause. `URL` reads a backslash as a slash, and ignores tabs.
const target = /^([ \t]*(?:location|refresh)[ \t]*:(?:[ \t\d.]*[;,])?)(.*)$/gim;
const userInformation = /^([^/\\?#@]*?[/\\]+|[^:/\\?#@]*:|)[^/\\?#]*@/;

/** Where something leads, without what can hold a session: behind a `;`, in a query or a fragment. */
export const withoutSession = (target: string): string => target.replace(/(?:[;?#]|%3b).*/is, "");

/** Header fields, without what a quote hides: behind the names of secrets, and of where `Location` and `Refresh` lead. */
export const hiddenInFields = (fields: string): string =>
  hiddenInText(
    fields.replace(
      target,
      (_, name, to) => name + withoutSession(to.replaceAll("\t", "").replace(userInformation, "$1")),
    ),
  );

// The standard phrases: https://www.iana.org/assignments/http-status-codes, and the older names of RFC 2616. Another one was written
// by somebody, and is quoted.

const standard: ReadonlySet<string> = new Set(
  `200 OK,201 Created,202 Accepted,203 Non-Authoritative Information,204 No Content,205 Reset Content,206 Partial Content,
300 Multiple Choices,301 Moved Permanently,302 Found,303 See Other,304 Not Modified,305 Use Proxy,307 Temporary Redirect,
308 Permanent Redirect,400 Bad Request,401 Unauthorized,402 Payment Required,403 Forbidden,404 Not Found,405 Method Not Allowed,
406 Not Acceptable,407 Proxy Authentication Required,408 Request Timeout,408 Request Time-out,409 Conflict,410 Gone,411 Length Required,
412 Precondition Failed,413 Content Too Large,413 Payload Too Large,413 Request Entity Too Large,414 URI Too Long,
414 Request-URI Too Large,415 Unsupported Media Type,416 Range Not Satisfiable,417 Expectation Failed,421 Misdirected Request,
422 Unprocessable Content,422 Unprocessable Entity,423 Locked,424 Failed Dependency,425 Too Early,426 Upgrade Required,
428 Precondition Required,429 Too Many Requests,431 Request Header Fields Too Large,451 Unavailable For Legal Reasons,
500 Internal Server Error,501 Not Implemented,502 Bad Gateway,503 Service Unavailable,504 Gateway Timeout,504 Gateway Time-out,
505 HTTP Version Not Supported,506 Variant Also Negotiates,507 Insufficient Storage,508 Loop Detected,510 Not Extended,
511 Network Authentication Required`
    .toLowerCase()
    .split(/,\n?/),
);

/** Whether a reason phrase says no more than its status, or is empty. */
export const isStandardReason = (status: number, reason: string): boolean =>
  reason.trim() === "" || standard.has(`${status} ${reason.trim().toLowerCase()}`);

/** What arrived of a response that breaks a rule of HTTP, or is no HTTP at all. The texts are without secrets. */
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

/** Reads what had arrived. All of it is searched for secrets before a part is taken. */
export function readBroken({ problem, bytes }: BrokenHttp, known: Redactor): BrokenResponse {
  const redact = known.forResponse();
  // A character that is cut at the end is left out.
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
  const isUtf8 = !utf8.includes("\ufffd");
  const text = isUtf8 ? utf8 : Buffer.from(bytes).toString("latin1");
  const whole = redact.and([], Number.POSITIVE_INFINITY);
  // UTF-16 is full of NULs. A text that holds a secret without them is masked whole.
  const dense = text.replaceAll("\0", "");
  // The last word goes after the search, since a secret can hold white space.
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
