// Checks an account by both methods and ends as the command line would, or with the header for a client of one's own.
// To be tried against the emulator: referral-auth emulator -- node check-account.js
import {
  type CheckOptions,
  type CheckResult,
  checkCredentials,
  combinedExitCode,
  exitCodeOfError,
  InputError,
  wsseHeader,
} from "referral-auth";

const { REFERRAL_BASE_URL, REFERRAL_TOKEN, REFERRAL_USERNAME, REFERRAL_SECRET } = process.env;
const baseUrl = REFERRAL_BASE_URL ?? "";
const account = { username: REFERRAL_USERNAME ?? "", secret: REFERRAL_SECRET ?? "" };

/** What was found, in one line. Every kind of outcome has its own facts. */
function sentence({ method, outcome, findings }: CheckResult): string {
  switch (outcome.kind) {
    case "accepted":
      return `${method}: ${outcome.response.message}`;
    case "rejected":
      return `${method}: refused, status ${outcome.response.status}; ${findings[0]?.fix ?? "check the credential"}`;
    case "unreachable":
      return `${method}: no answer (${outcome.failure.code})`;
    default:
      return `${method}: ${outcome.kind}`;
  }
}

async function check(credential: CheckOptions["credential"]): Promise<CheckResult> {
  return checkCredentials({ baseUrl, credential, retries: 2, signal: AbortSignal.timeout(30_000) });
}

try {
  const results = await Promise.all([
    check({ method: "token", token: REFERRAL_TOKEN ?? "" }),
    check({ method: "wsse", ...account }),
  ]);
  for (const result of results) process.stdout.write(`${sentence(result)}\n`);
  process.exitCode = combinedExitCode(results.map(({ outcome }) => outcome.kind));

  // A header is good for one request.
  const response = await fetch(`${baseUrl}/test-authentication`, {
    headers: { "X-WSSE": wsseHeader(account) },
  });
  process.stdout.write(`fetch: ${response.status}\n`);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  process.stderr.write(`${error.message}\n${error.hint}\n`);
  process.exitCode = exitCodeOfError(error);
}
