// What a response says beside its body, what of it is hidden, and which reason phrases say nothing.

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
