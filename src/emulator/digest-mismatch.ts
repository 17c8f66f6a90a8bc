import {
  type ConventionName,
  conventionNames,
  type DigestAlgorithm,
  type HashName,
  hashNames,
  passwordDigest,
} from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import { type EmulatorAccount, sameText } from "./accounts.ts";
import { createdSeconds } from "./created.ts";

/** A part of a digest that clients make in another way: what theirs is called, what this server expects, and how it is made. */
type Variant = readonly [theirs: string, ours: string, of: (text: string) => string] | null;

// Null stands for the right way. Each list is from public clients.
const nonces: readonly Variant[] = [
  null,
  ["the Nonce in base64", "the Nonce as it is sent", (nonce) => Buffer.from(nonce, "hex").toString("base64")],
];
const times: readonly Variant[] = [
  null,
  ["Created in seconds", "Created as it is sent", (created) => String(createdSeconds(created))],
];
const writings: readonly Variant[] = [
  null,
  ["base64 without padding", "the = at its end", (digest) => digest.replace(/=+$/, "")],
  ["raw hexadecimal", "base64", (digest) => Buffer.from(digest, "base64").toString("hex")],
];

/** A way to make a digest. `digest` and `hash` may be other than the server's. */
interface Way extends DigestAlgorithm {
  readonly source: "secret" | "token";
  readonly variants: readonly [nonce: Variant, time: Variant, writing: Variant];
}

const each = <From, To>(values: readonly From[], to: (value: From) => readonly To[]): readonly To[] =>
  values.flatMap(to);

const ways: readonly Way[] = each(["secret", "token"] as const, (source) =>
  each(hashNames, (hash: HashName) =>
    each(nonces, (nonce) =>
      each(times, (time) =>
        each(writings, (writing) =>
          conventionNames.map((digest) => ({ source, hash, digest, variants: [nonce, time, writing] })),
        ),
      ),
    ),
  ),
);

const changed = (variant: Variant, text: string): string => (variant === null ? text : variant[2](text));

/** Whether an account's client made this PasswordDigest in this way. The comparison takes constant time. */
function isMadeBy(sent: UsernameToken, account: EmulatorAccount, way: Way): boolean {
  const [nonce, time, writing] = way.variants;
  const expected = passwordDigest({
    digest: way.digest,
    hash: way.hash,
    nonce: changed(nonce, sent.nonce),
    created: changed(time, sent.created),
    secret: account[way.source],
  });
  return sameText(sent.passwordDigest, changed(writing, expected));
}

/** Whether a PasswordDigest is the one that the account must send. The comparison takes constant time. */
export function digestMatches(sent: UsernameToken, account: EmulatorAccount): boolean {
  const { digest, hash } = account;
  return isMadeBy(sent, account, { digest, hash, source: "secret", variants: [null, null, null] });
}

type Difference = readonly [theirs: string, ours: string, ...rest: unknown[]];

/** What differs from the right way. `digests` are the conventions that give the same digest. */
function differences(way: Way, digests: readonly ConventionName[], account: EmulatorAccount): Difference[] {
  return [
    ...(digests.includes(account.digest) ? [] : [[digests.join(" and "), account.digest] as const]),
    ...(way.hash === account.hash ? [] : [[way.hash, account.hash] as const]),
    ...(way.source === "secret" ? [] : [["the token as the secret", "the secret itself"] as const]),
    ...way.variants.filter((variant) => variant !== null),
  ];
}

/**
 * Finds out how a wrong PasswordDigest was made: by another convention, with another hash, with the token as the secret, or
 * in one of the ways of public clients. Names the fewest differences, or says that no way is known. It names every convention
 * that fits: `base64-nonce` and `decoded-nonce` hash the same bytes of a nonce.
 */
export function digestMismatch(sent: UsernameToken, account: EmulatorAccount): string {
  const found = ways.filter((way) => isMadeBy(sent, account, way));
  const explanations = found.map((way) => {
    const alike = found.filter(
      ({ hash, source, variants }) =>
        hash === way.hash && source === way.source && variants.every((one, at) => one === way.variants[at]),
    );
    return differences(
      way,
      alike.map(({ digest }) => digest),
      account,
    );
  });
  const [best] = explanations.toSorted((a, b) => a.length - b.length);
  if (best === undefined) return `does not match ${account.digest} with ${account.hash}`;
  const [theirs, ours] = [0, 1].map((side) => best.map((both) => both[side]).join(" with "));
  return `matches ${theirs}; this server expects ${ours}`;
}
