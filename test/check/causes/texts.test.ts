import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allRules, explain } from "../../../src/check/causes/explain.ts";
import { outcomes } from "../../../src/check/outcome.ts";
import { certainties, type Finding, type FindingId, measured, possible } from "../../../src/check/result.ts";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { settingsInWords, settingsOf } from "../../settings/settings-of.ts";
import { judged, replied } from "../../support/exchanges.ts";
import { findingIds } from "../../support/pages.ts";
import { textOfReports } from "../../support/texts.ts";
import { answers, redirects, unexpected } from "./answer-cases.ts";
import { deadlines, handshakes, network, proxies } from "./connection-cases.ts";
import { clocks, credentials } from "./credential-cases.ts";
import { type Case, type Cases, evidenceOf, explained, findingsIn, unredacted, wsse } from "./found.ts";

const subjects = {
  answers,
  unexpected,
  redirects,
  credentials,
  clocks,
  network,
  handshakes,
  proxies,
  deadlines,
};
const titled = Object.values(subjects).flatMap((cases) => Object.entries(cases));
const all = titled.map(([, one]) => one);

/** Responses as frameworks, gateways, firewalls, filters and platforms send them, each shape once, with the outcomes. */
const collected = readFileSync(new URL("collected.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const collectedCases = collected.map((line): Case & { readonly is: string } => {
  const { type, wsse: isWsse, is, ...parts } = JSON.parse(line);
  const exchange = replied({ ...parts, headers: { "content-type": type, ...parts.headers } });
  return { exchange, is, ...(isWsse && { credential: wsse() }) };
});
const asText = (one: Finding): string => JSON.stringify(one);

const outcomeIn = ({ exchange, outcome, redact = unredacted }: Case) =>
  outcome ?? judged(exchange, 10, redact);

/** All that is said in a case: a line for the headline, one for each finding or several with one fix, and one for what else can be done. */
function linesOf(one: Case): string {
  const { headline, findings, alternatives, diagnosisRequests } = explained(one);
  const outcome = outcomeIn(one);
  const kind = outcome.kind === "unexpected" ? `unexpected (${outcome.reason.kind})` : outcome.kind;
  const fixes = [...new Set(findings.map(({ fix }) => fix))].map((fix) => {
    const said = findings.filter((finding) => finding.fix === fix);
    const ids = said.map(({ id, certainty }) => `${certainty} ${id}`).join(" AND ");
    const messages = said.map(({ message }) => message).filter((message) => message !== headline);
    return [`  ${ids}`, ...messages, fix].join(" | ");
  });
  const diagnosis = diagnosisRequests === null ? "" : ` | --diagnose: ${diagnosisRequests}`;
  return [`${kind} | ${headline}${diagnosis}`, ...fixes, ...alternatives.map((way) => `  or ${way}`)].join(
    "\n",
  );
}

const textOf = (cases: Cases): string =>
  textOfReports(Object.entries(cases).map(([title, one]) => [title, linesOf(one)]));

// The texts are changed with `npx vitest run test/check/causes --update`, and read as a diff.
test.each(Object.entries(subjects))(
  "all that is said of %s is the text beside this test",
  async (name, cases) => {
    await expect(textOf(cases)).toMatchFileSnapshot(`texts/${name}.txt`);
  },
);

test("each of the collected responses has its outcome, and none is told the same twice", () => {
  for (const [at, one] of collectedCases.entries()) {
    expect(outcomeIn(one).kind, collected[at]).toBe(one.is);
    const said = findingsIn(one).map(({ message }) => message);
    expect(said, collected[at]).toEqual([...new Set(said)]);
  }
});

/** The findings of a diagnosis and of other rooms. Of all others, a case shows each. */
const ofOthers: readonly FindingId[] = [
  ...(["credential-cleaned", "digest-convention", "not-sent"] as const),
  ...(["inconsistent-server"] as const),
];

test("a case shows each finding, and each outcome", () => {
  const shown = new Set(all.flatMap((one) => findingsIn(one).map(({ id }) => id)));
  expect([...shown, ...ofOthers].toSorted()).toEqual(findingIds().toSorted());
  expect(new Set(all.map((one) => outcomeIn(one).kind))).toEqual(new Set(Object.keys(outcomes)));
});

test("every check that is not accepted has a finding, and none names the secret or a host that is one", () => {
  for (const [title, one] of titled) {
    const { credential } = one;
    const secret =
      credential && (credential.method === "token" ? credential.token : credential.secret).reveal();
    if (outcomeIn(one).kind !== "accepted") expect(findingsIn(one), title).not.toEqual([]);
    if (secret !== undefined && secret.length > 9)
      expect(JSON.stringify(explained(one)), title).not.toContain(secret);
    const redact = redactorOf(["api.example.com"]);
    const outcome = one.outcome ?? judged(one.exchange, 10, redact.and([], 500));
    expect(JSON.stringify(explained({ ...one, outcome, redact })), title).not.toContain("api.example.com");
  }
});

test("no rule asks another: without one, the findings of all others are the same", () => {
  const evidence = [...all, ...collectedCases].map(evidenceOf);
  const findingsOf = (rules: typeof allRules) => evidence.map((one) => explain(one, rules).findings);
  const whole = findingsOf(allRules);
  for (const rule of allRules) {
    const others = findingsOf(allRules.filter((one) => one !== rule));
    const alone = findingsOf([rule]);
    for (const [index, findings] of whole.entries()) {
      const remaining = new Set([...(others[index] ?? []), ...(alone[index] ?? [])].map(asText));
      expect([...remaining].toSorted()).toEqual([...new Set(findings.map(asText))].toSorted());
      const expected = findings.map(asText).filter((text) => others[index]?.map(asText).includes(text));
      expect(others[index]?.map(asText)).toEqual(expected);
    }
  }
});

test("the library names no flag of the command line", () => {
  const hints = settingsInWords(settingsOf([], { reader: "library" }));
  const ofNode = /--allow-net|--permission/g;
  // Nor has it an address of --resolve.
  for (const [title, { address: _, ...one }] of titled) {
    const said = JSON.stringify(
      explained({ ...one, hints: { ...one.hints, ...hints, isCommandLine: false } }),
    );
    expect(said.replace(ofNode, ""), title).not.toMatch(/(?<!\w)--[a-z]/);
  }
});

test("findings stand in the order of their certainty; last what repeats the outcome, and what explains nothing", () => {
  const repeating = new Set<string | null>(Object.values(outcomes).map(({ finding }) => finding));
  const untried = measured("not-diagnosed", "nothing to try", ["First get an answer"]);
  const shown = (["possible", "proved", "measured"] as const).map((certainty) => ({
    ...measured("clock-ahead", "seen by an experiment", ["Set the clock"]),
    certainty,
  }));
  const placeOf = ({ id, certainty }: Finding): number => {
    if (id === "not-diagnosed") return 4;
    return repeating.has(id) ? 3 : certainties.indexOf(certainty);
  };
  for (const [title, one] of titled)
    for (const diagnosed of [[untried], [untried, ...shown]]) {
      const findings = findingsIn({ ...one, diagnosed });
      const order = findings.map(placeOf);
      expect(order, title).toEqual(order.toSorted());
    }
});

test("what a diagnosis did is not advised again, and nothing that makes attempts is advised after a lock", () => {
  const ruledOut = possible("ruled-out", "ruled out: all", ["Think"]);
  for (const [title, one] of titled) {
    expect(JSON.stringify(findingsIn(one)), title).not.toContain("--diagnose");
    expect(explained({ ...one, diagnosed: [ruledOut] }).diagnosisRequests, title).toBe(null);
    const { findings, diagnosisRequests } = explained(one);
    const isDiagnosed = (one.diagnosed ?? []).some(({ id }) => id === "account-locked");
    const { response = null } = { response: null, ...outcomeIn(one) };
    if (!isDiagnosed && response?.status !== 423) continue;
    expect(diagnosisRequests, title).toBe(null);
    for (const { fix } of findings) expect(fix, title).toMatch(/^Wait(?: 15 minutes)?, then try once: /);
  }
});
