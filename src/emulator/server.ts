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
import { setTimeout as delay } from "node:timers/promises";
import { type InputError, wrongSettings } from "../errors.ts";
import { type Answer, answerTo, because, combined, faults, type Judgement, judged } from "./answer.ts";
import type { Service } from "./credentials.ts";
import { isControl, judge, mostBodyBytes } from "./judge.ts";
import { logLine, receivedRequest } from "./log.ts";
import type { AllOptions } from "./options.ts";
import { type EmulatorRequest, protocolError, readBody, requestOf } from "./request.ts";

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
  { host, port, clockOffsetSeconds, latencyMs, cert, key, log }: Omit<AllOptions, "accounts">,
  now: () => number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Map<string, Socket>();
  const answering = new WeakSet<Duplex>();
  const clock = (): number => now() + clockOffsetSeconds * 1000;
  const date = (): string => new Date(clock()).toUTCString();
  function answerOf(request: Partial<EmulatorRequest>, judgement: Judgement): Answer {
    // Bytes that are no request hold no credentials, so their reason tells nothing about any.
    const answer = answerTo(judgement, { explain: service.explain || request.path === undefined });
    const received = receivedRequest(request, judgement, answer, service.accounts, now());
    service.requests.push(received);
    if (service.requests.length > mostRequests) service.requests.shift();
    log(logLine(received, service.accounts), received);
    return answer;
  }

  async function waitBefore({ delaySeconds = 0 }: Answer): Promise<void> {
    const milliseconds = latencyMs + delaySeconds * 1000;
    if (milliseconds > 0) await delay(milliseconds, null, { ref: false });
  }

  /** Answers what Node has no response object for. */
  async function answerRaw(socket: Duplex, request: Partial<EmulatorRequest>, judgement: Judgement) {
    // Node has removed its own listener. Without one, an error of a client that is gone would end the server.
    socket.on("error", () => socket.destroy());
    const answer = answerOf(request, judgement);
    await waitBefore(answer);
    respondRaw(socket, answer, date());
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = requestOf(incoming);
    const body = await readBody(incoming, mostBodyBytes);
    const judgement = judge(request, body, service, Math.floor(clock() / 1000));
    const isForUs = isControl(request.path, service);
    const answer = isForUs ? answerTo(judgement, { explain: true }) : answerOf(request, judgement);
    if (!isForUs) await waitBefore(answer);
    answering.add(incoming.socket);
    response.once("close", () => answering.delete(incoming.socket));
    // Close the connection: of a body that is far too large, the rest is not read.
    if (body === null) response.shouldKeepAlive = false;
    // Only the connection below TLS can be reset.
    respond(response, answer, date(), () => sockets.get(nameOf(incoming.socket))?.resetAndDestroy());
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => {
      request.socket.destroy();
      const name = error instanceof Error ? error.name : "unknown";
      answerOf({}, judged(500, [because("failure inside the emulator", name)], { instead: faults.reset }));
    });
  };
  const server =
    cert === null || key === null
      ? createServer(limits, listener)
      : createSecureServer({ ...limits, handshakeTimeout: maximumRequestMilliseconds, cert, key }, listener);
  // No limit on the number of headers: Node would drop the last ones silently, maybe an Origin. Their size is limited.
  server.maxHeadersCount = 0;
  // Node would answer another expectation than 100-continue itself, with 417 and without a word in the log.
  server.on("checkExpectation", listener);
  server.on("connection", (socket: Socket) => {
    const name = nameOf(socket);
    sockets.set(name, socket);
    socket.once("close", () => sockets.delete(name));
  });
  server.on("clientError", (error: Error, socket: Duplex) => {
    const judgement = protocolError(error);
    // Do not write a second status line into a response.
    if (judgement === null || answering.has(socket)) socket.destroy();
    else if (!socket.writable) answerOf({}, { ...judgement, instead: faults.reset });
    else void answerRaw(socket, {}, judgement);
  });
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    const why = because("method", "CONNECT is for proxies; this server is a base URL");
    void answerRaw(socket, { method: "CONNECT" }, judged(405, [why]));
  });

  return {
    port: await portOf(server, host, port),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
  };
}

/** The client's address and port, which a TLS connection shares with the one that carries it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Makes the server listen and resolves with its port. Rejects with InputError (settings) if it cannot open the port. */
function portOf(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portError(error, host, port)));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function portError({ code }: NodeJS.ErrnoException, host: string, port: number): InputError {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use by another program`,
    EADDRNOTAVAIL: `${host} is no address of this machine`,
    EACCES: `This user may not open port ${port} of ${host}`,
  };
  const problem = problems[code ?? ""] ?? `Port ${port} of ${host} cannot be opened (${code ?? "unknown"})`;
  const hint = "Choose another port or host, or leave both out to use any free port of 127.0.0.1";
  return wrongSettings(problem, hint);
}

// RFC 9110, section 8.6: these have no Content-Length.
const lengthless: readonly number[] = [204, 304];

function fields({ status, headers, body, end }: Answer, date: string): Readonly<Record<string, string>> {
  // The rest of an answer that is cut off is missing, even if its body is empty.
  const length = Math.max(Buffer.byteLength(body), end === "cut off" ? 1 : 0);
  const isCounted = end !== "never" && !lengthless.includes(status);
  const all = combined({ Date: date, ...(isCounted && { "Content-Length": String(length) }) }, headers);
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** Sends the answer, or what there is of it. `date` is the value of the Date header. `reset` resets the connection. */
function respond(response: ServerResponse, answer: Answer, date: string, reset: () => void): void {
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
function respondRaw(socket: Duplex, answer: Answer, date: string): void {
  const head = Object.entries({ ...fields(answer, date), Connection: "close" })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  // Close the connection after the response, since the client may keep its side open for ever.
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${head}\r\n${answer.body}`, () =>
    socket.destroy(),
  );
}
