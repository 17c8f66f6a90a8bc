import type { IncomingMessage } from "node:http";
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

/** Whether a request fits these requirements. */
export function accepts({ headers }: IncomingMessage, demands: Demands): boolean {
  const { username = planted.username, secret = planted.secret, token = planted.token } = demands;
  const { now: clock = Date.now, behindSeconds = 0, futureSeconds = 300, authorization = false } = demands;
  const now = clock() - behindSeconds * 1000;
  const [, name, sent, nonce = "", created = ""] =
    /^UsernameToken Username="(.*)", PasswordDigest="(.*)", Nonce="(.*)", Created="(.*)"$/.exec(
      String(headers["x-wsse"]),
    ) ?? [];
  const at = Date.parse(created);
  return (
    headers["x-auth-token"] === token ||
    (name === username &&
      sent === passwordDigest({ ...defaultAlgorithm, ...demands, nonce, created, secret }) &&
      at <= now + futureSeconds * 1000 &&
      at >= now - 300_000 &&
      (!authorization || headers.authorization === 'WSSE profile="UsernameToken"'))
  );
}

/** A server that accepts what fits these requirements, and answers all other requests with credentials alike. */
export function verifier(demands: Demands): Promise<Served> {
  const { now = Date.now, behindSeconds = 0 } = demands;
  return serve((request, response) => {
    const date = { date: new Date(now() - behindSeconds * 1000).toUTCString() };
    if (accepts(request, demands)) json(response, 200, success, date);
    else json(response, 401, { code: 401, message: request.headers["x-wsse"] ? "No" : "None" }, date);
  });
}
