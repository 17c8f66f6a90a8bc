import { connect, createServer, type NetConnectOpts, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { identity } from "../../faults/certificates.ts";

/** The name of the API, and of every server of an account. */
export const apiName = "api.example.com";

const names = [`DNS:${apiName}`, "DNS:*.example.com", "DNS:xn--bcher-kva.example", "IP:198.51.100.10"];
const authority = { commonName: "Network CA", ...identity({ commonName: "Network CA" }) };
const genuine = identity({ commonName: apiName, names }, authority);
const portal = { commonName: "portal.example.net", names: ["DNS:portal.example.net"] };
const unknown = { commonName: "Unknown CA", ...identity({ commonName: "Unknown CA" }) };

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
function api(options: TlsOptions = genuine, delayMs = 0): Server {
  const server = createTlsServer(options, (socket) =>
    onHead(socket, () => setTimeout(() => socket.end(response), delayMs)),
  );
  return server.on("tlsClientError", ignore);
}

const tcp = (act: (socket: Socket) => void): Server =>
  createServer((socket) => act(socket.on("error", ignore)));

/** Connects both ways with a server of this machine, and gives it what was received already. */
function pass(socket: Socket, to: NetConnectOpts, received: Buffer = Buffer.alloc(0)): void {
  const onward = connect(to).on("error", () => socket.destroy());
  onward.write(received);
  socket.once("close", () => onward.destroy());
  socket.pipe(onward).pipe(socket);
}

/** A device in front of the API that acts on a ClientHello that needs two packets. */
const device = (act: (socket: Socket) => void) => (address: string) =>
  tcp((socket) =>
    socket.once("data", (hello: Buffer) =>
      hello.readUInt16BE(3) > 1_400 ? act(socket) : pass(socket, { host: address, port: 443 }, hello),
    ),
  );

const opened = "HTTP/1.1 200 Connection established\r\n\r\n";

/** A proxy, which takes every name for this machine. Its answer to CONNECT can be late, and its tunnel can be dead. */
const proxy =
  (delayMs = 0, isDead = false) =>
  (address: string) =>
    tcp((socket) =>
      onHead(socket, (head) => {
        const port = Number(/^CONNECT \S+:(\d+) /.exec(head)?.[1] ?? 1);
        setTimeout(() => {
          socket.write(opened);
          if (!isDead) pass(socket, { host: address, port });
        }, delayMs);
      }),
    );

/** The first bytes of the API's side of a handshake, and then nothing. */
const beginning = (address: string): Server =>
  tcp((socket) => {
    const onward = connect({ host: address, port: 443 }).on("error", ignore);
    socket.pipe(onward).once("data", (hello: Buffer) => socket.write(hello.subarray(0, 100)));
  });

/** Each service by its name in the tests, with its port and what listens there on an address. */
const services = {
  api: [443, () => api()],
  hotspot: [444, () => api(identity(portal))],
  selfSigned: [445, () => api(identity({ commonName: apiName, names }))],
  // The two alerts that OpenSSL sends alone: 40 is handshake_failure, 70 protocol_version (RFC 8446, 6.2).
  nothingInCommon: [
    446,
    () => tcp((socket) => socket.once("data", () => socket.end("\x15\x03\x03\0\x02\x02\x28"))),
  ],
  oldVersion: [
    456,
    () => tcp((socket) => socket.once("data", () => socket.end("\x15\x03\x01\0\x02\x02\x46"))),
  ],
  wantsCertificate: [
    447,
    () =>
      api({
        ...genuine,
        ca: authority.cert,
        requestCert: true,
        rejectUnauthorized: true,
        maxVersion: "TLSv1.2",
      }),
  ],
  resetsLargeHello: [448, device((socket) => socket.resetAndDestroy())],
  endsLargeHello: [449, device((socket) => socket.end())],
  silent: [450, () => tcp(ignore)],
  slow: [451, () => api(genuine, 6_000)],
  late: [452, () => api(genuine, 1_200)],
  partOfHandshake: [453, beginning],
  noTls: [
    454,
    () => tcp((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))),
  ],
  firewall: [455, () => api(identity(portal, unknown))],
  proxy: [3128, proxy()],
  deadTunnel: [3129, proxy(0, true)],
  refusingProxy: [
    3131,
    () => tcp((socket) => onHead(socket, () => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"))),
  ],
  slowProxy: [3130, proxy(1_200)],
} as const satisfies Readonly<Record<string, readonly [port: number, server: (address: string) => Server]>>;

/** The port of each service. */
export const portOf = Object.fromEntries(
  Object.entries(services).map(([name, [port]]) => [name, port]),
) as Readonly<Record<keyof typeof services, number>>;

/** Starts all services on this address. Resolves when all listen. */
export async function startServices(address: string): Promise<void> {
  const started = Object.values(services).map(
    ([port, server]) =>
      new Promise<void>((resolve, reject) =>
        server(address).once("error", reject).listen({ port, host: address }, resolve),
      ),
  );
  await Promise.all(started);
}
