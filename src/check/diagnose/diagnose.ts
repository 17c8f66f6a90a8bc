// The diagnosis of a refusal, or of an acceptance: which requests to make next, and when to stop. It knows neither clock nor
// network.

import { type Fix, fix } from "../../settings/fix.ts";
import {
  accountLocked,
  type Change,
  experimentsFor,
  mostNewTexts,
  requestsInWords,
  requestsOf,
  variantOf,
  withoutCredential,
} from "../changes.ts";
import type { Attempt } from "../check-context.ts";
import type { SentCredential } from "../credential.ts";
import { isRefusal, type Outcome, pauseAskedBy, responseOf } from "../outcome.ts";
import type { Finding } from "../result.ts";
import type { Sender } from "../sender.ts";
import {
  areAlike,
  ending,
  headerIgnored,
  isLockOut,
  nothingProved,
  nothingToTry,
  refuses,
  stopped,
  triedInWords,
  waitAfter,
  withholds,
} from "./conclusions.ts";
import { proofOf, type RequestEnd } from "./proof.ts";

/** What a diagnosis needs of the sender. It knows neither clock nor network. */
export type DiagnosisSender = Pick<
  Sender,
  "random" | "send" | "spareToken" | "mayDiagnose" | "announceCost" | "acceptsAnybody"
>;

/** The outcome of a check after its diagnosis, and what further requests showed. */
export interface Diagnosis {
  readonly outcome: Outcome;
  readonly findings: readonly Finding<Fix>[];
}

/**
 * Makes the experiments for a refused credential, one at a time. It stops when one is accepted, or when the API no longer
 * answers as before, or the run is interrupted. Resolves with what this proves or rules out.
 */
async function experiment(credential: SentCredential, first: Attempt, sender: DiagnosisSender) {
  const experiments = experimentsFor(credential, await sender.spareToken(), first.clock);
  const most = requestsOf(experiments);
  const refused: (readonly Change[])[] = [];
  const addresses = { accepted: new Set<string>(), refused: new Set<string>() };
  const answeredAt = ({ exchange }: Attempt, kind: keyof typeof addresses): void => {
    const { address, proxy } = exchange.trace.connection;
    if (address !== null && proxy === null) addresses[kind].add(address);
  };
  answeredAt(first, "refused");
  const requests = { request, random: sender.random, count: 0, refused, addresses };
  await sender.announceCost(`diagnosis, ${requestsInWords(most)}; each may count as a failed login`);

  // The answer to the first request, and other refusals in other words. Such words may tell of a lock in any language.
  const heard = [first];
  async function request(announcement: string, changes: readonly Change[]): Promise<RequestEnd> {
    requests.count += 1;
    const numbered = `diagnosis, request ${requests.count} of at most ${most.tries + most.more}: ${announcement}`;
    const made = await sender.send(variantOf(credential, changes), numbered);
    if ("hint" in made) return { kind: "not-sent", words: made.message, hint: made.hint, made: null };
    const words = ending(`the request "${announcement}"`, made);
    if (made.outcome.kind === "accepted") {
      answeredAt(made, "accepted");
      return { kind: "accepted", words, made };
    }
    if (isLockOut(made, first)) return { kind: "locked", words, made };
    if (!refuses(made, first)) return { kind: "other", words, made };
    const isNew = !changes.includes(withoutCredential) && !heard.some((one) => areAlike(one, made));
    if (isNew && heard.length <= mostNewTexts) {
      heard.push(made);
      const isFirst = changes.length === 0;
      const again = isFirst
        ? made
        : (await request("the first request again, since the server's words changed", [])).made;
      if (again !== null && (isLockOut(again, first) || areAlike(made, again)))
        return { kind: "locked", words: `${words}; the first request gets these words too by now`, made };
    }
    refused.push(changes);
    answeredAt(made, "refused");
    return { kind: "refused", words, made };
  }

  // Whether the request without credentials got the same answer: then the header may not arrive, and nothing is ruled out.
  let isAlike = false;
  const excluded: Change[] = [];
  // Whether the API itself is known to refuse.
  let isApi = first.outcome.kind === "rejected";
  const causes = () => triedInWords(excluded, isApi && !isAlike);
  const ended = (end: Finding<Fix>) => [end, ...(isAlike ? [headerIgnored] : [])];
  for (const { tried, changes } of experiments) {
    const announcement = tried.map(({ accepted }) => accepted).join(" and ");
    const answer = await request(announcement, changes);
    if (answer.kind === "not-sent") return ended(stopped(answer.words, causes(), fix`${answer.hint}`));
    const { kind, words, made } = answer;
    if (kind === "accepted") return [await proofOf(changes, requests)];
    const isBare = tried.includes(withoutCredential);
    if (kind === "locked")
      return [
        stopped(words, causes()),
        accountLocked(pauseAskedBy(made.outcome) ?? pauseAskedBy(first.outcome)),
      ];
    if (kind === "other" && !isBare) return ended(stopped(words, causes(), waitAfter(made)));
    if (isBare && !isRefusal(first.outcome)) {
      const status = responseOf(made.outcome)?.status ?? null;
      if (status === null || status === responseOf(first.outcome)?.status)
        return [nothingToTry("the request without credentials got the same status")];
      isApi = made.outcome.kind === "rejected";
    }
    if (isBare && areAlike(first, made)) isAlike = true;
    // Another answer without credentials shows that the header arrives; a failure shows nothing.
    else if (kind === "refused" || made.outcome.kind === "unexpected") excluded.push(...tried);
  }
  return ended(nothingProved(causes(), isApi, credential.method));
}

const noRefusal =
  "only a refusal (401 or 403), or a 400, 422 or 500 with a JSON object, can depend on the credential";

/** Makes further requests after an acceptance or a refusal. */
export async function diagnosed(
  credential: SentCredential,
  first: Attempt,
  sender: DiagnosisSender,
): Promise<Diagnosis> {
  const { outcome } = first;
  if (outcome.kind === "accepted") {
    const isOpen = await sender.acceptsAnybody(
      "diagnosis, 1 further request; it may count as a failed login",
      "diagnosis, request 1 of at most 1: without credentials, to see whether the server checks them",
    );
    const reason = { kind: "no-authentication" } as const;
    return { outcome: isOpen ? { ...outcome, kind: "unexpected", reason } : outcome, findings: [] };
  }
  if (!refuses(first, first)) return { outcome, findings: [nothingToTry(noRefusal)] };
  // More requests could lengthen a lock, and show nothing.
  if (withholds(first) || pauseAskedBy(outcome) !== null)
    return { outcome, findings: [stopped(ending("the first request", first), "", waitAfter(first))] };
  const findings = (await sender.mayDiagnose()) ? await experiment(credential, first, sender) : [];
  return { outcome, findings };
}
