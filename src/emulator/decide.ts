import { type Answer, acceptance, errorAnswer, forcedReply, optionsAnswer, type Reply } from "./answers.ts";
import type { ForcedAnswer } from "./forced-answer.ts";
import { notOffered, type RequestHead, turnedAway } from "./gate.ts";
import { judge, type Presented, type Reason, type Rules } from "./judge.ts";
import type { Nonces } from "./nonces.ts";
import { shownText } from "./shown-text.ts";

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

  const judgement = judge(presented, rules, { nowSeconds, used: nonces.has });
  switch (judgement.kind) {
    case "refused":
      return refusal(401, `${judgement.reason}: ${judgement.detail}`, service, generalOf(judgement.reason));
    case "token":
      return { reply: acceptance(null), remark: "accepted: X-Auth-Token", accepted: true };
    case "wsse":
      // Forgetting a live nonce would let a replay through, so a full memory refuses what it could accept.
      return nonces.remember(judgement.nonce, nowSeconds)
        ? { reply: acceptance(judgement.username), remark: "accepted: X-WSSE", accepted: true }
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
