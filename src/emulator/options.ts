import type { ConventionName, HashName } from "../wsse/digest.ts";
import type { Credentials } from "./credentials.ts";
import type { ForcedAnswer } from "./forced-answer.ts";

/** How an emulator behaves; what is left out is as in `defaults`. */
export interface EmulatorOptions {
  readonly credentials: Credentials;
  /** Milliseconds since the epoch: the clock of the log and, but for the offset, of the server. */
  readonly now: () => number;
  /** Takes one line per request, without its end, before the request is answered. */
  readonly log: (line: string) => void;
  /** 0 for any that is free. */
  readonly port?: number;
  readonly digest?: ConventionName;
  readonly hash?: HashName;
  /** How far Created may be from the server's clock, either way. */
  readonly windowSeconds?: number;
  /** How many nonces are remembered at once. */
  readonly maximumNonces?: number;
  /** How far the server's clock is ahead of `now`; below 0 it is behind. */
  readonly clockOffsetSeconds?: number;
  /** What is waited before each answer. */
  readonly latencyMilliseconds?: number;
  /** What every request to the endpoint is answered with instead of a judgement. */
  readonly answer?: ForcedAnswer | null;
  /** Whether an error tells the client its reason. */
  readonly explain?: boolean;
  /** Whether the log leaves out what was accepted. */
  readonly refusalsOnly?: boolean;
}

/** What holds where an option is left out. The window is the emulator's own choice (specification, section 5.1, rule 4). */
export const defaults = {
  port: 0,
  digest: "text-nonce",
  hash: "sha1",
  windowSeconds: 300,
  maximumNonces: 100_000,
  clockOffsetSeconds: 0,
  latencyMilliseconds: 0,
  answer: null,
  explain: false,
  refusalsOnly: false,
} as const satisfies Omit<Required<EmulatorOptions>, "credentials" | "now" | "log">;
