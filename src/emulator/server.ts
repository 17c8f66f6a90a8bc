import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { InputError } from "../errors.ts";
import { type Decision, decide, decided, refusal, type Service } from "./decide.ts";
import { receivedRequest } from "./received.ts";
import {
  discardBody,
  type EmulatorRequest,
  protocolError,
  type RequestError,
  requestOf,
} from "./requests.ts";
import { respond, respondRaw } from "./responses.ts";
import type { ReceivedRequest } from "./values.ts";

/** Where a server listens, and by which clock it answers. */
export interface ServerOptions {
  readonly service: Service;
  /** The IP address to listen on, and the port; 0 means any free one. */
  readonly host: string;
  readonly port: number;
  /** Milliseconds since the epoch. The server's clock is ahead of it by the offset. */
  readonly now: () => number;
  readonly clockOffsetSeconds: number;
  readonly latencyMs: number;
  /** Called for each request before it is answered, and for bytes that are no request. */
  readonly received: (request: ReceivedRequest) => void;
}

const maximumBodyBytes = 16 * 1024;
const maximumRequestMilliseconds = 10_000;

const limits = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: maximumRequestMilliseconds,
  requestTimeout: maximumRequestMilliseconds,
  connectionsCheckingInterval: 1000,
  // Let requests without Host through, so that decide() refuses them and they are logged.
  requireHostHeader: false,
} as const;

/**
 * Starts the API's server. `close` ends all connections and resolves when none is left. Rejects with InputError (settings) if
 * it cannot open the port.
 */
export async function listen(
  options: ServerOptions,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const { service, now, clockOffsetSeconds, latencyMs } = options;
  let isClosing = false;
  const answering = new WeakSet<Duplex>();
  const clock = (): number => now() + clockOffsetSeconds * 1000;
  const date = (): string => new Date(clock()).toUTCString();
  const report = (request: Partial<EmulatorRequest>, decision: Decision): void =>
    options.received(receivedRequest(request, decision, service.accounts, now()));

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await discardBody(incoming, maximumBodyBytes);
    if (body === "gone") return;
    const request = requestOf(incoming);
    const isTooLarge = body === "too-large";
    const tooLarge = `body: more than ${maximumBodyBytes} bytes; none are expected`;
    const decision = isTooLarge
      ? refusal({ status: 413, reason: tooLarge }, service)
      : decide(request, service, Math.floor(clock() / 1000));
    if (latencyMs > 0) await delay(latencyMs, null, { ref: false });
    if (isClosing) return;
    report(request, decision);
    answering.add(incoming.socket);
    response.once("close", () => answering.delete(incoming.socket));
    // Close the connection. To keep it, the server would have to read the rest of the body.
    if (isTooLarge) response.shouldKeepAlive = false;
    respond(response, decision.reaction, date());
  }

  function refuseRaw(socket: Duplex, request: Partial<EmulatorRequest>, error: RequestError): void {
    const decision = refusal(error, service);
    report(request, decision);
    respondRaw(socket, decision.reaction, date());
  }

  const server = createServer(limits, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      request.socket.destroy();
      const name = error instanceof Error ? error.name : "unknown";
      report({}, decided("reset", `failure inside the emulator: ${name}`));
    });
  });
  // No limit on the number of headers: Node would drop the last ones silently, maybe an Origin. Their size is limited.
  server.maxHeadersCount = 0;
  server.on("clientError", (error, socket) => {
    const problem = protocolError(error);
    // Do not write a second status line into a response.
    if (problem === null || !socket.writable || answering.has(socket)) socket.destroy();
    else refuseRaw(socket, {}, problem);
  });
  server.on("connect", (_request, socket) => {
    const reason = "method: CONNECT is for proxies; this server is a base URL";
    refuseRaw(socket, { method: "CONNECT" }, { status: 405, reason });
  });

  return {
    port: await portOf(server, options),
    async close() {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Makes the server listen and resolves with its port. Rejects with InputError (settings) if it cannot open the port. */
function portOf(server: Server, { host, port }: ServerOptions): Promise<number> {
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
  return new InputError("settings", problem, hint);
}
