import { conventionNames, hashNames } from "../../wsse/digest.ts";
import { clockCorrections } from "../clock.ts";
import type { Credential, SigningCredential, WrappedSecret } from "../credential.ts";
import type { ClockSkew } from "../result.ts";
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
}

/** The other conventions with the hash in use, then each other hash, with the convention in use first. */
function otherConventions({ digest, hash }: SigningCredential): readonly (readonly Change[])[] {
  const digests = conventionNames
    .filter((name) => name !== digest)
    .map((name) => conventionChange({ digest: name }));
  const hashes = hashNames.filter((name) => name !== hash).map((name) => conventionChange({ hash: name }));
  return [
    ...digests.map((one) => [one]),
    ...hashes.flatMap((other) => [[other], ...digests.map((one) => [one, other])]),
  ];
}

/** The experiments for a refused credential, in the order of the contract. Each change is the same object in all of them. Pure. */
export function experimentsFor({ credential, spareToken, clock }: ExperimentInputs): readonly Experiment[] {
  const without = { tried: [withoutCredential], kept: [] };
  const cleaned = cleaningChanges(credential);
  if (credential.method === "token")
    return cleaned.length === 0 ? [without] : [without, { tried: cleaned, kept: [] }];
  const corrections = clockCorrections(clock).map(clockChange);
  const field = credential.authorization === "wsse" ? [] : [fieldChange];
  const keeping =
    (kept: readonly Change[]) =>
    (tried: readonly Change[]): Experiment => ({ tried, kept });
  const clockKept = corrections.slice(-1);
  return [
    without,
    ...corrections.map((correction) => ({ tried: [correction], kept: [] })),
    ...[cleaned, spareToken === null ? [] : [tokenChange(spareToken)], field]
      .filter(({ length }) => length > 0)
      .map(keeping(clockKept)),
    ...otherConventions(credential).map(keeping([...field, ...clockKept])),
  ];
}
