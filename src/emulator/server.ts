// Listens on a port, and sends each request through reading, judging, answering and logging.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { wrongSettings } from "../errors.ts";
import { type Answer, answerTo, because, bodiless, combined, type Judgement, judged } from "./answer.ts";
import type { Service } from "./credentials.ts";
import { isControl, judgeRequest, mostBodyBytes } from "./judge.ts";
import { logEntry, recordOfRequest } from "./log.ts";
import type { AllOptions } from "./options.ts";
import { type EmulatorRequest, protocolError, readBody, readRequest } from "./request.ts";

const maximumRequestMilliseconds = 10_000;
const mostRequests = 1_000;

const limits = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: maximumRequestMilliseconds,
  requestTimeout: maximumRequestMilliseconds,
  connectionsCheckingInterval: 1000,
  // Let requests without Host through, so that judge() refuses them and they are logged.
  requireHostHeader: false,
} as const;

/** Starts the server, which logs before it answers. Rejects with InputError if it cannot open the port. */
export async function listen(
  service: Service,
  { host, port, clockOffsetSeconds, cert, key, log, unref }: Omit<AllOptions, "accounts">,
  now: () => number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  // A connection has one request at a time: the answers of steering are long, and a client may ask for many and read none.
  const sockets = new Map<Socket, Promise<unknown>>();
  const clock = (): number => now() + clockOffsetSeconds * 1000;
  const date = (): string => new Date(clock()).toUTCString();
  function answerOf(request: Partial<EmulatorRequest>, judgement: Judgement): Answer {
    const answer = answerTo(judgement, service);
    const received = recordOfRequest(request, judgement, answer, service.accounts, now());
    service.requests.push(received);
    if (service.requests.length > mostRequests) service.requests.shift();
    log(logEntry(received, service.accounts.all), received);
    return answer;
  }

  /** Answers what Node has no response object for by a status alone, and closes the connection. */
  function answerRaw(socket: Duplex, request: Partial<EmulatorRequest>, judgement: Judgement): void {
    // Node has removed its own listener. Without one, an error of a client that is gone would end the server.
    socket.on("error", () => socket.destroy());
    const { status } = answerOf(request, judgement);
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    // The client may keep its side open for ever.
    socket.end(head, () => socket.destroy());
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = incoming;
    const before = sockets.get(socket);
    const ended = new Promise((resolve) => response.once("close", resolve));
    sockets.set(socket, ended);
    await before;
    if (socket.destroyed) return;
    const request = readRequest(incoming);
    const body = await readBody(incoming, mostBodyBytes);
    const judgement = judgeRequest(request, body, service, Math.floor(clock() / 1000));
    const isForUs = isControl(request.path, service);
    const answer = isForUs ? answerTo(judgement, { explain: true }) : answerOf(request, judgement);
    const { delaySeconds = 0 } = answer;
    if (delaySeconds > 0) await delay(delaySeconds * 1000, null, { ref: false });
    respond(response, answer, date());
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => {
      request.socket.destroy();
      const name = error instanceof Error ? error.name : "unknown";
      answerOf(
        {},
        judged(500, [because("failure inside the emulator", name)], { instead: { cutOff: true } }),
      );
    });
  };
  const server =
    cert === null || key === null
      ? createServer(limits, listener)
      : createSecureServer({ ...limits, handshakeTimeout: maximumRequestMilliseconds, cert, key }, listener);
  // No limit on the number of headers: Node would drop the last ones silently, maybe an Origin. Their size is limited.
  server.maxHeadersCount = 0;
  server.on("connection", (socket: Socket) => {
    if (unref) socket.unref();
    sockets.set(socket, Promise.resolve());
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("clientError", (error: Error, socket: Duplex) => {
    const judgement = protocolError(error, service.accounts.shownName);
    if (judgement === null) socket.destroy();
    else if (!socket.writable) answerOf({}, { ...judgement, instead: { cutOff: true } });
    else answerRaw(socket, {}, judgement);
  });
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    const why = because("method", "CONNECT is for proxies; this server is a base URL");
    answerRaw(socket, { method: "CONNECT" }, judged(405, [why]));
  });

  const listeningOn = await portOf(server, host, port);
  if (unref) server.unref();
  return {
    port: listeningOn,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets.keys()) socket.destroy();
      await closed;
      // A client in this process that keeps connections reads their end in the next turn of the event loop, and closes them in the one
      // behind it. Before that it would send its next request on one of them, maybe to the next emulator of this port.
      await turn();
      await turn();
    },
  };
}

/** Makes the server listen and resolves with its port. Rejects with InputError (settings) if it cannot open the port. */
function portOf(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      const hint = "Choose another port or host, or leave both out to use any free port of 127.0.0.1";
      reject(wrongSettings(`Port ${port} of ${host} cannot be opened (${code ?? "unknown"})`, hint));
    });
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function fields({ status, headers, body, cutOff }: Answer, date: string): Readonly<Record<string, string>> {
  // The rest of an answer that is cut off is missing, even if its body is empty.
  const length = Math.max(Buffer.byteLength(body), cutOff ? 1 : 0);
  const isCounted = !bodiless.includes(status);
  const all = combined({ Date: date, ...(isCounted && { "Content-Length": String(length) }) }, headers);
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** Sends the answer, or the first half of it. `date` is the value of the Date header. */
function respond(response: ServerResponse, answer: Answer, date: string): void {
  response.sendDate = false;
  response.writeHead(answer.status, fields(answer, date));
  if (!answer.cutOff) {
    response.end(answer.body);
    return;
  }
  const bytes = Buffer.from(answer.body);
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}
