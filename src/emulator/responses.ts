import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { FaultName, ForcedAnswer } from "./values.ts";

/** How to react to a request: send a response, begin one and never end it, or reset the connection. */
export type Reaction = EmulatorResponse | "slow" | "reset";

/** An HTTP response without its Date. */
export interface EmulatorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The one path of the specification (section 4). */
export const endpointPath = "/test-authentication";

const allow = { Allow: "GET, OPTIONS" } as const;
const json = { "Content-Type": "application/json", "Cache-Control": "no-cache" } as const;

/**
 * The documented success (specification, sections 2 and 4). The message greets the Username of WSSE, or, without one,
 * a generic user of X-Auth-Token.
 */
export function acceptance(username: string | undefined): EmulatorResponse {
  const message =
    username === undefined
      ? "Hello, user! You are successfully authenticated with X-Auth-Token."
      : `Hello, ${username}! You are successfully authenticated on the platform.`;
  return {
    status: 200,
    headers: { ...json, "Access-Control-Allow-Origin": "*", ...allow },
    body: JSON.stringify({ code: 200, message }),
  };
}

/** The response to OPTIONS. It has no body, since the specification does not show one. */
export const optionsResponse: EmulatorResponse = { status: 204, headers: allow, body: "" };

// No Access-Control-Allow-Origin on an error, so that no web page can read it.
const headersOf: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { "WWW-Authenticate": 'WSSE realm="referral-auth emulator", profile="UsernameToken"' },
  405: allow,
  429: { "Retry-After": "1" },
  503: { "Retry-After": "1" },
};

// RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5: these have no content.
const bodiless: readonly number[] = [204, 205, 304];

function generalMessage(status: number): string {
  return status === 401 ? "The credentials were not accepted" : (STATUS_CODES[status] ?? `Status ${status}`);
}

/**
 * An error, `{ code, message }` in JSON. The specification does not show errors (section 7), so status codes, shape and
 * words are the emulator's own. The message ends with the reason, if there is one.
 */
export function errorResponse(
  status: number,
  reason: string | null,
  general = generalMessage(status),
): EmulatorResponse {
  if (bodiless.includes(status)) return { status, headers: {}, body: "" };
  const message = reason === null ? `${general}.` : `${general}: ${reason}.`;
  return {
    status,
    headers: { ...json, ...headersOf[status] },
    body: JSON.stringify({ code: status, message }),
  };
}

const faults: Readonly<Record<FaultName, Reaction>> = {
  // The kind of response that a captive portal or a wrong base URL gives.
  html: {
    status: 200,
    headers: { "Content-Type": "text/html; charset=utf-8" },
    body: "<!doctype html>\n<title>Sign in to this network</title>\n<p>This is not the API.</p>\n",
  },
  // The emulator has no such path.
  redirect: { status: 302, headers: { Location: "/sign-in" }, body: "" },
  slow: "slow",
  reset: "reset",
};

/** The reaction that `--answer` asks for. A status has the body of an error, even if it means success. */
export function forcedReaction(forced: ForcedAnswer, reason: string | null): Reaction {
  return typeof forced === "number" ? errorResponse(forced, reason) : faults[forced];
}

// RFC 9110, section 8.6: these have no Content-Length.
const lengthless: readonly number[] = [204, 304];

function fields({ status, headers, body }: EmulatorResponse, date: string): Record<string, string> {
  const length = lengthless.includes(status) ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  return { ...headers, ...length, Date: date };
}

/** Sends the response, begins one that never ends, or resets the connection. `date` is the value of the Date header. */
export function respond(response: ServerResponse, reaction: Reaction, date: string): void {
  response.sendDate = false;
  if (reaction === "reset") {
    response.socket?.resetAndDestroy();
  } else if (reaction === "slow") {
    response.writeHead(200, { "Content-Type": "application/json", Date: date });
    response.write('{"code": 200, ');
  } else {
    response.writeHead(reaction.status, fields(reaction, date)).end(reaction.body);
  }
}

/** Answers something that is not a request, for which Node has no response object, and closes the connection. */
export function respondRaw(socket: Duplex, answer: EmulatorResponse, date: string): void {
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
