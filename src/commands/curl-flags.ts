const credentials =
  "Use --token-file for a token, --username and --secret-file for WSSE, or variables such as REFERRAL_TOKEN";

/** What to do instead of each flag that people often try because curl has it. */
export const curlFlags: ReadonlyArray<readonly [flags: string, instead: string]> = [
  ["-k --insecure", "Certificates are always verified; add the certificate of a private CA with --ca-cert"],
  ["--cacert", "Use --ca-cert"],
  ["-v -i --include", "Use --verbose"],
  ["-s --silent", "Use --quiet"],
  ["-H --header", `${credentials}; no other header can be added`],
  ["-u --user", credentials],
  ["-x", "Use --proxy"],
  ["-L --location", "Redirects are never followed; set --base-url to the API's real address"],
  ["-m --max-time --connect-timeout", "Use --timeout"],
  ["-o --output", "Redirect standard output, with --json if a program reads it"],
  ["--url", "Use --base-url"],
  ["-X --request -d --data", "Leave it out: the request is always the GET that the API documents"],
];

const insteadOf = new Map(
  curlFlags.flatMap(([flags, instead]) => flags.split(" ").map((flag) => [flag, instead])),
);

/**
 * The flag of curl that was typed; null for anything else. Of several letters behind one dash (`-sS`), it is the first. The
 * flag holds no value: only text of the table is in it.
 */
export function curlFlagOf(typed: string): { readonly flag: string; readonly instead: string } | null {
  const flag = /^-[A-Za-z]{2,3}$/.test(typed) ? typed.slice(0, 2) : typed;
  const instead = insteadOf.get(flag);
  return instead === undefined ? null : { flag, instead };
}
