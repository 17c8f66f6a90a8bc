import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";

/** A request as the server saw it. */
interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly headerNames: readonly string[];
  readonly bodyLength: number;
}

/** A server of the test's own on loopback. */
export interface Served {
  readonly url: string;
  readonly requests: readonly Seen[];
  readonly connections: () => number;
  /** How many connections are open once those that are closing have closed. */
  readonly openConnections: () => Promise<number>;
}

/** Serves until the test is finished; counts connections and keeps every request. */
export async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Served> {
  const requests: Seen[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let bodyLength = 0;
    request.on("data", (chunk: Buffer) => (bodyLength += chunk.length));
    request.on("end", () => {
      const { method, url: path, headers, rawHeaders } = request;
      const headerNames = rawHeaders.filter((_, index) => index % 2 === 0);
      requests.push({ method, path, headers, headerNames, bodyLength });
      handle(request, response);
    });
  });
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    const open = await openConnections();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(open, "connections left open").toBe(0);
  });
  const { port } = server.address() as AddressInfo;
  const openConnections = async (): Promise<number> => {
    const open = promisify(server.getConnections.bind(server));
    for (let attempt = 0; attempt < 50 && (await open()) > 0; attempt += 1) await delay(10);
    return open();
  };
  return { url: `http://127.0.0.1:${port}`, requests, connections: () => connections, openConnections };
}

/** Answers with a status and a JSON body. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** The specified success. */
export const success = {
  code: 200,
  message: "Hello planted@example.com! You were successfully authenticated.",
};

/** Serves the same answer to each request: by default the specified success, with its code changed for another status. */
export const serveAlways = (status = 200, body: object = { ...success, code: status }): Promise<Served> =>
  serve((_request, response) => json(response, status, body));
