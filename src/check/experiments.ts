import { conventionNames, hashNames } from "../wsse/digest.ts";
import type { Attempt } from "./attempt.ts";
import { maxCorrectionSeconds } from "./clock.ts";
import type { Credential, WrappedSecret } from "./credential.ts";
import type { Finding } from "./outcome.ts";

/** A request that differs from the refused one in a single respect, and what its being accepted would prove. */
export interface Experiment {
  readonly credential: Credential | null;
  /** Added to the clock for Created, in seconds. */
  readonly shiftSeconds: number;
  /** Said before the request goes out. */
  readonly announcement: string;
  /** What is excluded when it is refused like the first. */
  readonly excluded: string;
  /** What is reported when it is accepted. */
  readonly proof: Omit<Finding, "certainty">;
}

// A smaller difference is within what Date and the time under way leave uncertain.
function correction({ clock }: Attempt): number {
  if (clock === null || Math.abs(clock.skewSeconds) <= clock.uncertaintySeconds + 1) return 0;
  return Math.abs(clock.skewSeconds) > maxCorrectionSeconds ? 0 : -clock.skewSeconds;
}

function signed(seconds: number): string {
  return `${seconds < 0 ? "−" : "+"}${Math.abs(seconds)} s`;
}

const withoutCredential: Experiment = {
  credential: null,
  shiftSeconds: 0,
  announcement: "without credentials, to see whether the header is looked at",
  excluded: "a header that does not arrive",
  proof: {
    id: "no-authentication",
    message: "accepted without credentials: what answers there does not look at them",
    fix: "Check the base URL: this endpoint may be a stand-in, or have its authentication switched off",
  },
};

/**
 * The experiments for a refused credential, in the order of the contract: without credentials; Created corrected, which
 * is kept for all that follow; the token as the secret; the other digest conventions; the other hashes. At most
 * `maxExperiments`, since each may count as a failed login. Pure.
 */
export function experimentsFor(
  credential: Credential,
  spareToken: WrappedSecret | null,
  first: Attempt,
): readonly Experiment[] {
  if (credential.method === "token") return [withoutCredential];
  const shiftSeconds = correction(first);
  const corrected = shiftSeconds === 0 ? "" : `, with Created corrected by ${signed(shiftSeconds)}`;
  const clockNote = shiftSeconds === 0 ? "" : "; also set this machine's clock by NTP";

  const clock: readonly Experiment[] =
    shiftSeconds === 0
      ? []
      : [
          {
            credential,
            shiftSeconds,
            announcement: `Created corrected by ${signed(shiftSeconds)}, the measured clock difference`,
            excluded: "the clock",
            proof: {
              id: "clock",
              message: `accepted with Created corrected by ${signed(shiftSeconds)}: only this clock is wrong`,
              fix: "Set this machine's clock by NTP, for example with: timedatectl set-ntp true",
            },
          },
        ];

  const token: readonly Experiment[] =
    spareToken === null
      ? []
      : [
          {
            credential: { ...credential, secret: spareToken },
            shiftSeconds,
            announcement: "the token in place of the secret",
            excluded: "the token as the secret",
            proof: {
              id: "token-is-secret",
              message: `accepted with the token as the secret${corrected}: the value set as the secret is the wrong one`,
              fix: `Set the secret to what is now set as the token${clockNote}`,
            },
          },
        ];

  const others = [credential.hash, ...hashNames.filter((hash) => hash !== credential.hash)].flatMap((hash) =>
    conventionNames.map((digest) => ({ digest, hash })),
  );
  const conventions = others
    .filter(({ digest, hash }) => digest !== credential.digest || hash !== credential.hash)
    .map(({ digest, hash }): Experiment => {
      const settings = [
        ...(digest === credential.digest ? [] : [`digest: ${digest}`]),
        ...(hash === credential.hash ? [] : [`hash: ${hash}`]),
      ];
      return {
        credential: { ...credential, digest, hash },
        shiftSeconds,
        announcement: `digest ${digest} with ${hash}`,
        excluded: "the digest conventions and hashes",
        proof: {
          id: "digest-convention",
          message: `accepted with ${settings.map((setting) => `\`${setting}\``).join(" and ")}${corrected}`,
          fix: `Write into .referralrc: ${settings.join(" and ")}${clockNote}`,
        },
      };
    });

  return [withoutCredential, ...clock, ...token, ...conventions];
}
