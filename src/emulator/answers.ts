import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type Answer, type Decision, reasonText } from "./decision.ts";

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

// RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5: these have no content.
const bodiless: readonly number[] = [204, 205, 304];

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
  const [headers, body] = bodiless.includes(status)
    ? [accepted ? allow : {}, ""]
    : [
        { ...json, ...(accepted ? acceptedHeaders : errorHeaders[status]) },
        JSON.stringify({ code: status, message: words }),
      ];
  return { status, headers, body, ...instead };
}

// RFC 9110, section 8.6: these have no Content-Length.
const lengthless: readonly number[] = [204, 304];

function fields({ status, headers, body }: Answer, date: string): Record<string, string> {
  const length = lengthless.includes(status) ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  return { ...headers, ...length, Date: date };
}

/** Sends the answer, or what there is of it. `date` is the value of the Date header. */
export function respond(response: ServerResponse, answer: Answer, date: string): void {
  const { status, headers, body, end } = answer;
  response.sendDate = false;
  if (end === "reset") response.socket?.resetAndDestroy();
  else if (end === "never") response.writeHead(status, { ...headers, Date: date }).write(body);
  else response.writeHead(status, fields(answer, date)).end(body);
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
