// Says of a wrong PasswordDigest what the client did, what this server expects, and what to change; or, where the search finds nothing,
// how the right one is made, so that the author can compare.

import { sep } from "node:path";
import {
  type ConventionName,
  conventions,
  type DigestAlgorithm,
  type HashName,
  passwordDigest,
} from "../wsse/digest.ts";
import type { UsernameToken } from "../wsse/header.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { because, type Reason } from "./answer.ts";
import type { Deviation } from "./deviations.ts";
import { type Found, isDecoded, isSame, rightForms, searched } from "./digest-search.ts";
import { hashes, hexadecimal, inHex, toBytes } from "./forms.ts";
import { fillIn, formsText, type Reading, readingsOf, replacementOf, sharesPart } from "./values.ts";

/** Whether a PasswordDigest is the one that the account must send. */
export function digestMatches(sent: UsernameToken, { digest, hash, secret }: EmulatorAccount): boolean {
  return isSame(sent.passwordDigest, passwordDigest({ ...sent, digest, hash, secret }));
}

/** What a client does, what the server expects, and what to change. */
type Words = readonly [did: string, ours: string, change: string];

const onNonce = (digest: ConventionName): readonly [ours: string, change: string] =>
  isDecoded(digest)
    ? [
        "the bytes of the Nonce (decoded from base64)",
        'hash the bytes that the Nonce decodes to: base64_decode($nonce) in PHP, base64.b64decode(nonce) in Python, Buffer.from(nonce, "base64") in Node.js',
      ]
    : [
        "the Nonce as it is sent",
        "hash the Nonce as it stands in the header, as text, neither decoded nor encoded",
      ];
const onText = [
  "Nonce, Created, secret in this order and nothing else",
  "hash Nonce, Created and secret in this order, each once, with nothing between them",
] as const;

/** What a deviation means, beside what a convention expects. */
function wordsOf({ of, did, change }: Deviation, digest: ConventionName): Words {
  const expected = {
    Nonce: onNonce(digest),
    Created: [
      "Created as it is sent",
      "make Created once, and use the same text in the hash and in the header",
    ],
    secret: ["the secret itself", "hash the secret itself, with nothing around it"],
    ...{ names: onText, sign: onText, whole: onText },
  } as const;
  const [ours, usual] = expected[of];
  return [did, ours, change === "" ? usual : `${usual}; ${change}`];
}

/** Tells the author of a client how to encode the hash in this convention. */
function writingChange(digest: ConventionName, hash: HashName): string {
  const php = hash === "sha1" ? "sha1($text" : `hash('${hash}', $text`;
  return conventions[digest].written === "hex in base64"
    ? `write the lower-case hexadecimal of the hash in base64: base64_encode(${php})) in PHP, without \`true\`; .hexdigest() in Python and .digest("hex") in Node.js, then base64`
    : `write the bytes of the hash in base64: base64_encode(${php}, true)) in PHP; .digest(), not .hexdigest(), in Python; .digest("base64") in Node.js; Convert.ToBase64String(hash) in C#; Base64.getEncoder().encodeToString(hash) in Java`;
}
const hashChange = (hash: HashName): string =>
  `hash with ${hashes[hash][0]}: ${hash === "sha1" ? "sha1" : `hash('${hash}', …)`} in PHP, hashlib.${hash} in Python, createHash("${hash}") in Node.js, ${hash.toUpperCase()}.HashData in C#, MessageDigest.getInstance("${hashes[hash][0]}") in Java, openssl dgst -${hash} in a shell`;

/** What is to change where the hash is written in other forms: how the right ones are made, and how each other is left out. */
function writtenWords({ written, loss }: Found, { digest, hash }: EmulatorAccount): readonly Words[] {
  const right = rightForms(digest);
  const isMore = right.every((form, index) => form === written[index]);
  if (loss === "" && written.length === right.length && isMore) return [];
  const others = isMore ? written.slice(right.length) : written.filter((form) => !right.includes(form));
  // What the forms of hexadecimal advise is said of the whole writing already.
  const hints = others.map(({ change }) => change).filter((one) => isMore || one !== inHex.change);
  const changes = [...(isMore ? [] : [writingChange(digest, hash)]), ...new Set(hints)].join("; ");
  return [[`writes the hash ${formsText(written)}${loss}`, `the hash ${formsText(right)}`, changes]];
}

/** The sentence about what was found. It names the convention that the client follows, if it is another one. */
function sentenceOf(found: Found, account: EmulatorAccount): Reason {
  const { digest, hash } = account;
  const { theirs } = found;
  const all = [...found.deviations.map((one) => wordsOf(one, digest)), ...writtenWords(found, account)];
  const ofNonce = `hashes the Nonce ${isDecoded(digest) ? "as the text that it sends" : "decoded from base64"}`;
  const [ours, usual] = onNonce(digest);
  if (found.isDecoded !== isDecoded(digest)) all.unshift([ofNonce, ours, usual]);
  if (found.hash !== hash)
    all.unshift([`hashes with ${hashes[found.hash][0]}`, hashes[hash][0], hashChange(hash)]);
  const flags = (["digest", "hash"] as const).flatMap((name) =>
    theirs === null || theirs[name] === account[name] ? [] : [`--${name} ${theirs[name]}`],
  );
  const named = ({ digest, hash }: DigestAlgorithm): string =>
    flags.length === 0 ? "" : ` (${digest} with ${hash})`;
  const instead = `if your API expects what the client does, start the emulator with ${flags.join(" ")}`;
  const both = (place: 0 | 1): string => [...new Set(all.map((words) => words[place]))].join(" and ");
  const detail = `the client ${both(0)}${named(theirs ?? account)}; this server expects ${both(1)}${named(account)}`;
  const changes = [...new Set(all.map(([, , change]) => change)), ...(flags.length > 0 ? [instead] : [])];
  return because("digest", detail, changes.join("; "));
}

/** What PasswordDigest is if it is no hash at all: another value, or something in its place. */
function noHash(
  sent: UsernameToken,
  readings: readonly Reading[],
  { digest, hash, secret, token }: EmulatorAccount,
): Reason | undefined {
  const expected = `this server expects ${hashes[hash][0]} of Nonce, Created and secret ${formsText(rightForms(digest))}`;
  const values = {
    "the secret itself": toBytes(secret),
    "the token": token,
    "the Nonce": sent.nonce,
    "the text that it should hash": sent.nonce + sent.created + toBytes(secret),
  };
  for (const { text, written } of readings)
    for (const [name, value] of Object.entries(values))
      if (isSame(text, value)) {
        const how = written.length === 0 ? "" : ` ${formsText(written)}`;
        const change = `${onText[1]}; ${writingChange(digest, hash)}`;
        return because("digest", `the client sends ${name}${how} as PasswordDigest; ${expected}`, change);
      }
  const words = replacementOf(sent.passwordDigest);
  return words === undefined
    ? undefined
    : because("digest", `the client sends as PasswordDigest what ${words}; ${expected}`, fillIn);
}

/** What a PasswordDigest looks like: its length, its alphabet, and what has such a length. */
function lookOf(sent: string): string {
  const inside = Buffer.from(sent, "base64");
  const isHex = hexadecimal.test(sent);
  const isHexInside = hexadecimal.test(inside.toString("latin1"));
  const size = isHex ? sent.length / 2 : isHexInside ? inside.length / 2 : inside.length;
  const [like] = Object.values(hashes).find(([, one]) => one === size) ?? ["no hash"];
  const of = (alphabet: string): string => `${alphabet}: ${size} bytes, as ${like} has`;
  const alphabet = isHex
    ? of("hexadecimal")
    : !/^[\w+/-]{4,}={0,2}$/.test(sent)
      ? "neither base64 nor hexadecimal"
      : // What is not UTF-8 becomes U+FFFD where bytes are read as text.
        of(
          `base64${isHexInside ? " of hexadecimal" : inside.includes("\ufffd") ? " of bytes that were read as text (U+FFFD)" : ""}`,
        );
  return `PasswordDigest has ${sent.length} characters of ${alphabet}`;
}

/**
 * The command that makes the right PasswordDigest for this request from `$REFERRAL_SECRET`: for a POSIX shell, or PowerShell. Null
 * where Nonce or Created are not safe to paste there.
 */
export function commandOf(
  { nonce, created }: UsernameToken,
  { digest, hash }: DigestAlgorithm,
  isWindows: boolean,
): string | null {
  if (!/^[\w+/=-]+$/.test(nonce) || !/^[\w:+.-]+$/.test(created)) return null;
  // The same bytes, with the padding that other decoders want.
  const inBase64 = Buffer.from(nonce, "base64").toString("base64");
  const isHex = conventions[digest].written === "hex in base64";
  if (isWindows) {
    const utf8 = (text: string): string => `[Text.Encoding]::UTF8.GetBytes('${text}' + $env:REFERRAL_SECRET)`;
    const text = isDecoded(digest)
      ? `[byte[]]([Convert]::FromBase64String('${inBase64}') + ${utf8(created)})`
      : utf8(nonce + created);
    const made = `[Security.Cryptography.${hash.toUpperCase()}]::Create().ComputeHash(${text})`;
    const inDigits = `[Text.Encoding]::ASCII.GetBytes([BitConverter]::ToString(${made}).Replace('-', '').ToLower())`;
    return `[Convert]::ToBase64String(${isHex ? inDigits : made})`;
  }
  const text = isDecoded(digest)
    ? `{ printf %s ${inBase64} | openssl base64 -d -A; printf %s "${created}$REFERRAL_SECRET"; }`
    : `printf %s "${nonce}${created}$REFERRAL_SECRET"`;
  const inDigits = isHex ? " -r | cut -d ' ' -f 1 | tr -d '\\n'" : " -binary";
  return `${text} | openssl dgst -${hash}${inDigits} | openssl base64 -A`;
}

/** Shows this server's own steps, beside what can be seen of the client's. */
function workedExample(
  sent: UsernameToken,
  account: EmulatorAccount,
  redact: (text: string) => string,
  isWindows: boolean,
): Reason {
  const { digest, hash, secret } = account;
  const nonce = (isDecoded(digest) ? Buffer.from(sent.nonce, "base64") : sent.nonce).length;
  const created = sent.created.length;
  const size = Buffer.byteLength(secret);
  const right = rightForms(digest);
  const length = passwordDigest({ ...sent, digest, hash, secret }).length;
  const steps = `${onNonce(digest)[0]} (${nonce}) + Created (${created}) + [secret: ${size}] = ${nonce + created + size} bytes, and writes the ${hashes[hash][1]} bytes ${formsText(right)} (${length} characters)`;
  // The Nonce is the client's own text.
  const text = sent.nonce + sent.created;
  const isSafe = redact(text) === text && !sharesPart(text, sent.passwordDigest);
  const command = isSafe ? commandOf(sent, account, isWindows) : null;
  const compare = "compare the text that the client hashes, and its length, with this";
  const detail = `does not match ${digest} with ${hash}; ${lookOf(sent.passwordDigest)}; this server hashes ${steps}`;
  return command === null
    ? because("digest", detail, compare)
    : { ...because("digest", detail, `${compare}. For this request it is what this prints:`), command };
}

/** How a wrong PasswordDigest was made, what is expected instead, and what to change. `redact` hides secrets in text of the client. */
export function digestMismatch(
  sent: UsernameToken,
  account: EmulatorAccount,
  redact: (text: string) => string,
  isWindows = sep === "\\",
): Reason {
  const readings = readingsOf(sent.passwordDigest, 4);
  const none = noHash(sent, readings, account);
  if (none !== undefined) return none;
  const found = searched(sent, readings, account);
  return found === null ? workedExample(sent, account, redact, isWindows) : sentenceOf(found, account);
}
