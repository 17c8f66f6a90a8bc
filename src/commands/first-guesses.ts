import { flagOf } from "../settings/table.ts";

const tokenOrSecret =
  "Use --token-file for a token, --username and --secret-file for WSSE, or variables such as REFERRAL_TOKEN";

/**
 * Flags that people try first, mostly because curl or another tool has them. Each row has the flags, our flag that the advice
 * is about, and the advice, which is `Use` and our flag if it is left out.
 */
export const firstGuesses: ReadonlyArray<readonly [flags: string, ours: string, instead?: string]> = [
  [
    "-p --password --pass --passwd --password-file",
    flagOf("secretFile"),
    "Use --secret-file with --username: process lists do not show what is in a file",
  ],
  ["-t --key --api-key --apikey --bearer --auth --credentials", flagOf("tokenFile"), tokenOrSecret],
  ["-u --user --login", flagOf("username"), tokenOrSecret],
  ["-H --header --headers", flagOf("tokenFile"), `${tokenOrSecret}; no other header can be added`],
  ["--email --user-name", flagOf("username")],
  ["--url --uri --host --hostname --endpoint --server", flagOf("baseUrl")],
  ["--env --env-file", "--profile", "Variables count without an option; a --profile is one of the rc file"],
  [
    "-k --insecure --no-verify --skip-verify",
    flagOf("caCert"),
    "Certificates are always verified; add the certificate of a private CA with --ca-cert",
  ],
  ["--cacert --ca --ca-bundle", flagOf("caCert")],
  ["-x", flagOf("proxy")],
  ["-m --max-time --connect-timeout", flagOf("timeout")],
  ["--retries --max-retries", flagOf("retry")],
  ["-j --jobs --parallel", flagOf("concurrency")],
  [
    "-L --location",
    flagOf("baseUrl"),
    "Redirects are never followed; set --base-url to the API's real address",
  ],
  [
    "-X --request --method -d --data",
    flagOf("baseUrl"),
    "Leave it out: the request is always the GET that the API documents",
  ],
  ["-v", "--verbose", "Use --verbose after the command; referral-auth --version prints the version"],
  ["-i --include --debug", "--verbose"],
  ["-s -q --silent", "--quiet"],
  [
    "-o --output --format",
    "--json",
    "Use --json; without it, the output is text. Redirect it to write a file",
  ],
  ["-c --file", "--config"],
];

const guessOf = new Map(
  firstGuesses.flatMap(([flags, ours, instead = `Use ${ours}`]) =>
    flags.split(" ").map((flag) => [flag, { ours, instead }]),
  ),
);

/** The advice on this flag for a command with these flags; null if it is no first guess, or if the command lacks our flag. */
export function insteadOf(flag: string, has: readonly string[]): string | null {
  const guess = guessOf.get(flag);
  return guess !== undefined && has.includes(guess.ours) ? guess.instead : null;
}

// No option of this program is longer, and no first guess.
const longest = 24;
// What follows may be attached to the flag, as in `--tokenhunter`.
const ofSecrets = /^--(?:token|secret|pass)/;

/**
 * The part of an unknown option that a message may repeat; null if there is none, because it can be a secret. A message may
 * repeat a first guess, and a long option of lower-case letters and hyphens. `meant` is our option that it resembles, or null;
 * `before` is the word before it; `others` are the other words of the command line and the known secrets.
 */
export function shownOption(
  typed: string,
  meant: string | null,
  before: string,
  others: readonly string[],
): string | null {
  const flag = typed.startsWith("--") ? typed : typed.slice(0, 2);
  // `--token` may have no value, so the secret that follows it can look like an option.
  if (before === flagOf("token")) return null;
  if (guessOf.has(flag)) return flag;
  if (flag.length > longest || !/^--[a-z]+(?:-[a-z]+)*$/.test(flag)) return null;
  if (meant === null && ofSecrets.test(flag)) return null;
  const word = flag.slice(2);
  const isKnown = others.some((other) => other.includes(word) || (other.length > 3 && word.includes(other)));
  return isKnown ? null : flag;
}
