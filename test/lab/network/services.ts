import { connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { identity } from "../../faults/certificates.ts";

/** The name of the API, and of every server of an account. */
export const apiName = "api.example.com";

const authority = { commonName: "Network CA", ...identity({ commonName: "Network CA" }) };
const genuine = identity({ commonName: apiName, names: [`DNS:${apiName}`, "DNS:*.example.com"] }, authority);

/** The CA's certificate that the clients trust. */
export const authorityCertificate = authority.cert;

const body = JSON.stringify({ code: 200, message: "authenticated" });
const response = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;

const ignore = (): void => {};

/** Calls back with all that arrived until the head of a request is complete, once. */
function onHead(socket: Socket, act: (head: string) => void): void {
  let head = "";
  socket.on("error", ignore);
  socket.on("data", function more(chunk: Buffer) {
    head += chunk.toString("latin1");
    if (!head.includes("\r\n\r\n")) return;
    socket.off("data", more);
    act(head);
  });
}

/** The API behind TLS; its answer can be late. */
const api = (delayMs = 0): Server =>
  createTlsServer(genuine, (socket) =>
    onHead(socket, () => setTimeout(() => socket.end(response), delayMs)),
  ).on("tlsClientError", ignore);

/** A proxy on this address, which takes every name for this machine. */
const proxy = (host: string): Server =>
  createServer((socket) =>
    onHead(socket, (head) => {
      const port = Number(/^CONNECT \S+:(\d+) /.exec(head)?.[1] ?? 1);
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      const onward = connect({ host, port }).on("error", () => socket.destroy());
      socket.once("close", () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    }),
  );

/** The port of each service. */
export const portOf = { api: 443, slow: 451, proxy: 3128 } as const;

/** Starts all services on this address. Resolves when all listen. */
export async function startServices(host: string): Promise<void> {
  const servers: Readonly<Record<keyof typeof portOf, Server>> = {
    api: api(),
    slow: api(6_000),
    proxy: proxy(host),
  };
  const started = Object.entries(portOf).map(
    ([name, port]) =>
      new Promise<void>((resolve, reject) =>
        servers[name as keyof typeof portOf].once("error", reject).listen({ port, host }, resolve),
      ),
  );
  await Promise.all(started);
}
