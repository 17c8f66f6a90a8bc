import { connect } from "node:net";
import { head } from "./answers.ts";
import { host, trusting } from "./authority.ts";
import type { Act, Peer } from "./peers.ts";

/** The response of a proxy to a successful CONNECT. */
export const connected = head("HTTP/1.1 200 Connection established");

/** A proxy that connects to this peer, whatever host it is asked for. */
export function tunnelsTo(peer: Peer): Act {
  return (socket) => {
    const { hostname, port } = new URL(peer.url);
    const onward = connect(Number(port), hostname, () => {
      socket.write(connected);
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.once("close", () => onward.destroy());
  };
}

/** An https base URL with the CA trusted, behind this proxy. The test observes the proxy. */
export async function behind(proxy: Peer | Promise<Peer>): Promise<Peer> {
  const peer = await proxy;
  return { ...peer, url: `https://${host}`, args: [...trusting(), "--proxy", peer.url] };
}
