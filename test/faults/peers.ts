import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { onTestFinished } from "vitest";

/** The other side of a test: its address, what a run needs to reach it, and what it received. */
export interface Peer {
  readonly url: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly connections: () => number;
  /** How many complete request heads arrived. */
  readonly requests: () => number;
  /** Everything that arrived in the clear. */
  readonly received: () => string;
}

/** What a peer does with a connection: when it opens, or when the head of a request has arrived. */
export type Act = (socket: Socket) => void;

interface Seen {
  connections: number;
  requests: number;
  received: string;
}

function onHead(socket: Socket, seen: Seen, act: Act): void {
  let head = "";
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    const text = chunk.toString("latin1");
    seen.received += text;
    if (head.includes("\r\n\r\n")) return;
    head += text;
    if (!head.includes("\r\n\r\n")) return;
    seen.requests += 1;
    act(socket);
  });
}

/** Listens on loopback until the test is finished, and ends every connection then. */
async function listen(server: Server, seen: Seen, scheme: string, host = "127.0.0.1"): Promise<Peer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    seen.connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, host, resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    connections: () => seen.connections,
    requests: () => seen.requests,
    received: () => seen.received,
  };
}

const nothingSeen = (): Seen => ({ connections: 0, requests: 0, received: "" });

/** A TCP server that acts on each request's head. */
export function answering(act: Act, host?: string): Promise<Peer> {
  const seen = nothingSeen();
  return listen(
    createServer((socket) => onHead(socket, seen, act)),
    seen,
    "http",
    host,
  );
}

/** A TCP server that acts on each connection at once, under any scheme. */
export function accepting(scheme: "http" | "https", act: Act): Promise<Peer> {
  return listen(createServer(act), nothingSeen(), scheme);
}

/** A TLS server that acts on each request's head. */
export function securing(options: TlsOptions, act: Act, host?: string): Promise<Peer> {
  const seen = nothingSeen();
  const server = createTlsServer(options, (socket) => onHead(socket, seen, act));
  // In most of these tests the client refuses the certificate.
  server.on("tlsClientError", () => {});
  return listen(server, seen, "https", host);
}

/** A missing peer: nothing listens on the port, or the name does not exist. */
export function absent(url: string, args: readonly string[] = []): Promise<Peer> {
  return Promise.resolve({ url, args, connections: () => 0, requests: () => 0, received: () => "" });
}

/** Nothing at all. */
export const silence: Act = () => {};

/** Sends these bytes and leaves the connection open, so that the program has to end it. */
export function sends(...parts: ReadonlyArray<string | Uint8Array>): Act {
  return (socket) => {
    for (const part of parts) socket.write(typeof part === "string" ? Buffer.from(part, "latin1") : part);
  };
}

const pause = 20;

/** Sends the text and then ends the connection in an orderly way (FIN). */
export function sendsThenEnds(text: string): Act {
  return (socket) => socket.write(text, () => setTimeout(() => socket.end(), pause));
}

/** Sends the text and then breaks the connection off (RST). */
export function sendsThenResets(text: string): Act {
  return (socket) => socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), pause));
}

/** Sends the beginning, and then one more byte every 20 ms for ever. */
export function drips(beginning: string, byte: string): Act {
  return (socket) => {
    socket.write(beginning);
    const timer = setInterval(() => socket.write(byte), 20);
    socket.once("close", () => clearInterval(timer));
  };
}

/** Sends the beginning, and then the block again and again, as fast as the client reads. */
export function floods(beginning: string, block: string | Uint8Array): Act {
  return (socket) => {
    socket.write(beginning, "latin1");
    const again = (): void => {
      if (socket.destroyed) return;
      if (socket.write(block)) setImmediate(again);
      else socket.once("drain", again);
    };
    again();
  };
}
