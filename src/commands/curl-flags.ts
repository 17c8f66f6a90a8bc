const credentials =
  "Use --token-file for a token, --username and --secret-file for WSSE, or variables such as REFERRAL_TOKEN";
const onlyRequest = "Leave it out: the request is always the GET that the API documents";

/** What to do instead of each flag of curl that this program does not have. */
export const curlFlags: ReadonlyArray<readonly [flags: string, instead: string]> = [
  ["-k --insecure", "Certificates are always verified; add the certificate of a private CA with --ca-cert"],
  ["--cacert --capath", "Use --ca-cert"],
  ["-E --cert --key", "Leave it out: this API takes no client certificates"],
  ["-v -i -D --include --dump-header --trace --trace-ascii", "Use --verbose"],
  ["-s -S --silent --show-error", "Use --quiet"],
  ["-H --header", `${credentials}; no other header can be added`],
  ["-u --user --basic --oauth2-bearer", credentials],
  ["-x", "Use --proxy"],
  ["-U --proxy-user", "Write user and password into the URL of --proxy: http://USER:PASSWORD@HOST:PORT"],
  ["--noproxy", "Set the variable NO_PROXY"],
  [
    "-L --location --location-trusted",
    "Redirects are never followed; set --base-url to the API's real address",
  ],
  ["-m --max-time --connect-timeout", "Use --timeout"],
  [
    "--retry-delay --retry-max-time --retry-all-errors",
    "Use --retry; the pauses between attempts are chosen for you",
  ],
  ["-f --fail --fail-with-body", "Leave it out: the exit code always tells the result"],
  ["-o --output -O", "Redirect standard output, with --json if a program reads it"],
  ["-w --write-out", "Use --json"],
  ["-K", "Use --config with a file that `referral-auth config` can read"],
  ["--url", "Use --base-url"],
  ["-Z --parallel --parallel-max", "Use --concurrency"],
  ["-X -I -G --request --head --get", onlyRequest],
  [
    "-d -F -b -A -e --data --data-raw --json-data --form --cookie --user-agent --referer --compressed",
    onlyRequest,
  ],
];

const insteadOf = new Map(
  curlFlags.flatMap(([flags, instead]) => flags.split(" ").map((flag) => [flag, instead])),
);

/**
 * The flag of curl that was typed, or the first of several written together (`-sSk`); null for anything else. The flag
 * holds no value: only text of the table is in it.
 */
export function curlFlagOf(typed: string): { readonly flag: string; readonly instead: string } | null {
  const instead = insteadOf.get(typed);
  if (instead !== undefined) return { flag: typed, instead };
  const switches = /^-([kvsSLifIG]{2,6})$/.exec(typed)?.[1] ?? "";
  return switches === "" ? null : curlFlagOf(`-${switches.charAt(0)}`);
}
