import { escapeText } from "../report/escape.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { authenticate, type RequestCredentials, type Rules } from "./authenticate.ts";
import { type Hosts, sourceError } from "./hosts.ts";
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
import type { ForcedAnswer } from "./values.ts";

/** What the server accepts and remembers, and how it answers. */
export interface Service {
  readonly rules: Rules;
  readonly nonces: Nonces;
  readonly allowHosts: readonly string[];
  /** Whether an error tells its reason to the client too, and not only to the log. */
  readonly explain: boolean;
  /** What all requests are answered with; null for what they deserve. */
  forced: ForcedAnswer | null;
}

/** How to react to a request, and why. `accepted` is false if a client treats the response as a failure. */
export interface Decision {
  readonly reaction: Reaction;
  readonly reason: string;
  readonly accepted: boolean;
  readonly account: EmulatorAccount | null;
  /** How the request differs from the specification's shapes. */
  readonly notes: readonly string[];
}

/** A status to answer with, and the reason for it. */
export interface RequestError {
  readonly status: number;
  readonly reason: string;
}

/** The parts of a request that decide the response, besides the credentials. */
export interface RequestHead extends Hosts {
  readonly method: string;
  /** The request target as it was sent, without its query. */
  readonly path: string;
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
    sourceError(head, service.allowHosts, rules.accounts.shown) ??
    pathError(head) ??
    // A forced answer applies to every method.
    (forced === null ? methodError(head) : null);
  if (error !== null) return refusal(error, service);
  if (forced !== null) {
    const reason = `forced: answer ${forced}`;
    const reaction = forcedReaction(forced, service.explain ? reason : null);
    return { reaction, reason, accepted: false, account: null, notes: [] };
  }
  if (head.method === "OPTIONS") {
    return { reaction: optionsResponse, reason: "options", accepted: true, account: null, notes: [] };
  }

  const authentication = authenticate(sent, rules, { nowSeconds, isUsed: nonces.has });
  const { account, notes } = authentication;
  const isOneOfMany = account !== null && rules.accounts.all.length > 1;
  const whose = isOneOfMany ? ` (${escapeText(account.profile ?? account.username)})` : "";
  if (authentication.kind === "refused") {
    const { reason, detail } = authentication;
    // That no credentials came is no secret, and it shows a client that its header does not arrive.
    const general = reason === "missing" ? "No credentials were sent" : undefined;
    return { ...refusal({ status: 401, reason: `${reason}: ${detail}${whose}` }, service, general), notes };
  }
  const { nonceKey } = authentication;
  if (nonceKey !== null && !nonces.remember(nonceKey, nowSeconds)) {
    // It is better to refuse a valid request than to forget a nonce that can still be replayed.
    const reason = "full: no more nonces can be remembered until the oldest expire";
    return { ...refusal({ status: 503, reason }, service), notes };
  }
  const isToken = nonceKey === null;
  const reason = `accepted: ${isToken ? "X-Auth-Token" : "X-WSSE"}${whose}`;
  const reaction = acceptance(isToken ? null : authentication.account.username);
  return { reaction, reason, accepted: true, account, notes };
}

/** The decision to answer with an error. The client gets the reason only if the service explains its errors. */
export function refusal(
  { status, reason }: RequestError,
  { explain }: Pick<Service, "explain">,
  general?: string,
): Decision & { readonly reaction: EmulatorResponse } {
  const reaction = errorResponse(status, explain ? reason : null, general);
  return { reaction, reason, accepted: false, account: null, notes: [] };
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
