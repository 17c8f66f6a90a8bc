// The accounts that an emulator accepts: made whole from what is given, and found by token or username in constant time.

import { InputError } from "../errors.ts";
import { choice, type Giver, readOption, unexpandedOption } from "../options/readers.ts";
import { escapeText } from "../redaction/escape.ts";
import { masked, redactorOf } from "../redaction/redact.ts";
import { unseenAround } from "../wsse/characters.ts";
import { conventionNames, type DigestAlgorithm, hashNames } from "../wsse/digest.ts";
import {
  type AuthorizationMode,
  authorizationModes,
  fieldValueProblem,
  usernameProblem,
} from "../wsse/header.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";

/** What the emulator accepts of one client. The names are those of a line of `test --accounts`. */
export interface EmulatorAccount extends DigestAlgorithm {
  /** What its owner calls it; null if it has no name. */
  readonly profile: string | null;
  readonly token: string;
  readonly username: string;
  readonly secret: string;
  /** What it must send in `Authorization` beside X-WSSE. */
  readonly authorization: AuthorizationMode;
}

/** The names of the parts of an account. */
export const accountKeys = [
  "profile",
  "token",
  "username",
  "secret",
  "digest",
  "hash",
  "authorization",
] as const;

/** An account with any part left out. */
export type PartialAccount = {
  readonly [Name in keyof EmulatorAccount]?: EmulatorAccount[Name] | undefined;
};

/** Why no client can have such a secret; null if one can. It is never sent, so it may have characters outside ASCII. */
function secretProblem(secret: string): string | null {
  if (/\p{Cc}/u.test(secret.trim())) return "contains a control character";
  return secret === "" ? "is empty" : (unseenAround(secret)?.problem ?? null);
}

const problemOf = { token: fieldValueProblem, username: usernameProblem, secret: secretProblem } as const;

/** The account, with random credentials for what is left out. Throws InputError, which shows no value. */
export function completeAccount(
  given: Readonly<Partial<Record<keyof EmulatorAccount, unknown>>>,
  defaults: Pick<EmulatorAccount, "digest" | "hash" | "authorization">,
  randomBytes: (size: number) => Uint8Array,
  giver: Giver,
): EmulatorAccount {
  function text(key: keyof typeof problemOf, random: () => string): string {
    const value = given[key];
    if (value === undefined) return random();
    const name = giver.nameOf(key);
    if (typeof value === "string" && isPlaceholder(value)) throw unexpandedOption(name);
    const problem = typeof value === "string" ? problemOf[key](value) : "is not text";
    if (typeof value === "string" && problem === null) return value;
    const hint = `Write another value, or leave out ${name} to get a random one`;
    throw new InputError(giver.kind, `The value of ${name} ${problem}`, hint);
  }
  const random = (size: number, encoding: BufferEncoding): string =>
    Buffer.from(randomBytes(size)).toString(encoding);
  const { profile = null, digest = defaults.digest, hash = defaults.hash } = given;
  const { authorization = defaults.authorization } = given;
  return {
    profile: profile === null ? null : String(profile),
    token: text("token", () => random(20, "hex")),
    username: text("username", () => `emulator-${random(3, "hex")}@example.com`),
    // The secret has another shape than the token, so that nobody confuses the two.
    secret: text("secret", () => random(18, "base64url")),
    digest: readOption(choice(conventionNames), digest, "digest", giver),
    hash: readOption(choice(hashNames), hash, "hash", giver),
    authorization: readOption(choice(authorizationModes), authorization, "authorization", giver),
  };
}

// Every client sends the same words in these fields, so they are not masked, even if an account's secret is such a word.
const commonFields =
  "accept accept-charset accept-encoding accept-language authorization cache-control connection content-length content-type cookie date expect host keep-alive origin pragma priority proxy-authorization referer te transfer-encoding upgrade upgrade-insecure-requests user-agent via x-auth-token x-requested-with x-wsse".split(
    " ",
  );
const isCommonField = (name: string): boolean =>
  commonFields.includes(name.toLowerCase()) || /^(?:sec|x-forwarded)-[a-z-]+$/i.test(name);

/** The accounts of a server, and how it finds one. */
export type KnownAccounts = ReturnType<typeof knownAccounts>;

/** Finds accounts by token and username, in a time that does not depend on how many there are. */
export function knownAccounts(all: readonly EmulatorAccount[]) {
  const places = new Map(all.map((account, index) => [account, index]));
  const byToken = new Map(all.map((account) => [account.token, account]));
  const byUsername = new Map<string, EmulatorAccount[]>();
  for (const account of all) {
    const others = byUsername.get(account.username) ?? [];
    byUsername.set(account.username, others);
    others.push(account);
  }
  const secrets = new Set(all.map(({ secret }) => secret));
  const redact = redactorOf(all.flatMap(({ token, secret }) => [token, secret]));
  return {
    all,
    placeOf: (account: EmulatorAccount | null): number | null =>
      account === null ? null : (places.get(account) ?? null),
    withToken: (token: string) => byToken.get(token) ?? null,
    withUsername: (username: string): readonly EmulatorAccount[] => byUsername.get(username) ?? [],
    isSecret: (text: string): boolean => secrets.has(text),
    /** Text of a request without the accounts' tokens and secrets. */
    redact,
    /** The name of a field, which is masked like other text unless everybody's requests have it. */
    shownName: (name: string): string => (isCommonField(name) ? name : escapeText(redact(name), 200)),
    /**
     * A redacted text on one line of at most 200 printable characters: a client can send a credential as path or Username. If the
     * text was taken from a longer one (`whole`) that holds a token or secret, nothing of it is shown.
     */
    shown: (text: string, whole = text): string =>
      escapeText(whole === text || redact(whole) === whole ? redact(text) : masked, 200),
  };
}
