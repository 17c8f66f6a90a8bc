import type { AccountResult } from "./report.ts";

/** Passes results to `write` in the order of their accounts' positions, whichever account is finished first. */
export function inOrder(write: (result: AccountResult) => Promise<void>) {
  /** The results that have not been written, by position, and whether those of their account are all there. */
  const held = new Map<number, { readonly results: AccountResult[]; isFinished: boolean }>();
  let next = 1;
  // All are passed on before the first await, so that they stay in their order.
  const writeAll = async (results: readonly AccountResult[]): Promise<void> =>
    void (await Promise.all(results.map(write)));
  return {
    /** Adds a result, and resolves when all that are due are written. `isLast` tells that its account has no further results. */
    add: (result: AccountResult, isLast: boolean): Promise<void> => {
      const own = held.get(result.position) ?? { results: [], isFinished: false };
      held.set(result.position, own);
      own.results.push(result);
      own.isFinished = isLast;
      const due: AccountResult[] = [];
      for (let first = held.get(next); first !== undefined; first = held.get(next)) {
        due.push(...first.results.splice(0));
        if (!first.isFinished) break;
        held.delete(next);
        next += 1;
      }
      return writeAll(due);
    },
    /** Writes what still waits: an interruption leaves accounts that others wait for. */
    rest: (): Promise<void> => {
      const positions = [...held.keys()].toSorted((one, other) => one - other);
      return writeAll(positions.flatMap((position) => held.get(position)?.results ?? []));
    },
  };
}
