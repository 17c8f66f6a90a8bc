import type { Change } from "./changes.ts";

/** How a request of a diagnosis ended. Anything but an acceptance or a refusal is described in words. */
export type Answer = "accepted" | "refused" | { readonly otherwise: string };

/** The changes that an accepted request needs. */
export interface Needed {
  readonly changes: readonly Change[];
  /** Why it is not known whether all of them are needed; null if each was refused without the others. */
  readonly open: Exclude<Answer, "accepted" | "refused"> | "no-request-left" | null;
}

const isSame = (one: readonly Change[], other: readonly Change[]): boolean =>
  one.length === other.length && one.every((change) => other.includes(change));

/**
 * Leaves changes of an accepted request out, the last one first, until the server refuses it without any one of those that
 * remain. Only a refusal shows that a change is needed. `refused` holds sets of changes that were refused; `ask` makes a
 * request, and resolves with null if none is left.
 */
export async function simplified(
  accepted: readonly Change[],
  refused: readonly (readonly Change[])[],
  ask: (announcement: string, changes: readonly Change[]) => Promise<Answer | null>,
): Promise<Needed> {
  const known = [...refused];
  let changes = accepted;
  for (;;) {
    const without = (left: Change): readonly Change[] => changes.filter((change) => change !== left);
    const left = changes.findLast((change) => !known.some((set) => isSame(set, without(change))));
    if (left === undefined) return { changes, open: null };
    const answer = await ask(`the same without ${left.accepted}`, without(left));
    if (answer === null) return { changes, open: "no-request-left" };
    if (answer === "accepted") changes = without(left);
    else if (answer === "refused") known.push(without(left));
    else return { changes, open: answer };
  }
}
