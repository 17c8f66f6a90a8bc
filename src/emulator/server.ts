import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { InputError } from "../errors.ts";
import { decide, type RequestError, refusal, type Service } from "./decide.ts";
import { defaults, type EmulatorOptions } from "./emulator-options.ts";
import { nonceMemory } from "./nonces.ts";
import { requestLog } from "./request-log.ts";
import { credentialsOf, discardBody, headOf, protocolError } from "./requests.ts";
import { respond, respondRaw } from "./responses.ts";

/** A running emulator. `url` is its base URL; `close` ends all connections and resolves when none is left. */
export interface Emulator {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const maximumHeaderBytes = 8 * 1024;
const maximumBodyBytes = 16 * 1024;
const maximumRequestMilliseconds = 10_000;

/** Starts the API's server on 127.0.0.1, and on no other address. Throws InputError (settings) if it cannot open the port. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const chosen = { ...defaults, ...options };
  const { credentials, now, digest, hash, windowSeconds, strict, authorization, explain } = chosen;
  const service: Service = {
    rules: { credentials, digest, hash, windowSeconds, strict, authorization },
    nonces: nonceMemory(windowSeconds, chosen.maximumNonces),
    forced: chosen.answer,
    explain,
  };
  const closing = new AbortController();
  const answering = new WeakSet<Duplex>();
  const log = requestLog(chosen, credentials);

  const clock = (): number => now() + chosen.clockOffsetSeconds * 1000;
  const date = (): string => new Date(clock()).toUTCString();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await discardBody(request, maximumBodyBytes);
    if (body === "gone") return;
    const head = headOf(request);
    const decision =
      body === "too-large"
        ? refusal(
            { status: 413, reason: `body: more than ${maximumBodyBytes} bytes; none are expected` },
            service,
          )
        : decide(head, credentialsOf(request), service, Math.floor(clock() / 1000));
    if (chosen.latencyMilliseconds > 0) {
      await delay(chosen.latencyMilliseconds, null, { signal: closing.signal });
    }
    log.addDecision(head.method, head.path, decision);
    answering.add(request.socket);
    response.once("close", () => answering.delete(request.socket));
    // Close the connection. To keep it, the server would have to read the rest of the body.
    if (body === "too-large") response.shouldKeepAlive = false;
    respond(response, decision.reaction, date());
  }

  function refuseRaw(socket: Duplex, method: string | null, error: RequestError): void {
    log.add({ method, status: error.status, remark: error.reason });
    respondRaw(socket, refusal(error, service).reaction, date());
  }

  const limits = {
    maxHeaderSize: maximumHeaderBytes,
    headersTimeout: maximumRequestMilliseconds,
    requestTimeout: maximumRequestMilliseconds,
    connectionsCheckingInterval: 1000,
    // Let requests without Host through, so that decide() refuses them and they are logged.
    requireHostHeader: false,
  };
  const server = createServer(limits, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      request.socket.destroy();
      if (closing.signal.aborted) return;
      const name = error instanceof Error ? error.name : "unknown";
      log.add({ remark: `failure inside the emulator: ${name}` });
    });
  });
  // No limit on the number of headers: Node would drop the last ones silently, maybe an Origin. Their size is limited.
  server.maxHeadersCount = 0;
  server.on("clientError", (error, socket) => {
    const problem = protocolError(error);
    // Do not write a second status line into a response.
    if (problem === null || !socket.writable || answering.has(socket)) socket.destroy();
    else refuseRaw(socket, null, problem);
  });
  server.on("connect", (_request, socket) => {
    const reason = "method: CONNECT is for proxies; this server is a base URL";
    refuseRaw(socket, "CONNECT", { status: 405, reason });
  });

  const port = await listen(server, chosen.port);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

// Only loopback: other machines in the network must not reach a server whose credentials are printed here.
const host = "127.0.0.1";

/**
 * Makes the server listen on 127.0.0.1 and resolves with its port; 0 asks for any free one. Throws InputError (settings) if
 * it cannot open the port.
 */
function listen(server: Server, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portError(error, wanted)));
    server.listen({ host, port: wanted, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : wanted);
    });
  });
}

function portError({ code }: NodeJS.ErrnoException, wanted: number): InputError {
  const hint = "Choose another with --port, or leave out --port to use any free one";
  switch (code) {
    case "EADDRINUSE":
      return new InputError("settings", `Port ${wanted} of ${host} is in use by another program`, hint);
    case "EACCES":
      return new InputError("settings", `This user may not open port ${wanted} of ${host}`, hint);
    default:
      return new InputError(
        "settings",
        `Port ${wanted} of ${host} cannot be opened (${code ?? "unknown"})`,
        hint,
      );
  }
}
