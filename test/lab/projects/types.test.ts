import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../package/packed.ts";
import { childNode } from "../../support/run.ts";
import { complaints, installedAs, newest, printed, projectWith, typescript50 } from "./project.ts";

const example = readFileSync(join(root, "examples/library/check-account.ts"), "utf8");

/** Everything that the package exports, without a type of Node. */
const everything = `
import { authHeaders, checkCredentials, type CheckerOptions, type CheckResult, combinedExitCode, createChecker, exitCodeOf,
  exitCodeOfError, exitCodes, type FindingId, InputError, type OutcomeKind, type Step, wsseHeader } from "referral-auth";
export type { Checker, Failure, HostAndPort, Received, TriedAddress } from "referral-auth";
export type { EmulatorAccount, PlannedAnswer, Reason, ReceivedRequest } from "referral-auth/emulator";
import { wsseHeader as alone } from "referral-auth/header";
import { type Emulator, startEmulator } from "referral-auth/emulator";
const options: CheckerOptions = { baseUrl: "https://a.example" };
const result: Promise<CheckResult> = createChecker(options).check({ method: "token", token: "a" }, { diagnose: true });
const same: Promise<CheckResult> = checkCredentials({ ...options, credential: { method: "token", token: "a" } });
const id: FindingId = "clock-ahead";
const kind: OutcomeKind = "accepted";
const step: Step = "tls";
const texts: string[] = [wsseHeader({ username: "a", secret: "b" }), alone({ username: "a", secret: "b" })];
const code: number = combinedExitCode([kind]) + exitCodeOf.rejected + exitCodeOfError(new InputError("usage", "", ""));
const emulator: Promise<Emulator> = startEmulator({ accounts: [{ username: "a", secret: "b" }] });
export { authHeaders, code, emulator, exitCodes, id, step, result, same, texts };
`;

/** Fixtures of tests as people write them, whose declarations need the names of all that they give. */
const fixtures = {
  "inferred.mts": `\nimport { checkCredentials, createChecker } from "referral-auth";
import { startEmulator } from "referral-auth/emulator";

export async function setup() {
  const emulator = await startEmulator({ accounts: [{ username: "a", secret: "b" }] });
  const checker = createChecker({ baseUrl: emulator.url });
  const { accounts, requests, answersLeft } = emulator;
  return { emulator, checker, accounts, requests, answersLeft, reasons: requests.flatMap((one) => one.reasons) };
}
export async function check(baseUrl: string) {
  const result = await checkCredentials({ baseUrl, credential: { method: "token", token: "a" } });
  const { outcome, connection, findings, clock, advice, method } = result;
  const failure = "failure" in outcome ? outcome.failure : null;
  return {
    ...{ result, outcome, connection, findings, clock, advice, method, failure },
    ...{ tried: connection?.tried, steps: connection?.steps, peer: failure?.peer, step: failure?.step },
    ...{ received: failure?.received, answer: failure?.answer, certificate: failure?.certificate },
    ...{ response: "response" in outcome ? outcome.response : null },
    reason: outcome.kind === "unexpected" ? outcome.reason : null,
    id: findings[0]?.id,
    certainty: findings[0]?.certainty,
  };
}
export class Fixture {
  tried = async () => (await check("")).tried ?? [];
  peer = async () => (await check("")).peer ?? null;
  reason = async () => (await setup()).reasons[0];
}
`,
};

const forNode = ["--module", "nodenext"];
const forBundler = ["--module", "esnext", "--moduleResolution", "bundler"];

describe.each([
  ["newest", newest],
  ["5.0", typescript50],
])("TypeScript %s", (_, installed) => {
  test("takes all types with its own libraries and with Node's, in every kind of module, and compiles the example, which runs", async () => {
    const all = { "all.mts": everything, "all.cts": everything, "all.ts": everything };
    const folder = projectWith({ ...all, "example.mts": example }, installed);
    const complete = ["--skipLibCheck", "false"];
    const alone = ["--noEmit", "--typeRoots", "none", ...complete];
    const withNode = ["--lib", "es2023", "--types", "node", ...complete];

    expect(complaints(installed, folder, ...alone, ...forNode, "all.mts", "all.cts")).toBe("");
    expect(complaints(installed, folder, ...alone, ...forBundler, "all.ts")).toBe("");
    const modules = ["all.mts", "all.cts", "example.mts"];
    expect(complaints(installed, folder, ...withNode, ...forNode, ...modules)).toBe("");
    const launcher = join(installed, "node_modules/referral-auth/bin/launch.cjs");
    expect(await printed(folder, [launcher, "emulator", "--", childNode, "example.mjs"])).toMatch(
      /^token: Hello, [^\n]+\nwsse: Hello, [^\n]+\nfetch: 200\n/,
    );
  });
});

test.each(["typescript-5.5", "typescript-5.9", "typescript-6.0", "newest"])(
  "%s writes the declarations of fixtures",
  (version) => {
    const installed = installedAs(version);
    const folder = projectWith(fixtures, installed);
    const options = [...forNode, "--skipLibCheck", "false", "--declaration", "--outDir", "out"];
    const withNode = ["--lib", "es2023", "--types", "node"];
    expect(complaints(installed, folder, ...options, ...withNode, "inferred.mts")).toBe("");
  },
);
