import { type DigestAlgorithm, defaultAlgorithm, passwordDigest } from "../../src/wsse/digest.ts";
import { planted } from "../support/planted.ts";
import { json, type Served, serve, success } from "../support/serve.ts";

/** What the test's own server requires of X-WSSE. */
export interface Demands extends Partial<DigestAlgorithm> {
  readonly username?: string;
  readonly secret?: string;
  readonly token?: string;
  /** This machine's clock, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** How far this server's clock is behind it, in seconds. */
  readonly behindSeconds?: number;
  /** How far Created may be ahead of the server's clock, in seconds. */
  readonly futureSeconds?: number;
  readonly authorization?: boolean;
}

/** A server that accepts what fits these requirements, and answers all other requests with credentials alike. */
export function verifier(demands: Demands): Promise<Served> {
  const { username = planted.username, secret = planted.secret, token = planted.token } = demands;
  const { now: clock = Date.now, behindSeconds = 0, futureSeconds = 300, authorization = false } = demands;
  const algorithm = { ...defaultAlgorithm, ...demands };
  return serve((request, response) => {
    const now = clock() - behindSeconds * 1000;
    const header = String(request.headers["x-wsse"]);
    const [, name, sent, nonce = "", created = ""] =
      /^UsernameToken Username="(.*)", PasswordDigest="(.*)", Nonce="(.*)", Created="(.*)"$/.exec(header) ??
      [];
    const at = Date.parse(created);
    const accepted =
      request.headers["x-auth-token"] === token ||
      (name === username &&
        sent === passwordDigest({ ...algorithm, nonce, created, secret }) &&
        at <= now + futureSeconds * 1000 &&
        at >= now - 300_000 &&
        (!authorization || request.headers.authorization === 'WSSE profile="UsernameToken"'));
    const date = { date: new Date(now).toUTCString() };
    if (accepted) json(response, 200, success, date);
    else json(response, 401, { code: 401, message: name === undefined ? "None" : "No" }, date);
  });
}
