import { describe, expect, test } from "vitest";
import { diagnosis, end, lost, type Mind, needing, remaining } from "./means.ts";

describe.each(["400", "422", "500"] as const)("after a %s with a JSON object", (first) => {
  test.each<Mind>(["refuse", "page", "404", "503"])(
    "its status is a refusal if the request without credentials gets another: %s",
    async (bare) => {
      const { ids, outcome, variants } = await diagnosis({ first, answer: needing({ 1: bare }, first) });
      expect(ids).toBe("proved digest-convention");
      expect(outcome).toMatchObject({ kind: first === "500" ? "unavailable" : "unexpected" });
      expect(variants).toHaveLength(10);
      // Another refusal is one too.
      expect((await diagnosis({ first, answer: needing({ 1: bare }) })).ids).toBe("proved digest-convention");
    },
  );

  test.each<Mind>([first, "fail"])("there is nothing to try if that gets no other: %s", async (bare) => {
    const { found, variants } = await diagnosis({ first, answer: needing({ 1: bare }) });
    expect(found).toEqual([
      "measured not-diagnosed: a diagnosis has nothing to try: the request without credentials got no other status",
    ]);
    expect(variants).toHaveLength(1);
  });

  test.each<[Mind, string]>([
    ["refuse", `ruled out: ${lost}, a clock that is a few seconds ahead, ${end}; ${remaining}`],
    [
      "page",
      `changes for these were refused too: ${lost}, a clock that is a few seconds ahead, ${end}; nothing shows whether the API was reached`,
    ],
  ])("where nothing is accepted, that answer shows whether it was the API: %s", async (bare, message) => {
    const { found } = await diagnosis({ first, answer: (number) => (number === 1 ? bare : first) });
    expect(found).toEqual([`measured ruled-out: ${message}`]);
  });

  test("another status that is no refusal, or a wait, ends it", async () => {
    for (const mind of ["409", first === "500" ? "500 paused" : "500", "423"] as const) {
      const { ids } = await diagnosis({ first, answer: needing({ 1: "refuse", 3: mind }, first) });
      expect(ids).toBe("measured diagnosis-stopped");
    }
  });
});

describe("after an acceptance", () => {
  test.each<[Mind, object]>([
    ["accept", { kind: "unexpected", reason: { kind: "no-authentication" }, response: { status: 200 } }],
    ["refuse", { kind: "accepted" }],
    ["429", { kind: "accepted" }],
    ["fail", { kind: "accepted" }],
    ["cached", { kind: "accepted" }],
    ["interrupt", { kind: "accepted" }],
  ])("it asks once without credentials: %s", async (bare, outcome) => {
    const run = await diagnosis({ first: "accept", answer: () => bare });
    expect(run.outcome).toMatchObject(outcome);
    expect(run).toMatchObject({
      asked: ["once"],
      costs: ["diagnosis, 1 further request; it may count as a failed login"],
      announced: [
        "diagnosis, request 1 of at most 1: without credentials, to see whether the server checks them",
      ],
      variants: [{ credential: null, shiftSeconds: 0 }],
      found: [],
    });
  });
});

test.each<Exclude<Mind, "interrupt">>([
  "404",
  "409",
  "503",
  "fail",
  "429",
  "alikeByOther",
  "400 page",
  "400 cached",
])("after %s there is nothing to try, and nobody is asked", async (first) => {
  const { asked, announced, found, fixes } = await diagnosis({ first, answer: () => "accept" });
  expect([asked, announced]).toEqual([[], []]);
  expect(found).toEqual([
    "measured not-diagnosed: a diagnosis has nothing to try: only a refusal (401 or 403), or a 400, 422 or 500 with a JSON object, can depend on the credential",
  ]);
  expect(fixes).toEqual(["First get an answer of the API, then diagnose"]);
});

test("a refusal that may not be diagnosed stays without findings, and the spare token is not read", async () => {
  const run = await diagnosis({ answer: needing(), mayDiagnose: false });
  expect(run).toMatchObject({ asked: ["mayDiagnose"], costs: [], announced: [], found: [] });
  expect(run.outcome.kind).toBe("rejected");
});
