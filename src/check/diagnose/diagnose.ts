// The diagnosis of a refusal, or of an acceptance: which requests to make next, when to stop, and what an accepted one proves. It knows
// neither clock nor network.

import { type Fix, fix, resolveTo } from "../../settings/fix.ts";
import {
  accountLocked,
  type Change,
  experimentsFor,
  mostNewTexts,
  requestLimit,
  requestsInWords,
  requestsOf,
  variantOf,
  withoutCredential,
} from "../changes.ts";
import type { Attempt, Evidence } from "../check-context.ts";
import type { SentCredential } from "../credential.ts";
import { isRefusal, pauseAskedBy, responseOf } from "../outcome.ts";
import { type Certainty, type Finding, measured } from "../result.ts";
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
} from "./conclusions.ts";

/** What a diagnosis needs of the sender. */
export type DiagnosisSender = Pick<
  Sender,
  "random" | "send" | "spareToken" | "mayDiagnose" | "announceCost" | "acceptsAnybody"
>;

const noRefusal =
  "only a refusal (401 or 403), or a 400, 422 or 500 with a JSON object, can depend on the credential";

/** Makes further requests after an acceptance or a refusal. Resolves with the outcome after them, and with what they showed. */
export async function diagnosed(
  credential: SentCredential,
  first: Attempt,
  sender: DiagnosisSender,
): Promise<Pick<Evidence, "outcome" | "diagnosed">> {
  const { outcome } = first;
  if (outcome.kind === "accepted") {
    const isOpen = await sender.acceptsAnybody(
      "diagnosis, 1 further request; it may count as a failed login",
      "diagnosis, request 1 of at most 1: without credentials, to see whether the server checks them",
    );
    const reason = { kind: "no-authentication" } as const;
    return { outcome: isOpen ? { ...outcome, kind: "unexpected", reason } : outcome, diagnosed: [] };
  }
  if (!refuses(first, first)) return { outcome, diagnosed: [nothingToTry(noRefusal)] };
  // More requests could lengthen a lock, and show nothing.
  if (first.exchange.response?.withholds === true || pauseAskedBy(outcome) !== null)
    return { outcome, diagnosed: [stopped(ending("the first request", first), "", waitAfter(first))] };
  return {
    outcome,
    diagnosed: (await sender.mayDiagnose()) ? await experiment(credential, first, sender) : [],
  };
}

/**
 * Makes the experiments for a refused credential one at a time, until one is accepted or the server answers otherwise. Resolves with what
 * they show.
 */
async function experiment(credential: SentCredential, first: Attempt, sender: DiagnosisSender) {
  const experiments = experimentsFor(credential, await sender.spareToken(), first.clock);
  const most = requestsOf(experiments);
  await sender.announceCost(`diagnosis, ${requestsInWords(most)}; each may count as a failed login`);
  const requests = new Requests(credential, first, sender, most.tries + most.more);
  // Whether the request without credentials got the same answer: then the header may not arrive, and nothing is ruled out.
  let isAlike = false;
  const excluded: Change[] = [];
  // Whether the API itself is known to refuse.
  let isApi = first.outcome.kind === "rejected";
  const causes = () => triedInWords(excluded, isApi && !isAlike);
  const ended = (end: Finding<Fix>) => [end, ...(isAlike ? [headerIgnored] : [])];
  for (const { tried, changes } of experiments) {
    const announcement = tried.map(({ accepted }) => accepted).join(" and ");
    const { kind, words, made, hint } = await requests.make(announcement, changes);
    if (made === null) return ended(stopped(words, causes(), fix`${hint ?? ""}`));
    if (kind === "accepted") return [await proofOf(changes, requests)];
    if (kind === "locked")
      return [
        stopped(words, causes()),
        accountLocked(pauseAskedBy(made.outcome) ?? pauseAskedBy(first.outcome)),
      ];
    const isBare = tried.includes(withoutCredential);
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

/** How a request ended, and the words for it. Only `accepted` and `refused` tell something about its changes. */
interface RequestEnd {
  readonly kind: "accepted" | "refused" | "locked" | "other" | "not-sent";
  readonly words: string;
  /** Null if it was not sent. */
  readonly made: Attempt | null;
  /** What to do if it was not sent. */
  readonly hint?: string;
}

/** The requests of one diagnosis, and what they have shown so far. */
class Requests {
  count = 0;
  /** The changes of each request that was refused. */
  readonly refused: (readonly Change[])[] = [];
  /** At which addresses a request was accepted or refused, the first one too. */
  readonly addresses = { accepted: new Set<string>(), refused: new Set<string>() };
  readonly sender: DiagnosisSender;
  readonly #credential: SentCredential;
  readonly #first: Attempt;
  readonly #most: number;
  /** The answer to the first request, and other refusals in other words. Such words may tell of a lock in any language. */
  readonly #heard: Attempt[];

  constructor(credential: SentCredential, first: Attempt, sender: DiagnosisSender, most: number) {
    this.sender = sender;
    this.#credential = credential;
    this.#first = first;
    this.#most = most;
    this.#heard = [first];
    this.#note(first, "refused");
  }

  /** Makes the first request again, with these changes. */
  async make(announcement: string, changes: readonly Change[]): Promise<RequestEnd> {
    this.count += 1;
    const numbered = `diagnosis, request ${this.count} of at most ${this.#most}: ${announcement}`;
    const made = await this.sender.send(variantOf(this.#credential, changes), numbered);
    if ("hint" in made) return { kind: "not-sent", words: made.message, hint: made.hint, made: null };
    const words = ending(`the request "${announcement}"`, made);
    if (made.outcome.kind === "accepted") {
      this.#note(made, "accepted");
      return { kind: "accepted", words, made };
    }
    if (isLockOut(made, this.#first)) return { kind: "locked", words, made };
    if (!refuses(made, this.#first)) return { kind: "other", words, made };
    if (await this.#firstGetsNewWords(made, changes))
      return { kind: "locked", words: `${words}; the first request gets these words too by now`, made };
    this.refused.push(changes);
    this.#note(made, "refused");
    return { kind: "refused", words, made };
  }

  /** Whether the words are new and the first request, made again, gets them too. Then they are not about these changes. */
  async #firstGetsNewWords(made: Attempt, changes: readonly Change[]): Promise<boolean> {
    const isNew = !changes.includes(withoutCredential) && !this.#heard.some((one) => areAlike(one, made));
    if (!isNew || this.#heard.length > mostNewTexts) return false;
    this.#heard.push(made);
    // This was the first request, made again.
    if (changes.length === 0) return true;
    const again = await this.make("the first request again, since the server's words changed", []);
    return again.made !== null && (isLockOut(again.made, this.#first) || areAlike(made, again.made));
  }

  #note({ exchange }: Attempt, kind: keyof Requests["addresses"]): void {
    const { address, proxy } = exchange.trace.connection;
    if (address !== null && proxy === null) this.addresses[kind].add(address);
  }
}

/** What an accepted request shows about its changes. `rest` follows what it was accepted with. */
function acceptedWith(changes: readonly Change[], certainty: Certainty, rest: string): Finding<Fix> {
  const [first] = changes;
  if (first === undefined) throw new Error("an accepted request without a change");
  const message = `a request with ${changes.map(({ accepted }) => accepted).join(" and ")} was accepted`;
  const advice = changes.flatMap((change, index) => [...(index === 0 ? [] : [". "]), ...change.fix]);
  return { id: first.id, certainty, message: message + rest, fix: advice };
}

// If two servers take turns, one of them answers a repeated request differently, in each of these orders. A: the accepted
// request; R: the first one. Longer turns can agree with one of the orders at most.
const orders = ["AARR", "RRAA", "ARRA", "RAAR"] as const;

/** What an accepted request proves. It is made twice more, and must be accepted; so is the first one, which must be refused. */
async function proofOf(accepted: readonly Change[], requests: Requests): Promise<Finding<Fix>> {
  const order = orders[Math.floor(requests.sender.random() * orders.length)] ?? orders[0];
  const made = { A: 0, R: 0 };
  for (const one of order as Iterable<keyof typeof made>) {
    made[one] += 1;
    const [name, changes, expected] =
      one === "A"
        ? (["the accepted request", accepted, "accepted"] as const)
        : (["the first request", [], "refused"] as const);
    const { kind, words } = await requests.make(`${name} again, ${made[one]} of 2`, changes);
    if (kind === expected) continue;
    if (kind === "accepted" || kind === "refused")
      return inconsistent(`${name} was ${expected}, and ${kind} when it was made again`, requests);
    return acceptedWith(accepted, "possible", `, but this is not proved: ${words}`);
  }
  return neededOf(accepted, requests);
}

// A name can have dozens of addresses.
const mostAddresses = 3;

/** The finding of a server that does not answer one request always alike, with the addresses that answered. */
function inconsistent(what: string, { addresses }: Requests): Finding<Fix> {
  const ask = fix`Check again in a few minutes; if it goes on, ask the API's operator whether all servers know the credential`;
  const all = [...new Set([...addresses.accepted, ...addresses.refused])].sort();
  const listed = (some: Iterable<string>): string => [...some].sort().slice(0, mostAddresses).join(", ");
  const [first = "", ...others] = all;
  const where =
    others.length === 0
      ? ""
      : ` (accepted at ${listed(addresses.accepted)}; refused at ${listed(addresses.refused)})`;
  return measured(
    "inconsistent-server",
    `${what}: perhaps several servers answer by this name${where}, or a change of the account is still spreading`,
    where === "" ? ask : fix`Ask one server alone, with ${resolveTo(first)}, then ${listed(others)}. ${ask}`,
  );
}

const isSame = (one: readonly Change[], other: readonly Change[]): boolean =>
  one.length === other.length && one.every((change) => other.includes(change));

/**
 * Leaves changes out, the last one first, until each one that remains is needed. An account that is locked meanwhile refuses
 * everything, so a refusal shows this only if an acceptance follows it.
 */
async function neededOf(proved: readonly Change[], requests: Requests): Promise<Finding<Fix>> {
  const finding = (changes: readonly Change[], rest = ""): Finding<Fix> =>
    acceptedWith(changes, "proved", ` (proved by ${requests.count} further requests${rest})`);
  let changes = proved;
  let isSure = true;
  for (;;) {
    const without = (one: Change | undefined): readonly Change[] =>
      changes.filter((change) => change !== one);
    const left = changes.findLast((one) => !requests.refused.some((set) => isSame(set, without(one))));
    if (left === undefined && isSure) return finding(changes);
    if (requests.count >= requestLimit)
      return finding(proved, ", which do not show whether all of this is needed");
    const next = without(left);
    const announcement =
      left === undefined ? "what seems to be needed, again" : `the same without ${left.accepted}`;
    const { kind, words } = await requests.make(announcement, next);
    isSure = kind === "accepted";
    if (isSure) changes = next;
    else if (kind !== "refused" || left === undefined)
      return finding(proved, `; which of these are needed is not known: ${words}`);
  }
}
