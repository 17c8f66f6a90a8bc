// The result of a check and its findings, as the library gives it and `--json` prints it: field names are public.

import type { ConnectionRecord } from "../http/record.ts";
import type { Method } from "../settings/definition.ts";
import { type Outcome, type OutcomeKind, outcomes } from "./outcome.ts";

export type { ConnectionRecord, TriedAddress } from "../http/record.ts";

/** How sure findings are, in their order. */
export const certainties = ["proved", "measured", "possible"] as const;
/** How sure a finding is: shown by an experiment, read off the exchange or the settings, or a possible explanation. */
export type Certainty = (typeof certainties)[number];

/**
 * The ids of findings, each a kind of answer, in the order in which findings of one certainty stand: first what ended the check, then
 * what the credential and the clock show, what is set on this machine, and what a diagnosis showed.
 */
const explaining = [
  "certificate-expired",
  "certificate-not-yet-valid",
  "certificate-host",
  "certificate-unknown-ca",
  "certificate-unfit",
  "tls-refused",
  "other-protocol",
  "proxy-refused",
  "proxy-unreachable",
  "broken-http",
  "base-url",
  "gateway",
  "no-evidence",
  "no-authentication",
  "cached",
  "token-inside",
  "clock-ahead",
  "clock-behind",
  "rate-limit",
  "credential-placeholder",
  "credential-form",
  "account-locked",
  "maybe-refused",
  "other-settings",
  "local-address",
  "slow-step",
  "credential-cleaned",
  "digest-convention",
  "inconsistent-server",
  "ruled-out",
  "diagnosis-stopped",
  "not-sent",
] as const;

/** What a finding is about. */
export type FindingId =
  | (typeof explaining)[number]
  | Exclude<(typeof outcomes)[OutcomeKind]["finding"], null>
  | "not-diagnosed";

/** One reason or remark, and what to do about it. The `id` is stable; the sentences are not. */
export interface Finding<FixForm = string> {
  readonly id: FindingId;
  readonly certainty: Certainty;
  readonly message: string;
  readonly fix: FixForm;
}

const findingOf =
  (certainty: Certainty) =>
  <FixForm>(id: FindingId, message: string, fix: FixForm): Finding<FixForm> => ({
    id,
    certainty,
    message,
    fix,
  });
/** A finding that is read off the exchange, the settings or the credential's shape. */
export const measured = findingOf("measured");
/** A finding that is a possible explanation. */
export const possible = findingOf("possible");

// These say no more than the outcome, or explain nothing, so they stand last.
const last: readonly string[] = [
  ...Object.values(outcomes).map(({ finding }) => finding ?? ""),
  "not-diagnosed",
];

/** Whether a finding says more than the outcome. */
export const isExplaining = ({ id }: Pick<Finding, "id">): boolean => !last.includes(id);

const order: readonly string[] = [...explaining, ...last];

/** Findings in their order: proved, measured, possible, and last those that explain nothing; within each, by the order of ids. */
export function inOrder<FixForm>(findings: readonly Finding<FixForm>[]): readonly Finding<FixForm>[] {
  const rankOf = (one: Finding<FixForm>): number =>
    isExplaining(one) ? certainties.indexOf(one.certainty) : certainties.length;
  return findings.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || order.indexOf(one.id) - order.indexOf(other.id),
  );
}

/** The difference between this machine's clock and the server's: positive if this machine's is ahead. */
export interface ClockSkew {
  readonly skewSeconds: number;
  readonly uncertaintySeconds: number;
}

/** The result of one check. `durationMs` is that of the last attempt, or 0 if a bug ended the check. */
export interface CheckResult {
  readonly profile: string | null;
  /** Null if the settings do not name a method. */
  readonly method: Method | null;
  readonly url: string | null;
  /** The credential and the place where it is set, in words and without the secret; null if unknown. */
  readonly credential: string | null;
  readonly attempts: number;
  /** When the last attempt began, or the result was made if there was none: ISO 8601 in UTC, with milliseconds. */
  readonly checkedAt: string;
  readonly durationMs: number;
  /** How the last attempt reached the server; null if nothing was begun. */
  readonly connection: ConnectionRecord | null;
  readonly outcome: Outcome;
  /** The beginning of what was no valid HTTP or TLS, as it came; null without. Escape it before showing it. */
  readonly received: string | null;
  /** What the outcome means, in one sentence without a full stop. It can quote the server: escape it before showing it. */
  readonly headline: string;
  readonly clock: ClockSkew | null;
  /** The reasons and remarks: what is proved, then measured, then possible; what only repeats the outcome stands last. */
  readonly findings: readonly Finding[];
  /** The address that --resolve gave, in the place of a lookup. */
  readonly resolved?: string;
  /** What to do, the best first; only the fix of what is proved. Each place is named once, and none that `credential` names. */
  readonly advice: readonly string[];
  /** What else can be done. */
  readonly alternatives: readonly string[];
  /** How many further requests a diagnosis can make at most; null where none is advised. */
  readonly diagnosisRequests: number | null;
}
