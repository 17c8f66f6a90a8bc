import { escapeText } from "../report/escape.ts";
import { authenticate, type Service } from "./authenticate.ts";
import { type Decision, decided, faults } from "./decision.ts";
import { sourceError } from "./hosts.ts";
import type { EmulatorRequest } from "./requests.ts";

/** The one path of the specification (section 4). */
export const onlyPath = "/test-authentication";

/** Decides how to answer a request whose body has been read. Changes the memory of nonces only. */
export function decide(request: EmulatorRequest, service: Service, nowSeconds: number): Decision {
  const { accounts, allowHosts, answer } = service;
  const error = sourceError(request, allowHosts, accounts.shown) ?? targetError(request, answer !== null);
  if (error !== null) return error;
  if (answer !== null) {
    const reason = `forced: answer ${answer}`;
    if (typeof answer === "number") return decided(answer, reason);
    return decided(faults[answer].status, reason, { answer: faults[answer] });
  }
  if (request.method === "OPTIONS") return decided(204, "options", { accepted: true });

  const decision = authenticate(request.headers, service, nowSeconds);
  const { account, reason } = decision;
  if (account === null || accounts.all.length === 1) return decision;
  return { ...decision, reason: `${reason} (${escapeText(account.profile ?? account.username)})` };
}

/** Refuses every path and method but those of the specification (section 4). A forced answer applies to every method. */
function targetError({ path, method }: EmulatorRequest, isForced: boolean): Decision | null {
  if (path !== onlyPath) {
    const hint = path.endsWith(onlyPath) ? "; the base URL has no path here" : "";
    return decided(404, `path: only ${onlyPath} exists${hint}`);
  }
  if (isForced || method === "GET" || method === "OPTIONS") return null;
  return decided(405, "method: only GET and OPTIONS are offered");
}
