import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Answer, Reply } from "./answers.ts";

// RFC 9110, section 8.6: neither carries a length of its own.
const lengthless: readonly number[] = [204, 304];

function fields({ status, headers, body }: Answer, date: string): Record<string, string> {
  const length = lengthless.includes(status) ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  return { ...headers, ...length, Date: date };
}

/**
 * Sends the answer, or does the harm that was asked for instead: an answer that never ends, or a reset connection.
 * `date` is the value of the Date header.
 */
export function respond(response: ServerResponse, reply: Reply, date: string): void {
  response.sendDate = false;
  if (reply === "reset") {
    response.socket?.resetAndDestroy();
  } else if (reply === "stall") {
    response.writeHead(200, { "Content-Type": "application/json", Date: date });
    response.write('{"code": 200, ');
  } else {
    response.writeHead(reply.status, fields(reply, date)).end(reply.body);
  }
}

/** Writes an answer where Node has no response object, since what came is no request, and closes the connection. */
export function respondRaw(socket: Duplex, answer: Answer, date: string): void {
  const head = Object.entries({ ...fields(answer, date), Connection: "close" })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  // Node takes its own listener away from such a socket, and a client that is gone is no failure of the server.
  socket.on("error", () => socket.destroy());
  // The peer may keep its side open for ever, so the end of the answer is the end of the connection.
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${head}\r\n${answer.body}`, () =>
    socket.destroy(),
  );
}
