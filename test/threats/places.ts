import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { onTestFinished } from "vitest";

/** Listens until the test is finished, on loopback at any free port unless told; counts who comes, answers with these bytes and hangs up. */
export async function canary(answer: string, address = "127.0.0.1", wanted = 0) {
  let connections = 0;
  let received = "";
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.includes("\r\n\r\n")) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(wanted, address, resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => connections, received: () => received };
}

const accepted = JSON.stringify({ code: 200, message: "Hello" });
/** The specified success, as bytes. */
export const acceptance = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${accepted.length}\r\nconnection: close\r\n\r\n${accepted}`;

/** An IPv4 address of this machine that is not loopback; undefined where it has none. */
export const otherAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
