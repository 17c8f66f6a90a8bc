import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with these files, closed to others, until the test is finished. Objects are written as JSON. */
export function folderWith(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "referral-auth-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const written = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(join(folder, name), written ? content : JSON.stringify(content), { mode: 0o600 });
  }
  return folder;
}

/** A listener that counts who comes, answers with these bytes and hangs up. */
export interface Canary {
  readonly port: number;
  readonly connections: () => number;
  readonly received: () => string;
}

/** Listens until the test is finished; on loopback unless another address of this machine is given. */
export async function canary(answer: string, address = "127.0.0.1"): Promise<Canary> {
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
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
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
