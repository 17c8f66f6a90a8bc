// Finds how a wrong PasswordDigest was made. From PasswordDigest it goes back to the bytes of a hash, which is cheap: their size tells the
// hash, and the writing leaves two conventions. From each of these it hashes with each deviation, and with each two common ones, until
// that gives the same bytes. One deviation counts before two; of equally many, the server's own convention counts first.

import type { ConventionName, DigestAlgorithm } from "../wsse/digest.ts";
import { conventionNames, conventions, hashNames } from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { EmulatorAccount } from "./accounts.ts";
import {
  type Deviation,
  deviationsOf,
  type Hash,
  hashed,
  hashes,
  type Recipe,
  rightRecipe,
} from "./deviations.ts";
import { type Form, forms, hexadecimal, inBase64, inHex, oneDigit } from "./forms.ts";
import { likenessOf, type Reading } from "./values.ts";

/** How a client made its PasswordDigest. */
export interface Found {
  readonly hash: Hash;
  /** Whether it hashes the bytes that the Nonce decodes to in base64. */
  readonly isDecoded: boolean;
  readonly deviations: readonly Deviation[];
  readonly written: readonly Form[];
  /** How its writing loses a part of the hash; null if it does not. */
  readonly loss: string | null;
  /** The convention and hash that it follows but for the deviations; null if it follows none. */
  readonly theirs: DigestAlgorithm | null;
}

/** Whether a convention hashes the bytes of the Nonce. */
export const isDecoded = (digest: ConventionName): boolean => conventions[digest].hashed === "decoded";

/** How each convention writes the hash: the forms one after the other. */
export const rightForms = (digest: ConventionName): readonly Form[] =>
  conventions[digest].written === "base64" ? [inBase64] : [inHex, inBase64];

/** Where a search begins: a hash, what is hashed of the Nonce, how the hash is written, and how many deviations these are. */
interface Base extends Pick<Found, "hash" | "isDecoded" | "written" | "theirs"> {
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
  const isSame = (one: ConventionName): boolean =>
    isDecoded(one) === decoded && rightForms(one).every((form, at) => form === written[at]);
  return all.find((one) => isSame(one) && rightForms(one).length === written.length) ?? null;
}

/** The bases of a search, those with the fewest deviations first, and the server's own before others. */
function basesOf(
  sent: UsernameToken,
  readings: readonly Reading[],
  { digest: ours, secret, hash: ourHash }: EmulatorAccount,
): readonly Base[] {
  const decoded = Buffer.from(sent.nonce, "base64").toString("latin1");
  const modes = [isDecoded(ours), !isDecoded(ours)];
  const all = readings.flatMap(({ text: raw, written }): readonly Base[] => {
    // If all bytes are printable, they are a text that is encoded again, and no hash.
    if (/[^\0-\xff]|^[ -~]+$/.test(raw)) return [];
    const [hash] = Object.entries(hashes).find(([, [, size]]) => size === raw.length) ?? [];
    if (hash === undefined) return [];
    return modes.map((mode) => {
      const digest = conventionOf(written, mode, sent.nonce, ours);
      const known = hashNames.find((one) => one === hash);
      const theirs = digest === null || known === undefined ? null : { digest, hash: known };
      const recipe = rightRecipe(mode ? decoded : sent.nonce, sent, secret);
      const weight = (digest === null ? Math.max(1, written.length - 1) : 0) + (known === undefined ? 1 : 0);
      return { raw, recipe, isDecoded: mode, written, theirs, hash: hash as Hash, weight };
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
  isOwn: boolean,
  hashedBy: typeof hashed,
): readonly Deviation[] | null {
  const gives = (made: Recipe | null): boolean => made !== null && hashedBy(made, hash) === raw;
  if (count === 0) return gives(recipe) ? [] : null;
  if (count === 1) {
    const only = all.find((one) => gives(one.make(recipe)));
    return only === undefined ? null : [only];
  }
  const commonOnes = all
    .filter(({ isCommon }) => isCommon)
    .flatMap((one) => {
      const made = one.make(recipe);
      return made === null ? [] : [{ one, made }];
    });
  let pair: readonly Deviation[] | null = null;
  commonOnes.some(({ one, made }, index) =>
    commonOnes.some(({ one: other }, at) => {
      // Two of the same part are done one after the other, in both orders.
      const isPart = one.of === "Nonce" || one.of === "secret";
      if (one.of === other.of ? !isPart || at === index : at < index) return false;
      if (!isOwn && one.of !== "secret" && other.of !== "secret") return false;
      if (gives(other.make(made))) pair = [one, other];
      return pair !== null;
    }),
  );
  return pair;
}

/** The writings that lose something: the right digest is written so, and compared. */
function lossOf(sent: string, raw: string): readonly [loss: string, written: readonly Form[]] | undefined {
  const inDigits = inHex.write(raw);
  const asText: ReadonlyArray<readonly [text: string, written: readonly Form[]]> = [
    [inBase64.write(raw), [inBase64]],
    [inDigits, [inHex]],
    [inBase64.write(inDigits), [inHex, inBase64]],
    [oneDigit.write(raw), [oneDigit]],
    [inBase64.write(oneDigit.write(raw)), [oneDigit, inBase64]],
  ];
  for (const [text, written] of asText) {
    const words = written.map((form) => form.words).join(", then ");
    if (text === sent) return [words, written];
    const [alike] = likenessOf(sent, text) ?? [];
    if (alike !== undefined) return [`${words}, but it ${alike}`, written];
  }
  return undefined;
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
      const { hash, written, theirs, weight } = base;
      const isOwn = base.isDecoded === isDecoded(account.digest);
      const all = isOwn ? own : others;
      const deviations = total < weight ? null : findIn(base, total - weight, all, isOwn, hashedBy);
      if (deviations !== null)
        return { hash, isDecoded: base.isDecoded, written, theirs, deviations, loss: null };
    }
  const recipe = rightRecipe(sent.nonce, sent, account.secret);
  const decoded = { ...recipe, Nonce: Buffer.from(sent.nonce, "base64").toString("latin1") };
  for (const one of isDecoded(account.digest) ? [decoded, recipe] : [recipe, decoded])
    for (const hash of hashNames) {
      const [loss = null, written = forms] = lossOf(sent.passwordDigest, hashed(one, hash)) ?? [];
      if (loss !== null)
        return { hash, isDecoded: one === decoded, deviations: [], written, loss, theirs: null };
    }
  return null;
}
