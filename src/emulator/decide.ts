import { escapeForLog } from "./accepted-credentials.ts";
import { authenticate, type RequestCredentials, type Rules } from "./authenticate.ts";
import type { ForcedAnswer } from "./emulator-options.ts";
import type { Nonces } from "./nonces.ts";
import {
  acceptance,
  type EmulatorResponse,
  endpointPath,
  errorResponse,
  forcedReaction,
  optionsResponse,
  type Reaction,
} from "./responses.ts";

/** What the server accepts and remembers, and how it answers. */
export interface Service {
  readonly rules: Rules;
  readonly nonces: Nonces;
  readonly forced: ForcedAnswer | null;
  /** Whether an error tells its reason to the client too, and not only to the log. */
  readonly explain: boolean;
}

/** How to react to a request, and why, for the log. `accepted` is false if a client treats the response as a failure. */
export interface Decision {
  readonly reaction: Reaction;
  readonly remark: string;
  readonly accepted: boolean;
  /** How the request differs from the specification's shapes, for the log. */
  readonly notes: readonly string[];
}

/** A status to answer with, and the reason for it. */
export interface RequestError {
  readonly status: number;
  readonly reason: string;
}

/** The parts of a request that decide the response, besides the credentials. */
export interface RequestHead {
  readonly method: string;
  /** The port of this server. */
  readonly port: number;
  /** The request target as it was sent, without its query. */
  readonly path: string;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

/** Decides how to answer a request whose body has been read. Changes the memory of nonces only. */
export function decide(
  head: RequestHead,
  sent: RequestCredentials,
  service: Service,
  nowSeconds: number,
): Decision {
  const { rules, nonces, forced } = service;
  const error =
    sourceError(head, (text) => escapeForLog(text, rules.credentials)) ??
    pathError(head) ??
    // A forced answer applies to every method.
    (forced === null ? methodError(head) : null);
  if (error !== null) return refusal(error, service);
  if (forced !== null) {
    const remark = `forced: --answer ${forced}`;
    const reaction = forcedReaction(forced, service.explain ? remark : null);
    return { reaction, remark, accepted: false, notes: [] };
  }
  if (head.method === "OPTIONS") return accept(optionsResponse, "options");

  const authentication = authenticate(sent, rules, { nowSeconds, isUsed: nonces.has });
  switch (authentication.kind) {
    case "refused": {
      const { reason, detail, notes } = authentication;
      // That no credentials came is no secret, and it shows a client that its header does not arrive.
      const general = reason === "missing" ? "No credentials were sent" : undefined;
      return { ...refusal({ status: 401, reason: `${reason}: ${detail}` }, service, general), notes };
    }
    case "token":
      return accept(acceptance(null), "accepted: X-Auth-Token");
    case "wsse": {
      const { username, nonceKey, notes } = authentication;
      if (nonces.remember(nonceKey, nowSeconds))
        return accept(acceptance(username), "accepted: X-WSSE", notes);
      // It is better to refuse a valid request than to forget a nonce that can still be replayed.
      const reason = "full: no more nonces can be remembered until the oldest expire";
      return { ...refusal({ status: 503, reason }, service), notes };
    }
  }
}

function accept(reaction: EmulatorResponse, remark: string, notes: readonly string[] = []): Decision {
  return { reaction, remark, accepted: true, notes };
}

/** The decision to answer with an error. The client gets the reason only if the service explains its errors. */
export function refusal(
  { status, reason }: RequestError,
  { explain }: Pick<Service, "explain">,
  general?: string,
): Decision & { readonly reaction: EmulatorResponse } {
  const reaction = errorResponse(status, explain ? reason : null, general);
  return { reaction, remark: reason, accepted: false, notes: [] };
}

/**
 * Refuses a request for another host or from a web page: any page in a browser can reach a loopback port,
 * by DNS rebinding or a cross-origin request. `escapeText` makes text of the request fit for a log.
 */
function sourceError(
  { hosts, origins, port }: RequestHead,
  escapeText: (text: string) => string,
): RequestError | null {
  const [host] = hosts;
  // RFC 9112, section 3.2: exactly one, else 400.
  if (host === undefined) return { status: 400, reason: "host: there is no Host header" };
  if (hosts.length > 1) return { status: 400, reason: "host: Host was sent more than once" };
  if (!isOwnHost(host, port)) {
    const reason = `host: this server is 127.0.0.1:${port}; the request is for "${escapeText(host)}"`;
    return { status: 421, reason };
  }
  const [origin] = origins;
  if (origin === undefined) return null;
  const reason = `origin: web pages may not use this server; this request is from "${escapeText(origin)}"`;
  return { status: 403, reason };
}

function isOwnHost(host: string, port: number): boolean {
  const written = host.toLowerCase();
  return ["127.0.0.1", "localhost", "[::1]"].some(
    // Clients leave out the default port of http.
    (name) => written === `${name}:${port}` || (port === 80 && written === name),
  );
}

/** Refuses every path but that of the specification (section 4). */
function pathError({ path }: RequestHead): RequestError | null {
  if (path === endpointPath) return null;
  const hint = path.endsWith(endpointPath) ? "; the base URL has no path here" : "";
  return { status: 404, reason: `path: only ${endpointPath} exists${hint}` };
}

/** Refuses every method but those of the specification (section 4). */
function methodError({ method }: RequestHead): RequestError | null {
  if (method === "GET" || method === "OPTIONS") return null;
  return { status: 405, reason: "method: only GET and OPTIONS are offered" };
}
