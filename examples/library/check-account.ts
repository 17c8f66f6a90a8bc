// Checks an account by both methods and exits with the code that the command line would give. It handles every outcome: if
// one is left out, it does not compile. Try it against the emulator: referral-auth emulator -- node check-account.js
import {
  authHeaders,
  type CheckResult,
  combinedExitCode,
  createChecker,
  exitCodeOfError,
  InputError,
} from "referral-auth";

const { REFERRAL_BASE_URL, REFERRAL_TOKEN, REFERRAL_USERNAME, REFERRAL_SECRET } = process.env;
const baseUrl = REFERRAL_BASE_URL ?? "";
const token = { method: "token", token: REFERRAL_TOKEN ?? "" } as const;
const wsse = { method: "wsse", username: REFERRAL_USERNAME ?? "", secret: REFERRAL_SECRET ?? "" } as const;

/** The outcome in words. Each kind has its own facts. */
function wordsFor({ outcome }: CheckResult): string {
  switch (outcome.kind) {
    case "accepted":
      return outcome.response.message ?? "accepted";
    case "rejected":
      return `refused with status ${outcome.response.status}`;
    case "unavailable":
      return `not checked: status ${outcome.response?.status}, try again in ${outcome.response?.retryAfterSeconds ?? 60} s`;
    case "unexpected":
      return `not an answer of this API (${outcome.reason.kind})`;
    case "unreachable":
      return `no answer (${outcome.failure.code})`;
    case "timeout":
      return `no answer within ${outcome.seconds} s (${outcome.failure.step})`;
    case "not-checked":
    case "failed":
      return outcome.message;
  }
}

try {
  const checker = createChecker({ baseUrl, retries: 2 });
  const signal = AbortSignal.timeout(30_000);
  const results = await Promise.all([token, wsse].map((credential) => checker.check(credential, { signal })));
  for (const result of results) {
    const [first] = result.findings;
    process.stdout.write(`${result.method}: ${wordsFor(result)}${first ? `; ${first.fix}` : ""}\n`);
  }
  process.exitCode = combinedExitCode(results.map(({ outcome }) => outcome.kind));

  // Make new header fields for every request.
  const response = await fetch(`${baseUrl}/test-authentication`, { headers: authHeaders(wsse) });
  process.stdout.write(`fetch: ${response.status}\n`);
} catch (error) {
  process.exitCode = exitCodeOfError(error);
  process.stderr.write(`${error}\n`);
  if (error instanceof InputError) process.stderr.write(`${error.hint}\n`);
}
