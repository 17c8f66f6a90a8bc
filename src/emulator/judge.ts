import { escapeText } from "../report/escape.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { because, type Judgement, judged } from "./answer.ts";
import { meantByPath } from "./control.ts";
import { judgeCredentials } from "./credentials.ts";
import { replacementOf } from "./planned-answers.ts";
import { type EmulatorRequest, onlyPath, sourceError } from "./request.ts";
import type { Service } from "./service.ts";

/** Takes what is planned for the next request of this account; null for what the request deserves. */
function takeAnswer({ accounts, answers, answer }: Service, account: EmulatorAccount | null) {
  const place = accounts.placeOf(account);
  const index = answers.findIndex((one) => one.account === undefined || one.account === place);
  const next = answers[index];
  if (next === undefined) return answer;
  const { times = 1, ...same } = next;
  if (times > 1) answers[index] = { ...same, times: times - 1 };
  else answers.splice(index, 1);
  return next;
}

/**
 * Judges a request whose body has been read. Uses up one planned answer, and the nonce of an accepted request. It waits for
 * nothing, so that no two requests get the same one.
 */
export function judge(request: EmulatorRequest, service: Service, nowSeconds: number): Judgement {
  const { accounts, allowHosts, nonces } = service;
  const { method, path, headers } = request;
  const source = sourceError(request, allowHosts, accounts.shown);
  if (source !== null) return source;
  const sent = judgeCredentials(headers, service, nowSeconds);
  const { account, nonce, notes } = sent;
  // A browser asks with OPTIONS before it sends credentials.
  const faults = method === "OPTIONS" ? [] : sent.faults;
  // Planned answers are for every method of the one path.
  const planned = path === onlyPath ? takeAnswer(service, account) : null;
  const { name, instead } = replacementOf(planned);
  const forced = name === "" ? [] : [because("forced", name)];
  const isForced = instead.status !== undefined;
  const found = isForced ? judged(instead.status, faults) : deserved(request, { ...sent, faults }, service);
  if (nonce !== null && found.accepted && method === "GET") nonces.remember(nonce, nowSeconds);

  const isOneOfMany = account !== null && accounts.all.length > 1;
  const who = isOneOfMany ? ` (${escapeText(account.profile ?? account.username)})` : "";
  const reasons = (isForced ? [...forced, ...found.reasons] : [...found.reasons, ...forced]).map(
    ({ rule, detail }, index) => because(rule, index === 0 ? detail + who : detail),
  );
  return { ...found, account, notes, reasons, instead: { ...found.instead, ...instead } };
}

/** Refuses every path and method but those of the specification (section 4), and faulty credentials. */
function deserved(
  { path, method }: EmulatorRequest,
  { faults, account, greeting: [header, message] }: ReturnType<typeof judgeCredentials>,
  service: Service,
): Judgement {
  if (path !== onlyPath) {
    const hint = path.endsWith(onlyPath) ? "; the base URL has no path here" : "";
    const steering = meantByPath(path, service);
    const wrongPath = because("path", `only ${onlyPath} exists${hint}${steering}`);
    // Only a request to the API needs credentials.
    if (steering !== "") return judged(404, [wrongPath], { message: `Not Found${steering}` });
    return judged(404, [wrongPath, ...faults]);
  }
  if (method === "OPTIONS") return judged(204, [because("options")], { accepted: true });
  if (method !== "GET")
    return judged(405, [because("method", "only GET and OPTIONS are offered"), ...faults]);
  if (faults.length === 0 && account !== null)
    return judged(200, [because("accepted", header)], { accepted: true, message });
  // That no credentials came is no secret, and it shows a client that its header does not arrive.
  const isMissing = faults[0]?.rule === "missing";
  return judged(401, faults, { message: isMissing ? "No credentials were sent" : null });
}
