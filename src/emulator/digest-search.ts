// Finds how a wrong PasswordDigest was made. From PasswordDigest it goes back to the bytes of a hash, which is cheap: their size tells the
// hash, and the writing leaves two conventions. From each of these it hashes with each deviation, and with each two common ones, until
// that gives the same bytes. One deviation counts before two; of equally many, the server's own convention counts first.

import { timingSafeEqual } from "node:crypto";
import {
  type ConventionName,
  conventionNames,
  conventions,
  type DigestAlgorithm,
  hashNames,
} from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { type Deviation, deviationsOf, hashed, type Recipe, rightRecipe } from "./deviations.ts";
import { type Form, type Hash, hashes, hexadecimal, inBase64, inHex, oneDigit } from "./forms.ts";
import { likenessOf, type Reading } from "./values.ts";

/** Compares two digests in constant time. Their length depends on convention and hash alone, which are no secret. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** How a client made its PasswordDigest. */
export interface Found {
  readonly hash: Hash;
  /** Whether it hashes the bytes that the Nonce decodes to in base64. */
  readonly isDecoded: boolean;
  readonly deviations: readonly Deviation[];
  readonly written: readonly Form[];
  /** How its writing loses a part of the hash; empty if it does not. */
  readonly loss: string;
  /** The convention and hash that it follows but for the deviations; null if it follows none. */
  readonly theirs: DigestAlgorithm | null;
}

/** Whether a convention hashes the bytes of the Nonce. */
export const isDecoded = (digest: ConventionName): boolean => conventions[digest].hashed === "decoded";

/** How each convention writes the hash: the forms one after the other. */
export const rightForms = (digest: ConventionName): readonly Form[] =>
  conventions[digest].written === "base64" ? [inBase64] : [inHex, inBase64];

/** What the server hashes where the Nonce is decoded, or is not. */
const recipeOf = (sent: UsernameToken, isDecoded: boolean, secret: string): Recipe =>
  rightRecipe(isDecoded ? Buffer.from(sent.nonce, "base64").toString("latin1") : sent.nonce, sent, secret);

/** Where a search begins: bytes that may be of a hash, what would be hashed, and how many deviations these are. */
interface Base extends Found {
  readonly raw: string;
  readonly recipe: Recipe;
  readonly weight: number;
}

/** The convention that writes its hash so, and hashes the Nonce decoded or as text; null if there is none. The server's own comes first. */
function conventionOf(
  written: readonly Form[],
  decoded: boolean,
  nonce: string,
  ours: ConventionName,
): ConventionName | null {
  // Two conventions hash the decoded Nonce in the same way. They differ in how the client writes it: in hexadecimal or in base64.
  const wire = hexadecimal.test(nonce) ? "hex" : "base64";
  const all = [ours, ...conventionNames.filter((one) => !decoded || conventions[one].wire === wire)];
  const isSame = (forms: readonly Form[]): boolean =>
    forms.length === written.length && forms.every((form, at) => form === written[at]);
  return all.find((one) => isDecoded(one) === decoded && isSame(rightForms(one))) ?? null;
}

/** The bases of a search, those with the fewest deviations first, and the server's own before others. */
function basesOf(
  sent: UsernameToken,
  readings: readonly Reading[],
  { digest: ours, secret, hash: ourHash }: EmulatorAccount,
): readonly Base[] {
  const all = readings.flatMap(({ text: raw, written }): readonly Base[] => {
    // If all bytes are printable, they are a text that is encoded again, and no hash.
    if (/[^\0-\xff]|^[ -~]+$/.test(raw)) return [];
    const hash = (Object.keys(hashes) as Hash[]).find((one) => hashes[one][1] === raw.length);
    if (hash === undefined) return [];
    return [isDecoded(ours), !isDecoded(ours)].map((mode) => {
      const digest = conventionOf(written, mode, sent.nonce, ours);
      const known = hashNames.find((one) => one === hash);
      const theirs = digest === null || known === undefined ? null : { digest, hash: known };
      const recipe = recipeOf(sent, mode, secret);
      const weight = (digest === null ? Math.max(1, written.length - 1) : 0) + (known === undefined ? 1 : 0);
      return { raw, recipe, isDecoded: mode, written, theirs, hash, weight, deviations: [], loss: "" };
    });
  });
  const isOther = ({ isDecoded: mode, hash }: Base): number =>
    (mode === isDecoded(ours) ? 0 : 1) + (hash === ourHash ? 0 : 1);
  return all.toSorted((a, b) => a.weight - b.weight || isOther(a) - isOther(b));
}

/** The first deviations, `count` together, that give the hash of a base; null if none do. */
function findIn(
  { raw, recipe, hash }: Base,
  count: number,
  all: readonly Deviation[],
  hashedBy: typeof hashed,
): readonly Deviation[] | null {
  const gives = (made: Recipe | null): boolean => made !== null && hashedBy(made, hash) === raw;
  if (count === 0) return gives(recipe) ? [] : null;
  if (count === 1) {
    const only = all.find((one) => gives(one.make(recipe)));
    return only === undefined ? null : [only];
  }
  const common = all.filter(({ isCommon }) => isCommon);
  for (const [index, one] of common.entries()) {
    const made = one.make(recipe);
    // Two of the same part are done one after the other, in both orders.
    const isPart = one.of === "Nonce" || one.of === "secret";
    const second = common.find((other, at) => {
      if (made === null || (one.of === other.of ? !isPart || at === index : at < index)) return false;
      return gives(other.make(made));
    });
    if (second !== undefined) return [one, second];
  }
  return null;
}

const lossy = [[inBase64], [inHex], [inHex, inBase64], [oneDigit], [oneDigit, inBase64]];

/** How a writing loses something: the right digest is written so, and compared. */
function lossOf(sent: UsernameToken, { digest, secret }: EmulatorAccount): Found | null {
  for (const mode of [isDecoded(digest), !isDecoded(digest)])
    for (const hash of hashNames)
      for (const written of lossy) {
        const raw = hashed(recipeOf(sent, mode, secret), hash);
        const text = written.reduce((one, { write }) => write(one), raw);
        const isWhole = isSame(text, sent.passwordDigest);
        const [alike = null] = likenessOf(sent.passwordDigest, text) ?? [];
        const loss = isWhole ? "" : `, but it ${alike}`;
        if (isWhole || alike !== null)
          return { hash, isDecoded: mode, deviations: [], written, loss, theirs: null };
      }
  return null;
}

/** How a client made its PasswordDigest: the fewest deviations that give its hash; null if none are found. `hashedBy` makes each hash. */
export function searched(
  sent: UsernameToken,
  readings: readonly Reading[],
  account: EmulatorAccount,
  hashedBy = hashed,
): Found | null {
  const bases = basesOf(sent, readings, account);
  const { own, usual } = deviationsOf(sent, account);
  // What a client makes of the Nonce takes the place of the other form of it, and was tried with the server's own.
  const others = usual.filter(({ of }) => of !== "Nonce");
  for (const total of [0, 1, 2])
    for (const base of bases) {
      const count = total - base.weight;
      const isOwn = base.isDecoded === isDecoded(account.digest);
      const all = isOwn ? own : others;
      const deviations = count < 0 || (count > 1 && !isOwn) ? null : findIn(base, count, all, hashedBy);
      if (deviations !== null) return { ...base, deviations };
    }
  return lossOf(sent, account);
}
