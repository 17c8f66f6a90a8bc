import { join } from "node:path";
import { folderWith } from "../support/folder.ts";
import { answer, successText } from "./answers.ts";
import { type Identity, identity, type Wanted } from "./certificates.ts";
import { type Peer, securing, sends } from "./peers.ts";

const authority = { commonName: "Faults CA", ...identity({ commonName: "Faults CA" }) };

/** The CA's own certificate, in PEM. */
export const authorityCertificate = authority.cert;

/** A name that cannot be resolved (RFC 6761): only a proxy can connect to it. */
export const host = "api.invalid";
/** Names for which certificates are made: that one, and this machine. */
export const names = [`DNS:${host}`, "IP:127.0.0.1"];

/** A certificate that the CA signed, for these names unless it says otherwise. */
export function signed(wanted: Partial<Wanted> = {}): Identity {
  return identity({ commonName: host, names, ...wanted }, authority);
}

/** A valid certificate. */
export const trusted = signed();

/** The response of every server here: a success, so that a fault that goes unnoticed fails the test. */
export const success = sends(answer("200 OK", successText));

/** The arguments that make the program trust the CA, or another certificate. */
export function trusting(certificate = authority.cert): readonly string[] {
  return ["--ca-cert", join(folderWith({ "ca.pem": certificate }), "ca.pem")];
}

/** A server of the API that works, if its CA is trusted. */
export const api = (): Promise<Peer> => securing(trusted, success);
