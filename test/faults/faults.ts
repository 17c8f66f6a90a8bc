import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, type TestOptions, test } from "vitest";
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

const methods = ["token", "wsse"] as const;
type Method = (typeof methods)[number];
export type Runner = (args: readonly string[], given: Given) => Promise<Run>;

/** How the program runs against each fault, and how often a test that failed is tried again. */
interface FaultOptions extends Pick<TestOptions, "retry"> {
  readonly inProcess?: Runner;
  readonly asChild?: Runner;
  /** Checks both methods of a fault at once, since each waits. */
  readonly atOnce?: boolean;
}

const credentials: Readonly<Record<Method, Readonly<Record<string, string>>>> = {
  token: { REFERRAL_TOKEN: planted.token },
  wsse: { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret },
};

/** Runs `test` against a peer, with one credential. */
export function check(peer: Peer, method: Method, run: Runner): Promise<Run> {
  return run(["test", ...(peer.args ?? [])], {
    environment: { ...credentials[method], REFERRAL_BASE_URL: peer.url, ...peer.environment },
  });
}

/** Resolves after the time in which a second connection would have been made. */
export const aMoment = (): Promise<void> => wait(10);

/** Runs against one fault and checks the exit code, both streams, the secret, and the number of connections and requests. */
async function meet([, exit, says, serve, special = {}]: Fault, method: Method, run: Runner): Promise<void> {
  const peer = await serve();

  const result = await check(peer, method, run);

  expect(result).toMatchObject({ exitCode: exit, stderr: "" });
  const [verdict = ""] = result.stdout.split("\n", 1);
  expect(verdict.startsWith(`${verdicts[exit].padEnd(12)}${method}: `), verdict).toBe(true);
  expect(verdict).toMatch(says);
  await aMoment();
  const { connections = 1, requests = 1, unverified = false } = special;
  expect(peer.requests()).toBe(requests);
  expect(unverified ? [1, 2] : [connections]).toContain(peer.connections());
}

/** Declares a test for each fault, with a token and with WSSE; in `--mode built` for those that ask for it, as a child. */
export function testFaults(
  group: string,
  faults: readonly Fault[],
  { inProcess = runInProcess, asChild = runAsChild, atOnce = false, ...options }: FaultOptions = {},
): void {
  const run = built ? asChild : inProcess;
  const groups = atOnce ? [methods] : methods.map((method) => [method]);
  describe.each(groups.map((together) => [together.join(" and "), together] as const))(
    `${group}, ${built ? "as a child" : "in process"}, %s:`,
    (_, together) => {
      const chosen = faults.filter(([, , , , special]) => !built || special?.asChild);
      const rows = chosen.map((fault) => [fault[0], fault[1], fault] as const);
      test.each(rows)("%s exits %i", options, async (_title, _exit, fault) => {
        await Promise.all(together.map((method) => meet(fault, method, run)));
      });
    },
  );
}
