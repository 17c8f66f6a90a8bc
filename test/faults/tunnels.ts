import { connect } from "node:net";
import { head } from "./answers.ts";
import { host, trusting } from "./authority.ts";
import type { Act, Peer } from "./peers.ts";

/** What a proxy answers to CONNECT when it has connected. */
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

/** An https base URL that trusts the CA, behind this proxy, which is the peer that the test looks at. */
export async function behind(proxy: Peer | Promise<Peer>): Promise<Peer> {
  const peer = await proxy;
  return { ...peer, url: `https://${host}`, args: [...trusting(), "--proxy", peer.url] };
}
