import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { built, type Given, type Run, runAsChild, runInProcess } from "../support/run.ts";
import type { Peer } from "./peers.ts";

/** The first word of the verdict for each exit code; the sentence after it begins at the report's column of text. */
const verdicts = {
  0: "accepted",
  4: "REJECTED",
  5: "UNAVAILABLE",
  6: "UNEXPECTED",
  7: "UNREACHABLE",
  8: "TIMEOUT",
} as const;

/** What is special about a fault. */
interface Special {
  /** How many connections and requests the peer sees, if not one of each. */
  readonly connections?: number;
  readonly requests?: number;
  /** The program connects again with the system's certificates, where there are any that Node can read. */
  readonly unverified?: boolean;
  /** Runs as a child in `--mode built`: at least one fault of each group does. */
  readonly asChild?: boolean;
}

/** A fault, and the result that it must have: its exit code, and a part of the verdict's line. */
export type Fault = readonly [
  title: string,
  exit: keyof typeof verdicts,
  says: string | RegExp,
  serve: () => Promise<Peer>,
  special?: Special | undefined,
];

export type Runner = (args: readonly string[], given: Given) => Promise<Run>;

/** Runs `test` against a peer. */
export function check(peer: Peer, run: Runner): Promise<Run> {
  const credential = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };
  return run(["test", ...(peer.args ?? [])], {
    environment: { ...credential, REFERRAL_BASE_URL: peer.url, ...peer.environment },
  });
}

/** Resolves after the time in which a second connection would have been made. */
export const aMoment = (): Promise<void> => wait(10);

/** Runs against one fault and checks the exit code, both streams, the secret, and the number of connections and requests. */
export async function meet([title, exit, says, serve, special = {}]: Fault, run: Runner): Promise<void> {
  const peer = await serve();

  const result = await check(peer, run);

  expect([result.exitCode, result.stderr], title).toEqual([exit, ""]);
  const [verdict = ""] = result.stdout.split("\n", 1);
  expect(verdict.startsWith(`${verdicts[exit].padEnd(12)}wsse: `), verdict).toBe(true);
  expect(verdict).toMatch(says);
  await aMoment();
  const { connections = 1, requests = 1, unverified = false } = special;
  expect(peer.requests(), title).toBe(requests);
  expect(unverified ? [1, 2] : [connections], title).toContain(peer.connections());
}

/** Declares a test for each fault; in `--mode built` for those that ask for it, as a child. */
export function testFaults(group: string, faults: readonly Fault[], asChild: Runner = runAsChild): void {
  const run = built ? asChild : runInProcess;
  const chosen = faults.filter(([, , , , special]) => !built || special?.asChild);
  const rows = chosen.map((fault) => [fault[0], fault[1], fault] as const);
  // As a child, a group may have none.
  if (built && rows.length === 0) return;
  test.each(rows)(`${group}, ${built ? "as a child" : "in process"}: %s exits %i`, (_title, _exit, fault) =>
    meet(fault, run),
  );
}
