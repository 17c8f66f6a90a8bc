import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type InputError, wrongSettings } from "../errors.ts";
import { answerTo, respond, respondRaw } from "./answers.ts";
import type { Service } from "./authenticate.ts";
import { control, isControl, longestControlBody } from "./control.ts";
import { decide } from "./decide.ts";
import { type Answer, because, type Decision, decided, faults } from "./decision.ts";
import type { AllOptions } from "./options.ts";
import { logLine, receivedRequest } from "./received.ts";
import { type EmulatorRequest, protocolError, readBody, requestOf } from "./requests.ts";

const maximumBodyBytes = 16 * 1024;
const maximumRequestMilliseconds = 10_000;
const mostRequests = 1_000;

const limits = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: maximumRequestMilliseconds,
  requestTimeout: maximumRequestMilliseconds,
  connectionsCheckingInterval: 1000,
  // Let requests without Host through, so that decide() refuses them and they are logged.
  requireHostHeader: false,
} as const;

/**
 * Starts the API's server. `now` gives milliseconds since the epoch. Each request, and bytes that are none, are logged before
 * they are answered. `close` ends all connections and resolves when none is left. Rejects with InputError (settings) if it
 * cannot open the port.
 */
export async function listen(
  service: Service,
  { host, port, clockOffsetSeconds, latencyMs, cert, key, log }: Omit<AllOptions, "accounts">,
  now: () => number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  let isClosing = false;
  const sockets = new Set<Socket>();
  const answering = new WeakSet<Duplex>();
  const clock = (): number => now() + clockOffsetSeconds * 1000;
  const date = (): string => new Date(clock()).toUTCString();
  function answerOf(request: Partial<EmulatorRequest>, decision: Decision): Answer {
    // What is no request has no credentials, so its reason tells nothing about them.
    const answer = answerTo(decision, { explain: service.explain || request.path === undefined });
    const received = receivedRequest(request, decision, answer, service.accounts, now());
    service.requests.push(received);
    if (service.requests.length > mostRequests) service.requests.shift();
    log(logLine(received), received);
    return answer;
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = requestOf(incoming);
    const isForUs = isControl(request.path, service);
    const body = await readBody(incoming, isForUs ? longestControlBody : maximumBodyBytes);
    if (body === "gone") return;
    const isTooLarge = body === "too-large";
    const decision = isForUs
      ? control(request, body, service)
      : isTooLarge
        ? decided(413, because("body", `more than ${maximumBodyBytes} bytes; none are expected`))
        : decide(request, service, Math.floor(clock() / 1000));
    const answer = isForUs ? answerTo(decision, { explain: true }) : answerOf(request, decision);
    const waitMs = isForUs ? 0 : latencyMs + (decision.instead.delaySeconds ?? 0) * 1000;
    if (waitMs > 0) await delay(waitMs, null, { ref: false });
    if (isClosing) return;
    answering.add(incoming.socket);
    response.once("close", () => answering.delete(incoming.socket));
    // Close the connection. To keep it, the server would have to read the rest of the body.
    if (isTooLarge) response.shouldKeepAlive = false;
    respond(response, answer, date(), () => {
      // Only the connection below TLS can be reset.
      const { remoteAddress, remotePort } = incoming.socket;
      for (const socket of sockets)
        if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress)
          socket.resetAndDestroy();
    });
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => {
      request.socket.destroy();
      const name = error instanceof Error ? error.name : "unknown";
      answerOf({}, decided(500, because("failure inside the emulator", name), { instead: faults.reset }));
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
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("clientError", (error: Error, socket: Duplex) => {
    const decision = protocolError(error);
    // Do not write a second status line into a response.
    if (decision === null || answering.has(socket)) socket.destroy();
    else if (!socket.writable) answerOf({}, { ...decision, instead: faults.reset });
    else respondRaw(socket, answerOf({}, decision), date());
  });
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    const decision = decided(405, because("method", "CONNECT is for proxies; this server is a base URL"));
    respondRaw(socket, answerOf({ method: "CONNECT" }, decision), date());
  });

  return {
    port: await portOf(server, host, port),
    async close() {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

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
