import { networkInterfaces } from "node:os";
import { answer, successText } from "../faults/answers.ts";
import { answering } from "../faults/peers.ts";

/** A server that counts who comes and answers with these bytes, on loopback unless told. */
export async function canary(bytes: string | Uint8Array, address?: string) {
  const peer = await answering((socket) => socket.end(bytes), address);
  return { ...peer, port: Number(new URL(peer.url).port) };
}

/** The specified success, as bytes. */
export const acceptance = answer("200 OK", successText);

/** An IPv4 address of this machine that is not loopback; undefined where it has none. */
export const otherAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
