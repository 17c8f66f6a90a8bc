import { describe, expect, test } from "vitest";
import type { ApiResponse } from "../../src/check/outcome.ts";
import type { Certainty, Finding } from "../../src/check/result.ts";
import { paintOf } from "../../src/report/paint.ts";
import type { AccountResult } from "../../src/report/report.ts";
import { Origins, textReport } from "../../src/report/text.ts";
import { ended, outcomeOf, reported } from "../support/outcomes.ts";

const answering = (more: Partial<ApiResponse>): Pick<AccountResult, "outcome"> => {
  const { response } = outcomeOf.rejected;
  return { outcome: { kind: "rejected", response: { ...response, code: 401, ...more } } };
};
const result = (more: Partial<AccountResult> = {}): AccountResult =>
  reported({
    method: "wsse",
    ...answering({}),
    headline: "the API refused this credential",
    ...more,
  });
const finding = (name: string, certainty: Certainty, id: Finding["id"] = "maybe-refused"): Finding => ({
  id,
  certainty,
  message: `${name} ${"word ".repeat(20)}end`,
  fix: `mend ${name}`,
});
const general: Finding = {
  id: "rejected",
  certainty: "measured",
  message: "the API refused this credential",
  fix: "Compare the credential with the one in the account, and check that the account is active",
};
const [measured, possible] = [finding("a", "measured"), finding("b", "possible")];
const notTried = finding("untried", "measured", "not-diagnosed");
const advising = (...advice: readonly string[]) => ({ advice });
const offering = { advice: ["mend it"], diagnosisRequests: 5 };
const sent = { url: "https://a.example/v1", credential: "the token from REFERRAL_TOKEN" };
const hostile = "two\nlines \u001b[31mred\u202e ::error::x ##vso[task]";
const escaped = { profile: "a, b: c", headline: "100% of\nit ::warning::x" };

/** Results of a run over one account, by what is shown of them. */
const single: Readonly<Record<string, Partial<AccountResult>>> = {
  "findings in their order, and each advice": {
    findings: [finding("c", "proved"), measured, possible, notTried, general],
    ...advising("one", "other"),
  },
  "nothing twice": {
    ...answering({ message: "The API refused this credential" }),
    findings: [measured, { ...measured, message: "the same advice" }],
  },
  "a finding that says more than its outcome": {
    findings: [
      { ...general, id: "no-evidence" },
      { ...general, id: "no-evidence", message: "a web page" },
    ],
  },
  "a headline that is said once, and second ways": { ...sent, ...offering, findings: [general] },
  "a second way after a diagnosis": { advice: ["mend it"], alternatives: ["use another"] },
  "no length of what was not judged": { ...sent, outcome: outcomeOf.unreachable },
  "all that a response says": answering({
    ...{ message: "No", location: "https://a.example/login", challenges: ['WSSE realm="x"', "Basic"] },
    ...{ reason: "Nope", server: "nginx", via: "1.1 a" },
  }),
  "a long message that is not cut in a letter": answering({ message: `${"a".repeat(199)}\u{1f511}b` }),
  "no message and type, and another code than the status": answering({
    message: null,
    contentType: null,
    code: 7,
  }),
  "words and an id of a hostile server, and what an annotation escapes": {
    ...sent,
    ...answering({ message: hostile, requestId: "a\n\u001b[31mb" }),
    ...escaped,
  },
  "no request": { outcome: outcomeOf["not-checked"], attempts: 0 },
  "an account that was not sent": { ...sent, attempts: 0 },
  "an acceptance": { ...sent, outcome: outcomeOf.accepted },
};

/** The whole report of these results. */
async function textOf(
  results: readonly AccountResult[],
  more: Partial<Parameters<typeof textReport>[1]> = {},
): Promise<string> {
  const how = { several: true, failedOnly: false, annotate: true, ...more };
  const report = textReport(await paintOf(false, 80), how);
  return results.map((one) => report.add(one)).join("") + report.end(ended);
}

// Changed with `npx vitest run test/report --update`. test/report/documents/text.txt has the ends of runs.
test("the reports of one account stand beside this test", async () => {
  const texts: string[] = [];
  for (const [title, more] of Object.entries(single))
    texts.push(`== ${title}\n${await textOf([result(more)], { several: false })}`);
  texts.push(`== two methods\n${await textOf([result(), result({ method: "token" })], { several: false })}`);
  await expect(texts.join("\n")).toMatchFileSnapshot("documents/single.txt");
});

describe("a report of several accounts", () => {
  const failures = Array.from({ length: 13 }, (_, at) => result({ profile: `p${at}`, findings: [measured] }));
  const both = ["token", "wsse"].map((method) =>
    result({ ...offering, profile: "c", method: method as "token", findings: [general] }),
  );
  const lines = [3, 5, 4, 12].map((line) =>
    result({
      ...{ line, method: null, outcome: outcomeOf["not-checked"], attempts: 0 },
      headline: `line ${line} of --accounts is not a JSON object`,
      namesLine: true,
    }),
  );
  const ofOthers = [
    result({ ...offering, profile: "it's -a", url: "https://b.example/v1" }),
    result({ ...offering, profile: "[secret]", isRepeated: true, url: "https://d.example/v1" }),
    result({ profile: "lone", outcome: outcomeOf.unreachable, headline: "no way" }),
    result({ profile: "twin", line: 20, isRepeated: true, outcome: outcomeOf.timeout, headline: "too slow" }),
    result({ ...offering, profile: "row", line: 21, url: "https://c.example/v1" }),
  ];
  const good = result({ ...sent, profile: "good", outcome: outcomeOf.accepted });
  const all = [good, ...failures, ...both, ...ofOthers, ...lines];

  test("has ten lines of equal failures, their details once, and at its end every name", async () => {
    const text = await textOf(all);
    // Those of p2 to p8 are as that of p1.
    const shown = text.replace(/^(?:REJECTED +|::error title=referral-auth )p[2-8] .*\n/gm, "");
    expect(text.split("\n")).toHaveLength(shown.split("\n").length + 14);
    await expect(shown).toMatchFileSnapshot("documents/several.txt");
  });

  test("leaves out accepted checks with --failed-only, and annotations outside of GitHub", async () => {
    const [failed, whole] = [await textOf(all, { failedOnly: true }), await textOf(all)];
    expect(failed).toBe(whole.replace(/^accepted .*\n/, ""));
    const ofOne = { several: false, failedOnly: true };
    expect(await textOf([good, result()], ofOne)).toBe(await textOf([result()], ofOne));
    expect(await textOf(all, { annotate: false })).toBe(whole.replace(/^::.*\n/gm, ""));
  });
});

test.each<[ReadonlyArray<Partial<AccountResult>>, string]>([
  [[{ url: null }, { url: "https://a.example/v1", attempts: 0 }], ""],
  [
    [{ url: "https://a.example:8443/v1//x" }, { url: "https://a.example:8443/v2" }],
    "; at https://a.example:8443",
  ],
  [[{ url: "https://a.example/v1" }, { url: "http://a.example/v1" }], "; at 2 origins"],
  [Array.from({ length: 10_009 }, (_, at) => ({ url: `https://${at}/` })), "; at more than 10000 origins"],
])("the origins of a run: %#", (checks, words) => {
  const origins = new Origins();
  for (const check of checks) origins.add(reported(check));
  expect(origins.text()).toBe(words);
});
