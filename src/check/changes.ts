// What a diagnosis can change in a refused request, in which order it tries that, and how many requests that takes. All of it is
// pure; the requests are made in diagnose/.

import type { Method } from "../settings/definition.ts";
import { type Fix, fix, nowSet, setTo, theBaseUrl } from "../settings/fix.ts";
import { Secret } from "../settings/secret.ts";
import { durationInWords } from "../words.ts";
import { conventionNames, type DigestAlgorithm, hashNames } from "../wsse/digest.ts";
import type { Variant } from "./check-context.ts";
import { type SentCredential, type SigningCredential, secretOf } from "./credential.ts";
import { readingOf } from "./form.ts";
import { type ClockSkew, type Finding, possible } from "./result.ts";

/** One change of a refused request, and the words for it. */
export interface Change {
  readonly id: Finding["id"];
  /** The parts of the credential that it sets; null for a request without credentials. */
  readonly sets: Partial<Omit<SigningCredential, "method"> & { readonly token: Secret }> | null;
  /** Added to the clock for Created. */
  readonly shiftSeconds?: number;
  /** The cause that is ruled out if it is refused. */
  readonly excluded: string;
  /** What it changes: shown before the request goes out, and after the words "accepted with". */
  readonly accepted: string;
  readonly fix: Fix;
}

/** What a request with these changes authenticates with. */
export const variantOf = (credential: SentCredential, changes: readonly Change[]): Variant =>
  changes.reduce<Variant>(
    (one, { sets, shiftSeconds = one.shiftSeconds }) => ({
      credential: sets && one.credential && { ...one.credential, ...sets },
      shiftSeconds,
    }),
    { credential, shiftSeconds: 0 },
  );

/** The largest correction of Created, in seconds. No header is signed for a time further away. */
const maxCorrectionSeconds = 48 * 3600;

// A server may accept no Created that is ahead of its own clock, and Date is precise to about a second.
const earlierSeconds = 3;

/**
 * The corrections of Created to try, in seconds to add to this clock: the measured difference, if there is one, then 3 seconds earlier. The
 * last one is kept for later experiments, since all servers accept it. Empty if the difference exceeds 48 hours. Pure.
 */
function clockCorrections(clock: ClockSkew | null): readonly number[] {
  // A smaller difference can come from the precision of Date and the time of the exchange.
  if (clock === null || Math.abs(clock.skewSeconds) <= clock.uncertaintySeconds + 1) return [-earlierSeconds];
  const { skewSeconds } = clock;
  if (Math.abs(skewSeconds) > maxCorrectionSeconds) return [];
  return [...new Set([-skewSeconds, Math.max(-skewSeconds - earlierSeconds, -maxCorrectionSeconds)])];
}

/** After a lock the only advice is to wait, as long as the server asked for: each attempt may lengthen it. */
export const lockAdvice = (seconds: number | null): Fix =>
  fix`Wait${seconds === null ? "" : ` ${durationInWords(seconds)}`}, then try once: each attempt may lengthen the lock; or ask the API's operator to unlock the account`;

/** The finding of a lock that a diagnosis met. After one, all findings get the same advice. */
export const accountLocked = (seconds: number | null): Finding<Fix> =>
  possible(
    "account-locked",
    "the API may have locked this account for a while, and then refuses a right credential too",
    lockAdvice(seconds),
  );

/** What to compare where the credential may be wrong, to follow the word "compare". */
export const withTheAccounts = {
  token: fix`the token ${nowSet("token")} with the account's`,
  wsse: fix`username ${nowSet("username")} and secret ${nowSet("secret")} with the account's`,
} as const satisfies Record<Method, Fix>;

/** What to do about a refusal that shows no sign of the API. */
export const askWhoRefuses = fix`Check ${theBaseUrl}, and ask the operator of the gateway, CDN or firewall in front of the API, or of this network, why it refuses: the response may name it`;

/** What to do if credentials are not checked. */
export const mayBeOpen = fix`Check ${theBaseUrl}: this endpoint may be a stand-in, or have its authentication switched off`;

/** The request without credentials. */
export const withoutCredential: Change = {
  id: "no-authentication",
  sets: null,
  excluded: "a header lost on the way",
  accepted: "no credentials",
  fix: mayBeOpen,
};

/** Two clocks differ, and only a third one shows which of them is wrong. */
export const clockAdvice = fix`Compare this machine's clock (timedatectl; on Windows w32tm /query /status) with a third: if this one is wrong, set it by NTP; if the server's is, tell its operator`;

/** `isMeasured` tells whether the response showed the server's time: without it, only a few seconds were tried. */
function clockChange(shiftSeconds: number, isMeasured: boolean): Change {
  return {
    id: shiftSeconds < 0 ? "clock-ahead" : "clock-behind",
    sets: {},
    shiftSeconds,
    excluded: isMeasured ? "the clock that Date shows" : "a clock that is a few seconds ahead",
    accepted: `Created ${durationInWords(Math.abs(shiftSeconds))} ${shiftSeconds < 0 ? "earlier" : "later"}`,
    fix: clockAdvice,
  };
}

/** The credential as it may be meant: the token inside it, the secret without quotation marks or decoded. */
function readingChanges(credential: SentCredential): readonly Change[] {
  const name = credential.method === "token" ? "token" : "secret";
  const reading = readingOf[name](secretOf(credential));
  if (reading === null) return [];
  const { part, text } = reading;
  const accepted = `the ${name} set to ${part}`;
  return [
    {
      id: "credential-cleaned",
      sets: { [name]: new Secret(text) },
      excluded: accepted,
      accepted,
      fix: fix`Set the ${name} ${nowSet(name)} to ${part}`,
    },
  ];
}

const tokenChange = (token: Secret): Change => ({
  id: "credential-cleaned",
  sets: { secret: token },
  excluded: "the token as the secret",
  accepted: "the token as the secret",
  fix: fix`Set the secret ${nowSet("secret")} to the token ${nowSet("token")}`,
});

const fieldChange: Change = {
  id: "digest-convention",
  sets: { authorization: "wsse" },
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
 * The experiments for a refused credential, in their order: what each tries, and all its changes, with those that it keeps from earlier
 * ones. A change is the same object in all of them. `spareToken` is set beside a WSSE secret. Pure.
 */
export function experimentsFor(
  credential: SentCredential,
  spareToken: Secret | null,
  clock: ClockSkew | null,
): ReadonlyArray<Readonly<Record<"tried" | "changes", readonly Change[]>>> {
  const isWsse = credential.method === "wsse";
  const corrections = isWsse
    ? clockCorrections(clock).map((shift) => clockChange(shift, clock !== null))
    : [];
  const field = isWsse && credential.authorization === "none" ? [fieldChange] : [];
  const token = isWsse && spareToken !== null ? [tokenChange(spareToken)] : [];
  const clockKept = corrections.slice(-1);
  const experiment = (tried: readonly Change[], kept: readonly Change[] = []) => ({
    tried,
    changes: [...tried, ...kept],
  });
  const others = [readingChanges(credential), token, field].filter(({ length }) => length > 0);
  const conventions = isWsse ? otherConventions(credential) : [];
  return [
    ...[withoutCredential, ...corrections].map((change) => experiment([change])),
    ...others.map((tried) => experiment(tried, clockKept)),
    ...conventions.map((tried) => experiment(tried, [...field, ...clockKept])),
  ];
}

/** The most requests that the diagnosis of one refused credential makes. The help shows it. */
export const requestLimit = 24;

/** How many requests must confirm a proof: the accepted one twice more, and the first one twice more. */
const confirmations = 4;

/** For how many new texts of refusals a diagnosis repeats the first request: if it gets that text too, the account may be locked. */
export const mostNewTexts = 3;

/** How many requests these experiments make at most, and how many more follow at most once one is accepted. */
export function requestsOf(experiments: ReturnType<typeof experimentsFor>) {
  // The first request is repeated for a refusal with a new text, but not for that of the request without credentials.
  const tries = experiments.length + Math.min(mostNewTexts, experiments.length - 1);
  const size = Math.max(...experiments.map(({ changes }) => changes.length));
  // Each of n changes is left out, then each of n - 1, down to two. What remains is made once more.
  const search = size === 1 ? 0 : (size * (size + 1)) / 2;
  return { tries, more: Math.min(requestLimit - tries, confirmations + search) };
}

/** "at most 1 further request, and 4 more if one is accepted". */
export function requestsInWords({ tries, more }: ReturnType<typeof requestsOf>): string {
  return `at most ${tries} further request${tries === 1 ? "" : "s"}, and ${more} more if one is accepted`;
}
