import { connect } from "node:net";
import { join } from "node:path";
import { folderWith } from "../support/folder.ts";
import { answer, head, successText } from "./answers.ts";
import { identity } from "./certificates.ts";
import { type Act, type Peer, securing, sends } from "./peers.ts";

const authority = { commonName: "Faults CA", ...identity({ commonName: "Faults CA" }) };

/** The name that the proxied server's certificate is made for. Nothing resolves it (RFC 6761): only a proxy gets there. */
export const host = "api.invalid";
/** A certificate for that name and for this machine. */
export const trusted = identity({ commonName: host, names: [`DNS:${host}`, "IP:127.0.0.1"] }, authority);

/** A server of the API that the arguments of `caArgs` make trusted. */
export const api = (): Promise<Peer> => securing(trusted, sends(answer("200 OK", successText)));

/** The arguments that make the program trust these servers. */
export const caArgs = (): readonly string[] => [
  "--ca-cert",
  join(folderWith({ "ca.pem": authority.cert }), "ca.pem"),
];

/** A proxy that connects to this peer, whatever host it is asked for. */
export function tunnelsTo(peer: Peer): Act {
  return (socket) => {
    const { hostname, port } = new URL(peer.url);
    const onward = connect(Number(port), hostname, () => {
      socket.write(head("HTTP/1.1 200 Connection established"));
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.once("close", () => onward.destroy());
  };
}
