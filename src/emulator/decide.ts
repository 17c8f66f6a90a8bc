import {
  type Answer,
  acceptance,
  endpointPath,
  errorAnswer,
  forcedReply,
  optionsAnswer,
  type Reply,
} from "./answers.ts";
import { authenticate, type Presented, type Reason, type Rules } from "./authenticate.ts";
import { shownText } from "./credentials.ts";
import type { Nonces } from "./nonces.ts";
import type { ForcedAnswer } from "./options.ts";

/** What the server accepts, what it remembers, and how it answers. */
export interface Service {
  readonly rules: Rules;
  readonly nonces: Nonces;
  readonly forced: ForcedAnswer | null;
  /** Whether an error says its reason to the client, not only to the log. */
  readonly explain: boolean;
}

/** What becomes of a request, and why, for the log. Not `accepted` is whatever a client would stumble over. */
export interface Decision {
  readonly reply: Reply;
  readonly remark: string;
  readonly accepted: boolean;
}

/** A decision to answer with an error. */
export type Refusal = Decision & { readonly reply: Answer };

/** Decides on one request whose header is complete; the only trace it leaves is the nonce of an accepted one. */
export function decide(
  head: RequestHead,
  presented: Presented,
  service: Service,
  nowSeconds: number,
): Decision {
  const { rules, nonces, forced } = service;
  const shown = (text: string): string => shownText(text, rules.credentials);

  const turned = turnedAway(head, shown);
  if (turned !== null) return refusal(turned.status, turned.reason, service);
  const absent = notOffered(head);
  // A forced answer holds for every method of the endpoint, but for no other path.
  if (absent !== null && (forced === null || absent.status === 404)) {
    return refusal(absent.status, absent.reason, service);
  }
  if (forced !== null) {
    const remark = `forced: --answer ${forced}`;
    return { reply: forcedReply(forced, service.explain ? remark : null), remark, accepted: false };
  }
  if (head.method === "OPTIONS") return { reply: optionsAnswer, remark: "options", accepted: true };

  const authentication = authenticate(presented, rules, { nowSeconds, used: nonces.has });
  switch (authentication.kind) {
    case "refused":
      return refusal(
        401,
        `${authentication.reason}: ${authentication.detail}`,
        service,
        generalOf(authentication.reason),
      );
    case "token":
      return { reply: acceptance(null), remark: "accepted: X-Auth-Token", accepted: true };
    case "wsse":
      // Forgetting a live nonce would let a replay through, so a full memory refuses what it could accept.
      return nonces.remember(authentication.nonce, nowSeconds)
        ? { reply: acceptance(authentication.username), remark: "accepted: X-WSSE", accepted: true }
        : refusal(503, "full: no more nonces can be remembered until the oldest expire", service);
  }
}

// That nothing came tells nobody more than they know, and lets a client see whether its header arrives.
function generalOf(reason: Reason): string | undefined {
  return reason === "missing" ? "No credentials were sent" : undefined;
}

/** An error as the decision; the reason reaches the client only where the service explains itself. */
export function refusal(
  status: number,
  reason: string,
  { explain }: Pick<Service, "explain">,
  general?: string,
): Refusal {
  return { reply: errorAnswer(status, explain ? reason : null, general), remark: reason, accepted: false };
}

/** What is known of a request before its credentials are looked at. */
export interface RequestHead {
  readonly method: string;
  /** The port of this server that it came to. */
  readonly port: number;
  /** The request target as it was sent, without its query. */
  readonly path: string;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

/** Why a request goes no further, with the status that says so. */
interface Turned {
  readonly status: number;
  readonly reason: string;
}

/**
 * Whether a request came to this server by one of its own names, and from no web page: against DNS rebinding and
 * cross-origin requests, since any page in a browser can reach a loopback port. Null lets it pass; `shown` makes
 * request text fit for a log.
 */
function turnedAway({ hosts, origins, port }: RequestHead, shown: (text: string) => string): Turned | null {
  const [host] = hosts;
  // RFC 9112, section 3.2: exactly one, else 400.
  if (host === undefined) return { status: 400, reason: "host: there is no Host header" };
  if (hosts.length > 1) return { status: 400, reason: "host: Host was sent more than once" };
  if (!isOwnHost(host, port)) {
    return {
      status: 421,
      reason: `host: this server is 127.0.0.1:${port}; the request is for "${shown(host)}"`,
    };
  }
  const [origin] = origins;
  if (origin !== undefined) {
    return {
      status: 403,
      reason: `origin: web pages may not use this server; this request is from "${shown(origin)}"`,
    };
  }
  return null;
}

function isOwnHost(host: string, port: number): boolean {
  const written = host.toLowerCase();
  return ["127.0.0.1", "localhost", "[::1]"].some(
    // Clients leave out the default port of http.
    (name) => written === `${name}:${port}` || (port === 80 && written === name),
  );
}

/** Whether path and method are those of the specification (section 4). Null lets the request pass. */
function notOffered({ method, path }: RequestHead): Turned | null {
  if (path !== endpointPath) {
    const hint = path.endsWith(endpointPath) ? "; the base URL has no path here" : "";
    return { status: 404, reason: `path: only ${endpointPath} exists${hint}` };
  }
  if (method !== "GET" && method !== "OPTIONS") {
    return { status: 405, reason: "method: only GET and OPTIONS are offered" };
  }
  return null;
}
