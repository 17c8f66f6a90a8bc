// What the log and `requests` tell of a request. Secrets are masked in what the client sent, and never in our own words.

import { escapeText } from "../redaction/escape.ts";
import { masked } from "../redaction/redact.ts";
import { wsseValue } from "../wsse/header.ts";
import type { KnownAccounts } from "./accounts.ts";
import { type Answer, foundText, type Judgement, reasonText } from "./answer.ts";
import { type EmulatorRequest, endpointPath, targetPath } from "./request.ts";
import { isWhole, mayHoldWsse, parseWsse, shownParts, wsseAuthorization } from "./username-token.ts";

/** One request that arrived, and how it was answered. No text holds a credential of an account, or a digest. */
export interface ReceivedRequest extends Pick<Judgement, "accepted" | "reasons" | "notes"> {
  /** When it had arrived, in milliseconds since the epoch. */
  readonly time: number;
  /** Null, like `path`, for bytes that are no HTTP request. */
  readonly method: string | null;
  /** Without its query. */
  readonly path: string | null;
  /** The header fields by their names in lower case; `[secret]` stands for credentials and digests. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the answer does not reach its end. */
  readonly status: number | null;
  /** The place in `accounts` of the account whose token or username it has, even if it is refused; null if none has it. */
  readonly account: number | null;
}

const credentialFieldNames = /^(?:(?:proxy-)?authorization|cookie|x-auth-token)$/;

function loggedValue(name: string, value: string, { redact }: KnownAccounts): string {
  if (name === "authorization" && wsseAuthorization.test(value)) return value;
  if (credentialFieldNames.test(name)) return masked;
  if (name !== "x-wsse") return mayHoldWsse(name, value) ? masked : redact(value);
  const read = parseWsse(value, redact);
  // If the header cannot be read, all of it could be the digest.
  return read.problems.size === 0 && isWhole(read.parts) ? wsseValue(shownParts(read, redact)) : masked;
}

/** The path of a request. The whole target is searched before it is cut at its query; a token such as `test` masks no part of the one path. */
function shownPath(path: string, target: string, { shown }: KnownAccounts): string {
  if (path === endpointPath) return path;
  const own = path.endsWith(endpointPath) ? endpointPath : "";
  return targetPath(shown(own === "" ? target : target.replace(own, ""))) + own;
}

/** The record of a request and its answer, for the log and for tests. For bytes that are no HTTP request, leave out the request. */
export function recordOfRequest(
  { method, target = "", path, headers = {} }: Partial<EmulatorRequest>,
  { reasons, accepted, account, notes }: Judgement,
  { status, cutOff }: Answer,
  accounts: KnownAccounts,
  time: number,
): ReceivedRequest {
  return {
    time,
    method: method ?? null,
    path: path === undefined ? null : shownPath(path, target, accounts),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, values = []]) => [
        accounts.shownName(name),
        values.map((value) => loggedValue(name, value, accounts)).join(", "),
      ]),
    ),
    status: cutOff ? null : status,
    accepted,
    account: accounts.placeOf(account),
    reasons,
    notes,
  };
}

/** How a terminal shows text: its colours, and lines that fit it. */
export interface Screen extends Readonly<Record<"good" | "bad" | "label", (text: string) => string>> {
  /** Breaks a text between words; further lines stand at this column. */
  wrapped(text: string, column: number): string;
}

/**
 * The entry of the log: time in UTC, method, path, status, every reason and note, and which of several accounts it was. For people at
 * a terminal the time is without its date, and each reason of a refusal stands below on a line of its own, with what to change behind it.
 */
export function logEntry(
  { time, method, path, status, accepted, reasons, notes, account }: ReceivedRequest,
  all: KnownAccounts["all"],
  screen?: Screen,
): string {
  const at = `${new Date(time).toISOString().slice(screen === undefined ? 0 : 11, 19)}Z`;
  const one = all.length > 1 && account !== null ? all[account] : undefined;
  const whose = one === undefined ? [] : [`account: ${escapeText(one.profile ?? one.username)}`];
  const remarks = notes.map((note) => `note: ${note}`);
  const request = [method ?? "-", path ?? "-"];
  if (screen === undefined)
    return [at, ...request, status ?? "-", [reasonText(reasons), ...remarks, ...whose].join("; ")].join(" ");
  const { label, wrapped } = screen;
  const answer = (accepted ? screen.good : screen.bad)(`${status ?? "-"}`);
  const inLine = [...(accepted ? [reasonText(reasons)] : []), ...whose].join("; ");
  const below = reasons.flatMap((reason) => [
    `  ${wrapped(foundText(reason), 2)}`,
    ...(reason.change === undefined ? [] : [`    ${label(wrapped(`to change: ${reason.change}`, 4))}`]),
    // A line that is broken could not be pasted.
    ...(reason.command === undefined ? [] : [`    ${reason.command}`]),
  ]);
  return [
    [label(at), ...request, answer, inLine].join(" ").trimEnd(),
    ...(accepted ? [] : below),
    ...remarks.map((note) => `  ${wrapped(note, 2)}`),
  ].join("\n");
}
