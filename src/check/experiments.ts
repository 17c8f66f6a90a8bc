import type { Advice } from "../settings/advice.ts";
import { conventionNames, hashNames } from "../wsse/digest.ts";
import { type Change, conventionChange, fieldChange, repairChange, tokenChange } from "./changes.ts";
import { type ClockPlan, clockPlan, shiftInWords } from "./clock-plan.ts";
import type { Credential, WrappedSecret } from "./credential.ts";
import type { ClockSkew, Finding } from "./outcome.ts";

/** A request that differs from the refused one, and what it proves if it is accepted. */
export interface Experiment {
  readonly credential: Credential | null;
  /** Added to the clock for Created, in seconds. */
  readonly shiftSeconds: number;
  /** Shown before the request goes out. */
  readonly announcement: string;
  /** What is ruled out if it is refused like the first. */
  readonly excluded: string;
  readonly proof: Omit<Finding, "certainty">;
  /** The same with fewer changes. If this experiment is accepted, they show which changes are needed. */
  readonly simpler: readonly Experiment[];
}

/** What the experiments are made from. */
export interface ExperimentInputs {
  readonly credential: Credential;
  /** A token that is set beside a WSSE secret. */
  readonly spareToken: WrappedSecret | null;
  readonly clock: ClockSkew | null;
  readonly advice: Advice;
}

const withoutCredential: Experiment = {
  credential: null,
  shiftSeconds: 0,
  announcement: "without credentials, to see whether the header is looked at",
  excluded: "a missing header",
  proof: {
    id: "no-authentication",
    message: "accepted without credentials: the server does not check them",
    fix: "Check the base URL: this endpoint may be a stand-in, or have its authentication switched off",
  },
  simpler: [],
};

function clockExperiment(credential: Credential, shiftSeconds: number): Experiment {
  const shift = shiftInWords(shiftSeconds);
  return {
    credential,
    shiftSeconds,
    announcement: `Created ${shift}`,
    excluded: "the clock",
    proof: {
      id: "clock",
      message: `accepted with Created ${shift}: only the time was wrong`,
      fix: "Set this machine's clock by NTP, for example with: timedatectl set-ntp true",
    },
    simpler: [],
  };
}

/** The changes that an experiment keeps from earlier ones. */
interface Kept {
  readonly shiftSeconds: number;
  /** The change that adds the Authorization field. */
  readonly field: Change | null;
}

function experimentWith(change: Change, kept: Kept, plan: ClockPlan): Experiment {
  const { shiftSeconds, field } = kept;
  const changes = field === null ? [change] : [change, field];
  const words = changes.map(({ accepted }) => accepted);
  const shift = shiftSeconds === 0 ? [] : [`Created ${shiftInWords(shiftSeconds)}`];
  return {
    credential: changes.reduce((credential, { apply }) => apply(credential), change.original),
    shiftSeconds,
    announcement: change.announcement,
    excluded: change.excluded,
    proof: {
      id: change.id,
      message: `accepted with ${[...words, ...shift].join(" and ")}`,
      fix: [
        ...changes.map(({ fix }) => fix),
        ...(shiftSeconds === 0 ? [] : ["Also set this machine's clock by NTP"]),
      ].join(". "),
    },
    simpler: [
      ...(field === null
        ? []
        : [
            {
              ...experimentWith(change, { ...kept, field: null }, plan),
              announcement: "the same without the Authorization field",
            },
          ]),
      // A measured difference must be corrected anyway, but 3 seconds may not be needed. The experiment above has shown
      // whether the field is needed.
      ...(shiftSeconds !== 0 && plan.clocksAgree
        ? [
            {
              ...experimentWith(change, { ...kept, shiftSeconds: 0 }, plan),
              announcement: "the same with this clock's time",
              simpler: [],
            },
          ]
        : []),
    ],
  };
}

/** All conventions with the hash in use, then with the other hashes. */
function otherConventions(
  credential: Extract<Credential, { method: "wsse" }>,
  advice: Advice,
): readonly Change[] {
  const hashes = [credential.hash, ...hashNames.filter((hash) => hash !== credential.hash)];
  return hashes
    .flatMap((hash) => conventionNames.map((digest) => ({ digest, hash })))
    .filter(({ digest, hash }) => digest !== credential.digest || hash !== credential.hash)
    .map((algorithm) => conventionChange(credential, algorithm, advice));
}

/**
 * The experiments for a refused credential, in the order of the contract. With the `simpler` ones they are at most
 * `maxExperiments`, since each may count as a failed login. Pure.
 */
export function experimentsFor({
  credential,
  spareToken,
  clock,
  advice,
}: ExperimentInputs): readonly Experiment[] {
  const repair = repairChange(credential, advice);
  const repairs = repair === null ? [] : [repair];
  if (credential.method === "token") {
    const plan: ClockPlan = { corrections: [], kept: 0, clocksAgree: true };
    return [
      withoutCredential,
      ...repairs.map((change) => experimentWith(change, { shiftSeconds: 0, field: null }, plan)),
    ];
  }
  const plan = clockPlan(clock);
  const field = credential.authorization === "wsse" ? null : fieldChange(credential, advice);
  const before: readonly Change[] = [
    ...repairs,
    ...(spareToken === null ? [] : [tokenChange(credential, spareToken, advice)]),
    ...(field === null ? [] : [field]),
  ];
  const experiment =
    (kept: Kept) =>
    (change: Change): Experiment =>
      experimentWith(change, kept, plan);
  return [
    withoutCredential,
    ...plan.corrections.map((shiftSeconds) => clockExperiment(credential, shiftSeconds)),
    ...before.map(experiment({ shiftSeconds: plan.kept, field: null })),
    ...otherConventions(credential, advice).map(experiment({ shiftSeconds: plan.kept, field })),
  ];
}

/** The most requests that these experiments can take, `simpler` ones included. */
export function requestsOf(experiments: readonly Experiment[]): number {
  return experiments.length + Math.max(0, ...experiments.map(({ simpler }) => simpler.length));
}
