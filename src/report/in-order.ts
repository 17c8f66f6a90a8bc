import type { ReportedCheck, ReportWriter } from "./report-writer.ts";

/** The results of an account that have not been written. */
interface Held {
  readonly checks: ReportedCheck[];
  isFinished: boolean;
}

/** Passes the results of accounts to the writer in the order of the accounts' positions, whichever is finished first. */
export function inOrder(writer: ReportWriter): ReportWriter {
  const held = new Map<number, Held>();
  let next = 1;
  const heldOf = (position: number): Held => {
    const known = held.get(position) ?? { checks: [], isFinished: false };
    held.set(position, known);
    return known;
  };
  const write = async (checks: ReportedCheck[]): Promise<void> => {
    // All are added before the first await, so that they stay in their order.
    await Promise.all(checks.splice(0).map(async (check) => writer.add(check)));
  };
  const writeDue = async (): Promise<void> => {
    const due: ReportedCheck[] = [];
    for (let first = held.get(next); first !== undefined; first = held.get(next)) {
      due.push(...first.checks.splice(0));
      if (!first.isFinished) break;
      held.delete(next);
      next += 1;
    }
    await write(due);
  };
  return {
    ...writer,
    add: (check) => {
      heldOf(check.position).checks.push(check);
      return writeDue();
    },
    accountFinished: ({ position }) => {
      heldOf(position).isFinished = true;
      return writeDue();
    },
    finish: async (end) => {
      // An interruption leaves accounts that others wait for.
      const positions = [...held.keys()].toSorted((one, other) => one - other);
      await write(positions.flatMap((position) => held.get(position)?.checks ?? []));
      await writer.finish(end);
    },
  };
}
