// What an accepted request proves: it is repeated, and each of its changes is left out, until the changes that are needed remain.

import { type Fix, fix, resolveTo } from "../../settings/fix.ts";
import { type Change, requestLimit } from "../changes.ts";
import type { Attempt } from "../check-context.ts";
import { type Certainty, type Finding, measured } from "../result.ts";

/** How a request ended, also in words. Only `accepted` and `refused` tell something about its changes. */
export type RequestEnd = { readonly words: string } & (
  | { readonly kind: "accepted" | "refused" | "locked" | "other"; readonly made: Attempt }
  | { readonly kind: "not-sent"; readonly hint: string; readonly made: null }
);

/** The requests of one diagnosis. */
export interface Requests {
  /** Makes the first request again, with these changes. */
  request(announcement: string, changes: readonly Change[]): Promise<RequestEnd>;
  /** Draws a number from 0 up to 1. */
  random(): number;
  readonly count: number;
  /** At which addresses a request was accepted or refused, the first one too. */
  readonly addresses: Readonly<Record<"accepted" | "refused", ReadonlySet<string>>>;
  /** The changes of each that was refused. */
  readonly refused: readonly (readonly Change[])[];
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
export async function proofOf(accepted: readonly Change[], requests: Requests): Promise<Finding<Fix>> {
  const order = orders[Math.floor(requests.random() * orders.length)] ?? orders[0];
  const made = { A: 0, R: 0 };
  for (const one of order as Iterable<keyof typeof made>) {
    made[one] += 1;
    const [name, changes, expected] =
      one === "A"
        ? (["the accepted request", accepted, "accepted"] as const)
        : (["the first request", [], "refused"] as const);
    const { kind, words } = await requests.request(`${name} again, ${made[one]} of 2`, changes);
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
    const { kind, words } = await requests.request(announcement, next);
    isSure = kind === "accepted";
    if (isSure) changes = next;
    else if (kind !== "refused" || left === undefined)
      return finding(proved, `; which of these are needed is not known: ${words}`);
  }
}
