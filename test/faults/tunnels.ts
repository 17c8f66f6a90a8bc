import { connect } from "node:net";
import { head } from "./answers.ts";
import { host, trusting } from "./authority.ts";
import { type Act, accepting, type Peer } from "./peers.ts";

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

/** A way to this TLS server that closes every connection whose first message offers a session. */
export function refusingSessions(peer: Peer): Promise<Peer> {
  let first = 0;
  return accepting("https", (socket) => {
    socket.once("data", (hello: Buffer) => {
      first ||= hello.length;
      // A first message that offers a session is longer.
      if (hello.length > first + 30) {
        socket.destroy();
        return;
      }
      const onward = connect(Number(new URL(peer.url).port), "127.0.0.1");
      onward.on("error", () => {});
      onward.write(hello);
      socket.pipe(onward).pipe(socket);
    });
  });
}

/** An https base URL with the CA trusted, behind this proxy. The test observes the proxy. */
export async function behind(proxy: Peer | Promise<Peer>): Promise<Peer> {
  const peer = await proxy;
  return { ...peer, url: `https://${host}`, args: [...trusting(), "--proxy", peer.url] };
}
