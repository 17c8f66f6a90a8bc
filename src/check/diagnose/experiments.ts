import type { Advice } from "../../settings/advice.ts";
import { conventionNames, hashNames } from "../../wsse/digest.ts";
import { clockCorrections } from "../clock.ts";
import type { Credential, SigningCredential, WrappedSecret } from "../credential.ts";
import type { ClockSkew } from "../outcome.ts";
import {
  type Change,
  cleaningChanges,
  clockChange,
  conventionChange,
  fieldChange,
  tokenChange,
  withoutCredential,
} from "./changes.ts";

/** A request that differs from the refused one. */
export interface Experiment {
  /** The changes that it tries, at least one. */
  readonly tried: readonly Change[];
  /** The changes that it keeps from earlier experiments. */
  readonly kept: readonly Change[];
}

/** What the experiments are made from. */
export interface ExperimentInputs {
  readonly credential: Credential;
  /** A token that is set beside a WSSE secret. */
  readonly spareToken: WrappedSecret | null;
  readonly clock: ClockSkew | null;
  readonly advice: Advice;
}

/** The other conventions with the hash in use, then each other hash, with the convention in use first. */
function otherConventions(
  { digest, hash }: SigningCredential,
  advice: Advice,
): readonly (readonly Change[])[] {
  const digests = conventionNames
    .filter((name) => name !== digest)
    .map((name) => conventionChange({ digest: name }, advice));
  const hashes = hashNames
    .filter((name) => name !== hash)
    .map((name) => conventionChange({ hash: name }, advice));
  return [
    ...digests.map((one) => [one]),
    ...hashes.flatMap((other) => [[other], ...digests.map((one) => [one, other])]),
  ];
}

/** The experiments for a refused credential, in the order of the contract. Each change is the same object in all of them. Pure. */
export function experimentsFor({
  credential,
  spareToken,
  clock,
  advice,
}: ExperimentInputs): readonly Experiment[] {
  const without = { tried: [withoutCredential], kept: [] };
  const cleaned = cleaningChanges(credential, advice);
  if (credential.method === "token")
    return cleaned.length === 0 ? [without] : [without, { tried: cleaned, kept: [] }];
  const corrections = clockCorrections(clock).map(clockChange);
  const field = credential.authorization === "wsse" ? [] : [fieldChange(advice)];
  const keeping =
    (kept: readonly Change[]) =>
    (tried: readonly Change[]): Experiment => ({ tried, kept });
  const clockKept = corrections.slice(-1);
  return [
    without,
    ...corrections.map((correction) => ({ tried: [correction], kept: [] })),
    ...[cleaned, spareToken === null ? [] : [tokenChange(spareToken, advice)], field]
      .filter(({ length }) => length > 0)
      .map(keeping(clockKept)),
    ...otherConventions(credential, advice).map(keeping([...field, ...clockKept])),
  ];
}
