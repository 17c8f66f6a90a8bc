import type { CheckResult } from "../check/outcome.ts";

/** What findings call a flag of the command line, in the words of a program that uses the library. */
export const wordsForFlags: Readonly<Record<string, string>> = {
  "--base-url": "baseUrl",
  "--timeout": "timeoutSeconds",
  "--retry": "retries",
  "--proxy": "option proxy",
  "--ca-cert": "caCertificates",
  "--insecure-http": "insecureHttp",
  "--concurrency": "the number of checks at once",
  "--diagnose": "diagnose: true",
  "--token": 'method: "token"',
  "--wsse": 'method: "wsse"',
  "--username": "credential.username",
  "--secret-file": "credential.secret",
  "--digest": "credential.digest",
  "--hash": "credential.hash",
  "--authorization": "credential.authorization",
};

/** The result with fixes that name options of the library instead of flags. Only fixes name flags: a message may quote the server. */
export function inOptions(result: CheckResult): CheckResult {
  const findings = result.findings.map((finding) => ({
    ...finding,
    fix: finding.fix.replace(/--[a-z]+(?:-[a-z]+)*/g, (flag) => wordsForFlags[flag] ?? flag),
  }));
  return { ...result, findings };
}
