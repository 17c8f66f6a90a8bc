import { escapeText } from "../report/escape.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { authenticate, type Judgement, judge, type Service } from "./authenticate.ts";
import { meantByPath } from "./control.ts";
import { because, type Decision, decided } from "./decision.ts";
import { type EmulatorRequest, sourceError } from "./requests.ts";

/** The one path of the specification (section 4). */
export const onlyPath = "/test-authentication";

/** Takes what is planned for the next request of this account; null for what the request deserves. */
function takeAnswer({ accounts, answers, answer }: Service, account: EmulatorAccount | null) {
  const place = account === null ? null : accounts.placeOf(account);
  const next = answers.find((one) => one.account === null || one.account === place);
  if (next === undefined) return answer;
  next.left -= 1;
  if (next.left === 0) answers.splice(answers.indexOf(next), 1);
  return next;
}

/**
 * Decides how to answer a request whose body has been read. Uses up one planned answer, and the nonce of an accepted request.
 * It waits for nothing, so that no two requests get the same one.
 */
export function decide(request: EmulatorRequest, service: Service, nowSeconds: number): Decision {
  const { accounts, allowHosts } = service;
  const source = sourceError(request, allowHosts, accounts.shown);
  if (source !== null) return source;
  const judged = judge(request.headers, service, nowSeconds);
  // A browser asks with OPTIONS before it sends credentials.
  const judgement = request.method === "OPTIONS" ? { ...judged, faults: [] } : judged;
  const { account, nonceKey, notes } = judgement;
  // Planned answers are for every method of the one path.
  const instead = request.path === onlyPath ? takeAnswer(service, account) : null;
  const forced = instead?.name ? [because("forced", instead.name)] : [];
  const isForced = instead?.status !== undefined;
  const decision = isForced
    ? decided(instead.status, [...forced, ...judgement.faults], { notes })
    : deserved(request, judgement, service, nowSeconds);
  if (isForced && nonceKey !== null) service.forcedNonces.remember(nonceKey, nowSeconds);
  const isOneOfMany = account !== null && accounts.all.length > 1;
  const who = isOneOfMany ? ` (${escapeText(account.profile ?? account.username)})` : "";
  const reasons = [...decision.reasons, ...(isForced ? [] : forced)].map(({ rule, detail }, index) =>
    because(rule, index === 0 ? detail + who : detail),
  );
  return { ...decision, account, reasons, instead: instead ?? decision.instead };
}

/** Refuses every path and method but those of the specification (section 4), and judges the credentials of the others. */
function deserved(
  { path, method }: EmulatorRequest,
  judgement: Judgement,
  service: Service,
  nowSeconds: number,
): Decision {
  if (path !== onlyPath) {
    const hint = path.endsWith(onlyPath) ? "; the base URL has no path here" : "";
    const steering = meantByPath(path, service);
    // Only a request to the API needs credentials.
    const faults = steering === "" ? judgement.faults : [];
    const message = steering === "" ? null : `Not Found${steering}`;
    const wrongPath = because("path", `only ${onlyPath} exists${hint}${steering}`);
    return decided(404, [wrongPath, ...faults], { message });
  }
  if (method === "OPTIONS") return decided(204, because("options"), { accepted: true });
  if (method === "GET") return authenticate(judgement, service, nowSeconds);
  return decided(405, [because("method", "only GET and OPTIONS are offered"), ...judgement.faults]);
}
