import type { Server } from "node:http";
import { Mistake } from "../mistake.ts";

// Loopback and nothing else: what the emulator accepts is no secret from this machine, but it is from its network.
const host = "127.0.0.1";

/**
 * The port on which the server then listens, on 127.0.0.1 only; 0 asks for any that is free. Throws Mistake (settings)
 * where the port cannot be had.
 */
export function listen(server: Server, wanted: number): Promise<number> {
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
