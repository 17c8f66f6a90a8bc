import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type Answer, bodiless, combined, type Decision, reasonText } from "./decision.ts";

const json = { "Content-Type": "application/json", "Cache-Control": "no-cache" } as const;
const allow = { Allow: "GET, OPTIONS" } as const;

type Fields = Readonly<Record<string, string>>;

/** The header fields of an accepted request (specification, sections 2 and 4). */
const acceptedHeaders: Fields = { "Access-Control-Allow-Origin": "*", ...allow };

// No Access-Control-Allow-Origin on an error, so that no web page can read it.
const errorHeaders: Readonly<Record<number, Fields>> = {
  401: { "WWW-Authenticate": 'WSSE realm="referral-auth emulator", profile="UsernameToken"' },
  405: allow,
  429: { "Retry-After": "1" },
  503: { "Retry-After": "1" },
};

/**
 * The answer that a decision leads to: `{ code, message }` in JSON, as the specification shows a success (sections 2 and 4).
 * It does not show errors (section 7), so their status codes, shape and words are the emulator's own. A forced status has the
 * body of an error, even if it means success.
 */
export function answerTo(
  { accepted, status, reasons, message, instead }: Decision,
  { explain }: { readonly explain: boolean },
): Answer {
  const usual = status === 401 ? "The credentials were not accepted" : STATUS_CODES[status];
  const general = message ?? usual ?? `Status ${status}`;
  // The first reason alone: after a wrong digest, nobody may learn which nonces were used.
  const why = explain ? `: ${reasonText(reasons.slice(0, 1))}` : "";
  const words = accepted ? general : `${general}${why}.`;
  const isBodiless = bodiless.includes(status);
  const usualHeaders = accepted ? acceptedHeaders : (errorHeaders[status] ?? {});
  const own = isBodiless ? (accepted ? allow : {}) : usualHeaders;
  const body = isBodiless ? "" : (instead.body ?? JSON.stringify({ code: status, message: words }));
  const { end } = instead;
  const type = isBodiless || instead.body !== undefined ? {} : json;
  return { status, headers: combined(type, own, instead.headers ?? {}), body, ...(end && { end }) };
}

// RFC 9110, section 8.6: these have no Content-Length.
const lengthless: readonly number[] = [204, 304];

function fields({ status, headers, body, end }: Answer, date: string): Fields {
  // The rest of an answer that is cut off is missing, even if its body is empty.
  const length = Math.max(Buffer.byteLength(body), end === "cut off" ? 1 : 0);
  const isCounted = end !== "never" && !lengthless.includes(status);
  const all = combined({ Date: date, ...(isCounted && { "Content-Length": String(length) }) }, headers);
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** Sends the answer, or what there is of it. `date` is the value of the Date header. `reset` resets the connection. */
export function respond(response: ServerResponse, answer: Answer, date: string, reset: () => void): void {
  const { status, body, end } = answer;
  response.sendDate = false;
  if (end !== "reset") response.writeHead(status, fields(answer, date));
  if (end === undefined) response.end(body);
  else if (end === "reset") reset();
  else if (end === "never") response.write(body);
  else {
    const bytes = Buffer.from(body);
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }
}

/** Answers something that is not a request, for which Node has no response object, and closes the connection. */
export function respondRaw(socket: Duplex, answer: Answer, date: string): void {
  const head = Object.entries({ ...fields(answer, date), Connection: "close" })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  // Node has removed its own listener. Without one, an error of a client that is gone would end the server.
  socket.on("error", () => socket.destroy());
  // Close the connection after the response, since the client may keep its side open for ever.
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${head}\r\n${answer.body}`, () =>
    socket.destroy(),
  );
}
