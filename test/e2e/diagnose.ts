import type { IncomingMessage } from "node:http";
import { expect } from "vitest";
import { type DigestAlgorithm, defaultAlgorithm, passwordDigest } from "../../src/wsse/digest.ts";
import type { CheckDocument, ProgramRun } from "../support/every-run.ts";
import { planted } from "../support/planted.ts";
import { type GivenInProcess, runInProcess } from "../support/run.ts";

/** The planted account as environment variables. */
export const wsse = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };

type Found = CheckDocument["findings"];

/** Runs `test --wsse --diagnose --json` and returns the findings that it proved. */
export async function diagnose(
  url: string,
  environment: Record<string, string> = {},
  given: GivenInProcess = {},
  exitCode = 4,
): Promise<{ run: ProgramRun; findings: Found; proved: Found }> {
  const run = await runInProcess(["test", "--wsse", "--diagnose", "--json"], {
    ...given,
    environment: { ...wsse, REFERRAL_BASE_URL: url, ...environment },
  });
  expect(run.exitCode).toBe(exitCode);
  const findings = run.checks[0]?.findings ?? [];
  return { run, findings, proved: findings.filter(({ certainty }) => certainty === "proved") };
}

/** Whether a request signs the planted secret with this convention. */
export function accepts({ headers }: IncomingMessage, convention: Partial<DigestAlgorithm>): boolean {
  const [, sent, nonce = "", created = ""] =
    /^UsernameToken .* PasswordDigest="(.*)", Nonce="(.*)", Created="(.*)"$/.exec(
      String(headers["x-wsse"]),
    ) ?? [];
  const { secret } = planted;
  return sent === passwordDigest({ ...defaultAlgorithm, ...convention, nonce, created, secret });
}
