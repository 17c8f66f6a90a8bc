import type { Fix } from "../../settings/fix.ts";
import type { Attempt } from "../request.ts";
import type { Finding } from "../result.ts";
import type { Change } from "./changes.ts";
import { acceptedWith, inconsistent } from "./conclusions.ts";
import { requestLimit } from "./request-limit.ts";

/** How a request ended, also in words. Only `accepted` and `refused` tell something about its changes. */
export type Answer = { readonly words: string } & (
  | { readonly kind: "accepted" | "refused" | "locked" | "other"; readonly made: Attempt }
  | { readonly kind: "interrupted"; readonly made: null }
);

/** The requests of one diagnosis. */
export interface Requests {
  /** Makes the first request again, with these changes. */
  request(announcement: string, changes: readonly Change[]): Promise<Answer>;
  readonly count: number;
  /** The changes of each that was refused. */
  readonly refused: readonly (readonly Change[])[];
}

// Of two to four servers that take turns, one would answer a repeated request in another way. Fewer repeats miss that.
const repeats = 2;

/** What an accepted request proves. It is made again, and must be accepted; so is the first one, which must be refused. */
export async function proofOf(accepted: readonly Change[], requests: Requests): Promise<Finding<Fix>> {
  const repeated = [
    ["the accepted request", accepted, "accepted"],
    ["the first request", [], "refused"],
  ] as const;
  for (const [name, changes, expected] of repeated) {
    for (let made = 1; made <= repeats; made += 1) {
      const { kind, words } = await requests.request(`${name} again, ${made} of ${repeats}`, changes);
      if (kind === expected) continue;
      if (kind === "accepted" || kind === "refused")
        return inconsistent(`${name} was ${expected}, and ${kind}`);
      return acceptedWith(accepted, "possible", `, but this is not proved: ${words}`);
    }
  }
  return neededOf(accepted, requests);
}

const isSame = (one: readonly Change[], other: readonly Change[]): boolean =>
  one.length === other.length && one.every((change) => other.includes(change));

/**
 * Leaves changes out, the last one first, until each one that remains is needed. An account that is locked meanwhile refuses
 * everything, so a refusal shows this only if an acceptance follows it.
 */
async function neededOf(proved: readonly Change[], requests: Requests): Promise<Finding<Fix>> {
  const finding = (changes: readonly Change[], rest = ""): Finding<Fix> =>
    acceptedWith(
      changes,
      "proved",
      `; the accepted request and the first one got the same answers twice more (${requests.count} further requests)${rest}`,
    );
  let changes = proved;
  let isSure = true;
  for (;;) {
    const without = (one: Change): readonly Change[] => changes.filter((change) => change !== one);
    const left = changes.findLast((one) => !requests.refused.some((set) => isSame(set, without(one))));
    if (left === undefined && isSure) return finding(changes);
    if (requests.count === requestLimit)
      return finding(proved, `; ${requestLimit} requests do not show whether all of this is needed`);
    const next = left === undefined ? changes : without(left);
    const announcement =
      left === undefined ? "what seems to be needed, again" : `the same without ${left.accepted}`;
    const { kind, words } = await requests.request(announcement, next);
    isSure = kind === "accepted";
    if (isSure) changes = next;
    else if (kind !== "refused" || left === undefined)
      return finding(proved, `; which of these are needed is not known: ${words}`);
  }
}
