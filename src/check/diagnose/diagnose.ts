// The diagnosis of a refusal, or of an acceptance: which requests to make next, and when to stop. It knows neither clock nor
// network.

import { type Fix, fix } from "../../settings/fix.ts";
import {
  accountLocked,
  type Change,
  costInWords,
  experimentsFor,
  requestsInWords,
  requestsOf,
  variantOf,
  withoutCredential,
} from "../changes.ts";
import type { Attempt } from "../check-context.ts";
import type { SentCredential } from "../credential.ts";
import { isRefusal, leadsToPage, type Outcome, pauseAskedBy, responseOf } from "../outcome.ts";
import type { Finding } from "../result.ts";
import type { Sender } from "../sender.ts";
import {
  areAlike,
  ending,
  headerIgnored,
  isLockOut,
  nothingProved,
  nothingToTry,
  redirectCompared,
  refuses,
  saysLocked,
  stopped,
  triedInWords,
  waitAfter,
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
  // Other words than before may be about a change, or tell in any language that the server looks at no credential any more. The first
  // request, made once more, shows which.
  let isChecked = false;
  const looksNoMore = async (made: Attempt): Promise<boolean> => {
    if (isChecked || areAlike(first, made)) return false;
    isChecked = true;
    const again = await request("the first request again, since the server's words changed", []);
    return (
      again.kind === "locked" ||
      (again.kind === "refused" && !areAlike(first, again.made) && areAlike(made, again.made))
    );
  };
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
    if (kind === "refused" && !isBare && (await looksNoMore(made)))
      return [
        stopped(`${words}; since then the first request gets these words too`, causes()),
        accountLocked(pauseAskedBy(made.outcome)),
      ];
    if (kind === "other" && !isBare) return ended(stopped(words, causes(), waitAfter(made)));
    if (isBare && !isRefusal(first.outcome)) {
      const status = responseOf(made.outcome)?.status ?? null;
      if (status === null || areAlike(first, made))
        return [nothingToTry("the request without credentials got the same answer")];
      // The same status in other words shows that the server looks at the credential.
      isApi = made.outcome.kind === "rejected" || status === responseOf(first.outcome)?.status;
    }
    if (isBare && areAlike(first, made)) isAlike = true;
    // Another answer without credentials shows that the header arrives; a failure shows nothing.
    else if (kind === "refused" || made.outcome.kind === "unexpected") excluded.push(...tried);
  }
  return ended(nothingProved(causes(), isApi, credential.method));
}

/** The one request for a redirect to a page: without credentials, it shows whether the server looked at them. */
async function compareRedirect(first: Attempt, sender: DiagnosisSender): Promise<readonly Finding<Fix>[]> {
  await sender.announceCost(`diagnosis, ${costInWords({ tries: 1, more: 0 })}`);
  const made = await sender.send(
    { credential: null, shiftSeconds: 0 },
    `diagnosis, request 1 of at most 1: ${withoutCredential.accepted}`,
  );
  if ("hint" in made) return [stopped(made.message, "", fix`${made.hint}`)];
  const words = ending(`the request "${withoutCredential.accepted}"`, made);
  if (isLockOut(made, first)) return [stopped(words, ""), accountLocked(pauseAskedBy(made.outcome))];
  return [redirectCompared(first, made) ?? stopped(words, "", waitAfter(made))];
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
  if (leadsToPage(outcome))
    return { outcome, findings: (await sender.mayDiagnose()) ? await compareRedirect(first, sender) : [] };
  const mayDepend = refuses(first, first);
  // More requests could lengthen a lock, and show nothing.
  if (responseOf(outcome)?.status === 423 || (mayDepend && saysLocked(first)))
    return { outcome, findings: [stopped(ending("the first request", first), "", waitAfter(first))] };
  if (!mayDepend) return { outcome, findings: [nothingToTry(noRefusal)] };
  const findings = (await sender.mayDiagnose()) ? await experiment(credential, first, sender) : [];
  return { outcome, findings };
}
