import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port of loopback on which nothing listens. Systems give `listen(0)` ports from 32768, so no server of another test takes this one
 * before it is opened, or when it is closed again.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768);
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  server.close();
  await once(server, "close");
  return port;
}
