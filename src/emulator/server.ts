import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { Mistake } from "../mistake.ts";
import { respond, respondRaw } from "./answers.ts";
import { shownText } from "./credentials.ts";
import { decide, refusal, type Service } from "./decide.ts";
import { nonceMemory } from "./nonces.ts";
import { defaults, type EmulatorOptions } from "./options.ts";
import { discardBody, headOf, presentedOf, protocolError } from "./requests.ts";

/** A running emulator. `url` is its base URL; `close` ends every connection and resolves when nothing is left open. */
export interface Emulator {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const maximumHeaderBytes = 8 * 1024;
const maximumBodyBytes = 16 * 1024;
const maximumRequestMilliseconds = 10_000;

/**
 * Starts the server side of the specification on 127.0.0.1, and on no other address. Throws Mistake (settings) where
 * the port cannot be had.
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const chosen = { ...defaults, ...options };
  const { credentials, now, digest, hash, windowSeconds, explain } = chosen;
  const service: Service = {
    rules: { credentials, digest, hash, windowSeconds },
    nonces: nonceMemory(windowSeconds, chosen.maximumNonces),
    forced: chosen.answer,
    explain,
  };
  const closing = new AbortController();
  const answering = new WeakSet<Duplex>();

  const clock = (): number => now() + chosen.clockOffsetSeconds * 1000;
  const date = (): string => new Date(clock()).toUTCString();
  const record = (entry: Omit<LogEntry, "now">): void => chosen.log(logLine({ now: now(), ...entry }));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await discardBody(request, maximumBodyBytes);
    if (body === "gone") return;
    const head = headOf(request);
    const { reply, remark, accepted } =
      body === "too-large"
        ? refusal(413, `body: more than ${maximumBodyBytes} bytes came, and none are expected`, service)
        : decide(head, presentedOf(request), service, Math.floor(clock() / 1000));
    if (chosen.latencyMilliseconds > 0) {
      await delay(chosen.latencyMilliseconds, null, { signal: closing.signal });
    }
    if (!accepted || !chosen.refusalsOnly) {
      const status = typeof reply === "string" ? null : reply.status;
      record({ method: head.method, path: shownText(head.path, credentials), status, remark });
    }
    answering.add(request.socket);
    response.once("close", () => answering.delete(request.socket));
    // Reading on, to keep the connection, would be the work that the bound is there to spare.
    if (body === "too-large") response.shouldKeepAlive = false;
    respond(response, reply, date());
  }

  function refuseRaw(socket: Duplex, method: string | null, status: number, reason: string): void {
    record({ method, path: null, status, remark: reason });
    respondRaw(socket, refusal(status, reason, service).reply, date());
  }

  const limits = {
    maxHeaderSize: maximumHeaderBytes,
    headersTimeout: maximumRequestMilliseconds,
    requestTimeout: maximumRequestMilliseconds,
    connectionsCheckingInterval: 1000,
    // A missing Host is refused here, where it can be logged.
    requireHostHeader: false,
  };
  const server = createServer(limits, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      request.socket.destroy();
      if (closing.signal.aborted) return;
      const name = error instanceof Error ? error.name : "unknown";
      record({ method: null, path: null, status: null, remark: `failure inside the emulator: ${name}` });
    });
  });
  // A limit on their number would drop the last headers without a word, an Origin among them; their size is bounded.
  server.maxHeadersCount = 0;
  server.on("clientError", (error, socket) => {
    const problem = protocolError(error);
    // A second status line in the middle of an answer would be worse than none.
    if (problem === null || !socket.writable || answering.has(socket)) socket.destroy();
    else refuseRaw(socket, null, problem.status, problem.reason);
  });
  server.on("connect", (_request, socket) => {
    refuseRaw(socket, "CONNECT", 405, "method: CONNECT is for proxies; this server is a base URL");
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

// Loopback and nothing else: what the emulator accepts is no secret from this machine, but it is from its network.
const host = "127.0.0.1";

/**
 * The port on which the server then listens, on 127.0.0.1 only; 0 asks for any that is free. Throws Mistake (settings)
 * where the port cannot be had.
 */
function listen(server: Server, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portMistake(error, wanted)));
    server.listen({ host, port: wanted, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : wanted);
    });
  });
}

function portMistake({ code }: NodeJS.ErrnoException, wanted: number): Mistake {
  const hint = "Choose another with --port, or leave out --port to use any free one";
  switch (code) {
    case "EADDRINUSE":
      return new Mistake("settings", `Port ${wanted} of ${host} is in use by another program`, hint);
    case "EACCES":
      return new Mistake("settings", `This user may not open port ${wanted} of ${host}`, hint);
    default:
      return new Mistake(
        "settings",
        `Port ${wanted} of ${host} cannot be opened (${code ?? "unknown"})`,
        hint,
      );
  }
}

/** What the log says of one request. `now` is in milliseconds since the epoch, a null is shown as `-`. */
interface LogEntry {
  readonly now: number;
  readonly method: string | null;
  readonly path: string | null;
  readonly status: number | null;
  readonly remark: string;
}

/** One line without its end: time in UTC to the second (ISO 8601), method, path, status, remark. All of it must be escaped before. */
function logLine({ now, method, path, status, remark }: LogEntry): string {
  const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
  return [time, method ?? "-", path ?? "-", status ?? "-", remark].join(" ");
}
