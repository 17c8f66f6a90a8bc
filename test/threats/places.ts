import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { onTestFinished } from "vitest";

/** A listener that counts who comes, answers with these bytes and hangs up. */
export interface Canary {
  readonly port: number;
  readonly connections: () => number;
  readonly received: () => string;
}

/** Listens until the test is finished; on loopback unless another address of this machine is given, at any free port. */
export async function canary(answer: string, address = "127.0.0.1", port = 0): Promise<Canary> {
  let connections = 0;
  let received = "";
  const server: Server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.includes("\r\n\r\n")) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  onTestFinished(() => void server.close());
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    received: () => received,
  };
}

const accepted = JSON.stringify({ code: 200, message: "Hello" });
/** The specified success, as bytes. */
export const acceptance = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${accepted.length}\r\nconnection: close\r\n\r\n${accepted}`;

/** An IPv4 address of this machine that is not loopback; undefined where it has none. */
export const otherAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
