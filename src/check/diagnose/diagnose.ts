import { isDeepStrictEqual } from "node:util";
import { headerValue } from "../../http/exchange.ts";
import type { Fix } from "../../settings/fix.ts";
import type { Credential, SpareToken } from "../credential.ts";
import { isRefusal, type Outcome } from "../outcome.ts";
import type { Attempt, Variant } from "../request.ts";
import type { Finding } from "../result.ts";
import { type Change, type Experiment, experimentsFor, variantOf, withoutCredential } from "./changes.ts";
import {
  acceptedWith,
  ending,
  headerIgnored,
  inconsistent,
  isLockOut,
  nothingProved,
  nothingToTry,
  notTried,
  stopped,
  triedInWords,
} from "./conclusions.ts";
import { requestLimit } from "./request-limit.ts";

/** What a diagnosis can do. It knows neither clock nor network. */
export interface Means {
  /** Announces a request and makes it. Resolves with null if the run is interrupted. */
  request(announcement: string, variant: Variant): Promise<Attempt | null>;
  /** Reads the token that may be tried as the secret. Resolves with null if the run is interrupted. */
  spareToken(): Promise<SpareToken | null>;
  /** Whether to diagnose a refusal. */
  mayDiagnose(): Promise<boolean>;
  /** Asks once for all accepted checks of the same server, which share the answer. */
  once(ask: () => Promise<boolean>): Promise<boolean>;
}

/** The outcome of a check after its diagnosis, and what further requests showed. */
export interface Diagnosis {
  readonly outcome: Outcome;
  readonly findings: readonly Finding<Fix>[];
}

/** How a request ended, also in words. Only `accepted` and `refused` tell something about its changes. */
type Answer = { readonly words: string } & (
  | { readonly kind: "accepted" | "refused" | "locked" | "other"; readonly made: Attempt }
  | { readonly kind: "interrupted"; readonly made: null }
);

const interrupted: Answer = { kind: "interrupted", words: "the run was interrupted", made: null };

/** What a client can see of a response; null if there is none. */
function visible({ exchange }: Attempt) {
  if (exchange.kind !== "response") return null;
  const { status, body } = exchange.response;
  return { status, body, type: headerValue(exchange.response, "content-type") };
}

/** How often the first request is made again before anything is proved. Once would not tell two servers that take turns. */
const controls = 2;

/** The most requests that these experiments, the control and the search for the changes that are needed can take. */
export function requestsOf(experiments: readonly Experiment[]): number {
  const size = Math.max(...experiments.map(({ changes }) => changes.length));
  // Each of n changes is left out, then each of n - 1, down to two.
  const simpler = (size * (size + 1)) / 2 - 1;
  return Math.min(requestLimit, experiments.length + controls + simpler);
}

const isSame = (one: readonly Change[], other: readonly Change[]): boolean =>
  one.length === other.length && one.every((change) => other.includes(change));

/**
 * Makes the experiments for a refused credential, one at a time. It stops when one is accepted, or when the API no longer
 * answers as before, or the run is interrupted. Resolves with what this proves or rules out.
 */
async function experiment(credential: Credential, first: Attempt, means: Means) {
  const spare = await means.spareToken();
  if (spare === null) return [stopped(interrupted.words, "", true)];
  const remarks = spare.problem === null ? [] : [notTried(spare.problem)];
  const experiments = experimentsFor(credential, spare.token, first.clock);
  const most = requestsOf(experiments);
  let count = 0;
  const refused: (readonly Change[])[] = [];

  async function request(announcement: string, changes: readonly Change[]): Promise<Answer> {
    count += 1;
    const cost = count === 1 ? "; each request may count as a failed login" : "";
    const numbered = `diagnosis, request ${count} of at most ${most}: ${announcement}${cost}`;
    const made = await means.request(numbered, variantOf(credential, changes));
    if (made === null) return interrupted;
    const words = ending(announcement, made);
    if (made.outcome.kind === "accepted") return { kind: "accepted", words, made };
    if (isLockOut(made, first)) return { kind: "locked", words, made };
    if (!isRefusal(made.outcome)) return { kind: "other", words, made };
    refused.push(changes);
    return { kind: "refused", words, made };
  }

  async function conclusion(accepted: readonly Change[]): Promise<Finding<Fix>> {
    for (let made = 1; made <= controls; made += 1) {
      const { kind, words } = await request(`control ${made} of ${controls}, the first request again`, []);
      if (kind === "accepted") return inconsistent;
      if (kind !== "refused") return acceptedWith(accepted, "possible", `, but this is not proved: ${words}`);
    }
    // Leave changes out, the last one first, until each one that remains is needed. Only a refusal shows that one is.
    let changes = accepted;
    for (;;) {
      const without = (one: Change): readonly Change[] => changes.filter((change) => change !== one);
      const left = changes.findLast((one) => !refused.some((set) => isSame(set, without(one))));
      if (left === undefined || count === requestLimit) {
        const control = `; the first request was refused twice more (${count} further requests)`;
        const rest = `; ${requestLimit} requests do not show whether all of this is needed`;
        return acceptedWith(changes, "proved", left === undefined ? control : control + rest);
      }
      const { kind, words } = await request(`the same without ${left.accepted}`, without(left));
      if (kind === "accepted") changes = without(left);
      else if (kind !== "refused")
        return acceptedWith(changes, "possible", `; which of these are needed is not known: ${words}`);
    }
  }

  let isAlike = false;
  const excluded: Change[] = [];
  const isApi = first.outcome.kind === "rejected";
  const causes = (isWhole: boolean) => triedInWords(excluded, isApi && !isAlike, isWhole);
  const ended = (end: Finding<Fix>) => [end, ...(isAlike ? [headerIgnored] : []), ...remarks];
  for (const { tried, changes } of experiments) {
    const announcement = tried.map((change) => change.announcement).join(" and ");
    const { kind, words, made } = await request(announcement, changes);
    if (kind === "accepted") return [await conclusion(changes), ...remarks];
    const isBare = tried.includes(withoutCredential);
    if (made === null || kind === "locked" || (kind === "other" && !isBare))
      return ended(stopped(words, causes(false), made === null));
    if (isBare && isDeepStrictEqual(visible(first), visible(made))) isAlike = true;
    // Another answer without credentials shows that the header arrives; a failure shows nothing.
    else if (kind === "refused" || made.outcome.kind === "unexpected") excluded.push(...tried);
  }
  return ended(nothingProved(causes(true), isApi, credential.method));
}

/** Whether the server accepts a request without credentials, which a cache did not answer. False after an interruption. */
async function acceptsAnybody(means: Means): Promise<boolean> {
  const made = await means.request(
    "diagnosis, request 1 of at most 1: without credentials, to see whether the server checks them; it may count as a failed login",
    { credential: null, shiftSeconds: 0 },
  );
  return made?.outcome.kind === "accepted";
}

/** Makes further requests after an acceptance or a refusal. */
export async function diagnosed(credential: Credential, first: Attempt, means: Means): Promise<Diagnosis> {
  const { outcome } = first;
  if (outcome.kind === "accepted") {
    const isOpen = await means.once(() => acceptsAnybody(means));
    const reason = { kind: "no-authentication" } as const;
    return { outcome: isOpen ? { ...outcome, kind: "unexpected", reason } : outcome, findings: [] };
  }
  if (!isRefusal(outcome)) return { outcome, findings: [nothingToTry] };
  const findings = (await means.mayDiagnose()) ? await experiment(credential, first, means) : [];
  return { outcome, findings };
}
