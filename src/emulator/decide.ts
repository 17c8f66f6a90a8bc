import { escapeText } from "../report/escape.ts";
import { type Authentication, authenticate, type Rules } from "./authenticate.ts";
import { sourceError } from "./hosts.ts";
import type { EmulatorRequest, RequestError } from "./requests.ts";
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
export interface Service extends Rules {
  readonly allowHosts: readonly string[];
  /** Whether an error tells its reason to the client too, and not only to the log. */
  readonly explain: boolean;
  /** What all requests are answered with; null for what they deserve. */
  forced: ForcedAnswer | null;
}

/** How to react to a request, and why. `accepted` is false if a client treats the response as a failure. */
export interface Decision extends Pick<Authentication, "reason" | "account" | "notes"> {
  readonly reaction: Reaction;
  readonly accepted: boolean;
}

/** The decision to react as to no account's request. */
export function decided<Kind extends Reaction>(reaction: Kind, reason: string, accepted = false) {
  return { reaction, reason, accepted, account: null, notes: [] };
}

/** The decision to answer with an error. The client gets the reason only if the service explains its errors. */
export function refusal({ status, reason }: RequestError, { explain }: Pick<Service, "explain">) {
  return decided<EmulatorResponse>(errorResponse(status, explain ? reason : null), reason);
}

/** Decides how to answer a request whose body has been read. Changes the memory of nonces only. */
export function decide(request: EmulatorRequest, service: Service, nowSeconds: number): Decision {
  const { accounts, allowHosts, forced, explain } = service;
  const error = sourceError(request, allowHosts, accounts.shown) ?? targetError(request, forced !== null);
  if (error !== null) return refusal(error, service);
  if (forced !== null) {
    const reason = `forced: answer ${forced}`;
    return decided(forcedReaction(forced, explain ? reason : null), reason);
  }
  if (request.method === "OPTIONS") return decided(optionsResponse, "options", true);

  const { status, account, notes, ...authentication } = authenticate(request.headers, service, nowSeconds);
  const isOneOfMany = account !== null && accounts.all.length > 1;
  const whose = isOneOfMany ? ` (${escapeText(account.profile ?? account.username)})` : "";
  const reason = `${authentication.reason}${whose}`;
  const { "x-wsse": wsse, "x-auth-token": token } = request.headers;
  if (status === 200) {
    const reaction = acceptance(wsse === undefined ? undefined : account?.username);
    return { reaction, reason, accepted: true, account, notes };
  }
  // That no credentials came is no secret, and it shows a client that its header does not arrive.
  const general = (wsse ?? token) === undefined ? "No credentials were sent" : undefined;
  return { ...decided(errorResponse(status, explain ? reason : null, general), reason), notes };
}

/** Refuses every path and method but those of the specification (section 4). A forced answer applies to every method. */
function targetError({ path, method }: EmulatorRequest, isForced: boolean): RequestError | null {
  if (path !== endpointPath) {
    const hint = path.endsWith(endpointPath) ? "; the base URL has no path here" : "";
    return { status: 404, reason: `path: only ${endpointPath} exists${hint}` };
  }
  if (isForced || method === "GET" || method === "OPTIONS") return null;
  return { status: 405, reason: "method: only GET and OPTIONS are offered" };
}
