import { type Fix, fix, nowSet, setTo } from "../../settings/fix.ts";
import { conventionNames, type DigestAlgorithm, hashNames } from "../../wsse/digest.ts";
import { clockCorrections } from "../clock.ts";
import type { Credential, SigningCredential, WrappedSecret } from "../credential.ts";
import { pastedParts } from "../credential.ts";
import { durationInWords } from "../duration.ts";
import { pasteWords } from "../paste-mistakes.ts";
import type { Variant } from "../request.ts";
import type { ClockSkew, Finding } from "../result.ts";
import { requestLimit } from "./request-limit.ts";

/** One change of a refused request, and the words for it. */
export interface Change {
  readonly id: Finding["id"];
  /** The parts of the credential that it sets; null for a request without credentials. */
  readonly sets: Partial<Omit<SigningCredential, "method"> & { readonly token: WrappedSecret }> | null;
  /** Added to the clock for Created. */
  readonly shiftSeconds?: number;
  /** Shown before the request goes out. */
  readonly announcement: string;
  /** The cause that is ruled out if it is refused. */
  readonly excluded: string;
  /** What is proved if it is accepted, after the words "accepted with". */
  readonly accepted: string;
  readonly fix: Fix;
  /** The words of the proof if no other change is needed. */
  readonly alone?: Pick<Finding<Fix>, "message" | "fix">;
}

/** A request that differs from the refused one. */
export interface Experiment {
  /** What it tries. */
  readonly tried: readonly Change[];
  /** All its changes: also those that it keeps from earlier experiments. */
  readonly changes: readonly Change[];
}

/** What a request with these changes authenticates with. */
export const variantOf = (credential: Credential, changes: readonly Change[]): Variant =>
  changes.reduce<Variant>(
    (one, { sets, shiftSeconds = one.shiftSeconds }) => ({
      credential: sets && one.credential && { ...one.credential, ...sets },
      shiftSeconds,
    }),
    { credential, shiftSeconds: 0 },
  );

/** What to do if credentials are not checked. */
export const mayBeOpen = fix`Check the base URL ${nowSet("baseUrl")}: this endpoint may be a stand-in, or have its authentication switched off`;

/** The request without credentials. */
export const withoutCredential: Change = {
  id: "no-authentication",
  sets: null,
  announcement: "without credentials, to see whether the response differs",
  excluded: "a header lost on the way",
  accepted: "no credentials",
  fix: [],
  alone: {
    message: "accepted without credentials: the server does not check them",
    fix: mayBeOpen,
  },
};

/** `isMeasured` tells whether the response showed the server's time: without it, only a few seconds were tried. */
function clockChange(shiftSeconds: number, isMeasured: boolean): Change {
  const accepted = `Created ${durationInWords(Math.abs(shiftSeconds))} ${shiftSeconds < 0 ? "earlier" : "later"}`;
  return {
    id: "clock",
    sets: {},
    shiftSeconds,
    announcement: accepted,
    excluded: isMeasured ? "the clock" : "a clock that is a few seconds ahead",
    accepted,
    fix: fix`Also set this machine's clock by NTP`,
    alone: {
      message: `accepted with ${accepted}: only the time was wrong`,
      fix: fix`Set this machine's clock by NTP, for example with: timedatectl set-ntp true`,
    },
  };
}

// One for each part of the credential that has paste mistakes.
function cleaningChanges(credential: Credential): readonly Change[] {
  return pastedParts(credential).flatMap(({ name, mistakes, cleaned }) => {
    if (cleaned === null) return [];
    const without = `the ${name} without ${mistakes.map((kind) => pasteWords[kind]("it")).join(" and ")}`;
    return {
      id: "credential-cleaned",
      sets: name === "username" ? { username: cleaned.reveal() } : { [name]: cleaned },
      announcement: without,
      excluded: `paste mistakes in the ${name}`,
      accepted: without,
      fix: fix`Set ${without} ${nowSet(name)}`,
    };
  });
}

const tokenChange = (token: WrappedSecret): Change => ({
  id: "token-is-secret",
  sets: { secret: token },
  announcement: "the token in place of the secret",
  excluded: "the token as the secret",
  accepted: "the token as the secret",
  fix: fix`Set the secret ${nowSet("secret")} to the token ${nowSet("token")}`,
});

const fieldChange: Change = {
  id: "authorization",
  sets: { authorization: "wsse" },
  announcement: 'with the field Authorization: WSSE profile="UsernameToken"',
  excluded: "a missing Authorization field",
  accepted: "`authorization: wsse`",
  fix: setTo("authorization", "wsse"),
};

const conventionChange = <Name extends keyof DigestAlgorithm>(
  name: Name,
  value: DigestAlgorithm[Name],
): Change => ({
  id: "digest-convention",
  sets: { [name]: value },
  announcement: `${name} ${value}`,
  excluded: `${name} ${value}`,
  accepted: `\`${name}: ${value}\``,
  fix: setTo(name, value),
});

/** The other conventions with the hash in use, then each other hash, with the convention in use first. */
function otherConventions({ digest, hash }: SigningCredential): readonly (readonly Change[])[] {
  const digests = conventionNames
    .filter((name) => name !== digest)
    .map((name) => [conventionChange("digest", name)]);
  const hashes = hashNames.filter((name) => name !== hash).map((name) => conventionChange("hash", name));
  return [...digests, ...hashes.flatMap((other) => [[other], ...digests.map((one) => [...one, other])])];
}

/**
 * The experiments for a refused credential, in the order of the contract. Each change is the same object in all of them. The
 * spare token is one that is set beside a WSSE secret. Pure.
 */
export function experimentsFor(
  credential: Credential,
  spareToken: WrappedSecret | null,
  clock: ClockSkew | null,
): readonly Experiment[] {
  const isWsse = credential.method === "wsse";
  const corrections = isWsse
    ? clockCorrections(clock).map((shift) => clockChange(shift, clock !== null))
    : [];
  const field = isWsse && credential.authorization === "none" ? [fieldChange] : [];
  const token = isWsse && spareToken !== null ? [tokenChange(spareToken)] : [];
  const clockKept = corrections.slice(-1);
  const keeping = (kept: readonly Change[]) => (tried: readonly Change[]) => ({
    tried,
    changes: [...tried, ...kept],
  });
  return [
    ...[withoutCredential, ...corrections].map((change) => [change]).map(keeping([])),
    ...[cleaningChanges(credential), token, field].filter(({ length }) => length > 0).map(keeping(clockKept)),
    ...(isWsse ? otherConventions(credential) : []).map(keeping([...field, ...clockKept])),
  ];
}

/** How many requests must confirm a proof: the accepted one twice more, and the first one twice more. */
const confirmations = 4;

/** The most requests of these experiments, and the most that follow once one is accepted. */
export function requestsOf(experiments: readonly Experiment[]): {
  readonly tries: number;
  readonly more: number;
} {
  const tries = experiments.length;
  const size = Math.max(...experiments.map(({ changes }) => changes.length));
  // Each of n changes is left out, then each of n - 1, down to two. What remains is made once more.
  const search = size === 1 ? 0 : (size * (size + 1)) / 2;
  return { tries, more: Math.min(requestLimit - tries, confirmations + search) };
}

/** "at most 1 further request, and 4 more if one is accepted". */
export function requestsInWords({ tries, more }: ReturnType<typeof requestsOf>): string {
  return `at most ${tries} further request${tries === 1 ? "" : "s"}, and ${more} more if one is accepted`;
}
