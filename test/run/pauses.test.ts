import { expect, test } from "vitest";
import type { Attempt } from "../../src/check/check-context.ts";
import { Pauses } from "../../src/run/pauses.ts";
import { outcomeOf } from "../support/outcomes.ts";

/** What a server answers: success, or a 429 with these seconds, or with none. */
type Answer = "ok" | number | null;

const attemptOf = (answer: Answer) => {
  const { response } = outcomeOf.rejected;
  const limited = { ...response, status: 429, retryAfterSeconds: answer === "ok" ? null : answer };
  const outcome = answer === "ok" ? outcomeOf.accepted : { kind: "unavailable" as const, response: limited };
  return { outcome } as Attempt;
};

/** A run whose requests a test answers, with a clock that stands still until a wait is over. */
function run(maxWaitSeconds = 60) {
  let now = 1_000;
  /** How long checks waited, each length once. */
  const waits = new Set<number>();
  let ends: Array<() => void> = [];
  const wait = (milliseconds: number) => {
    const end = now + milliseconds;
    waits.add(milliseconds);
    return new Promise<void>((resolve) =>
      ends.push(() => {
        now = Math.max(now, end);
        resolve();
      }),
    );
  };
  const pauses = new Pauses({ now: () => now, wait }, maxWaitSeconds);
  const news: string[] = [];
  const sent: string[] = [];
  const answers = new Map<string, (answer: Answer | Error) => void>();
  const results: Record<string, string> = {};
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const newAdmission = () =>
    pauses.admission(
      (waiting) => waiting(),
      async (text) => void news.push(text),
    );
  /** The admission of each check, which its retries share. */
  const admissions = new Map<string, ReturnType<typeof newAdmission>>();
  const askFor = async (names: readonly string[], isLast: boolean): Promise<void> => {
    for (const name of names) {
      const admission = admissions.get(name) ?? newAdmission();
      admissions.set(name, admission);
      const make = (): Promise<Attempt> => {
        sent.push(name);
        return new Promise((resolve, reject) =>
          answers.set(name, (one) => (one instanceof Error ? reject(one) : resolve(attemptOf(one)))),
        );
      };
      const done = (result: object) => ("outcome" in result ? "answered" : "not sent");
      const end = (result: string): void => {
        results[name] = result;
      };
      admission.admitted(name[0] ?? "", make, isLast).then(
        (result) => end(done(result)),
        () => end("failed"),
      );
    }
    await settled();
  };
  return {
    waits,
    news,
    sent,
    results,
    /** Asks for a request of this name; its first letter is the origin. */
    ask: (...names: string[]) => askFor(names, true),
    /** The same for a request that a retry may follow. */
    askAndRetry: (...names: string[]) => askFor(names, false),

    async answer(name: string, answer: Answer | Error) {
      answers.get(name)?.(answer);
      await settled();
    },
    /** Ends the waits under way. */
    async pass() {
      const over = ends;
      ends = [];
      for (const end of over) end();
      await settled();
    },
    later: (milliseconds: number): void => {
      now += milliseconds;
    },
    refusal: (origin: string) => newAdmission().refusal(origin),
  };
}

test("a pause holds back its origin alone; then one goes first, and the others follow", async () => {
  const { ask, answer, pass, sent, waits, news, results } = run();
  await ask("a1", "a2");
  await answer("a1", 7);
  await ask("a3", "a4", "a5", "b1");
  expect([sent, [...waits]]).toEqual([["a1", "a2", "b1"], [7_000]]);
  expect(news).toEqual(["asks for a pause of 7 s (429 with Retry-After): its accounts wait"]);
  await pass();
  expect(sent.slice(3)).toEqual([expect.stringMatching(/a[345]/)]);
  await ask("a6");
  expect(sent).toHaveLength(4);
  const first = sent[3] ?? "";
  await answer(first, "ok");
  expect(sent.toSorted()).toEqual(["a1", "a2", "a3", "a4", "a5", "a6", "b1"]);
  expect(news).toHaveLength(1);
  expect(results).toEqual({ a1: "answered", [first]: "answered" });
});

test.each([7, 0, null])("a 429 after the pause, with Retry-After %s, ends its origin", async (again) => {
  const { ask, answer, pass, sent, results, news, refusal } = run();
  await ask("a1");
  await answer("a1", 7);
  await ask("a2", "a3", "a4");
  await pass();
  expect(refusal("a")).toBeNull();
  const first = sent[1] ?? "";
  await answer(first, again);
  await ask("a5", "b1");
  expect(sent).toEqual(["a1", first, "b1"]);
  const refused = { a2: "not sent", a3: "not sent", a4: "not sent", a5: "not sent" };
  expect(results).toEqual({ ...refused, a1: "answered", [first]: "answered" });
  const message = "the server answered 429 again after the pause that it had asked for";
  expect(refusal("a")).toMatchObject({ message });
  expect(news.slice(1)).toEqual([`gets no further request: ${message}`]);
  expect(refusal("b")).toBeNull();
});

test("the others follow where the first one fails because of a bug", async () => {
  const { ask, answer, pass, sent } = run();
  await ask("a1");
  await answer("a1", 7);
  await ask("a2", "a3");
  await pass();
  await answer(sent[1] ?? "", new Error("bug"));
  expect(sent.toSorted()).toEqual(["a1", "a2", "a3"]);
});

test("a pause that is longer than the longest one ends its origin at once", async () => {
  const { ask, answer, sent, waits, results, news } = run(60);
  await ask("a1", "a2", "b1");
  await answer("a1", 60);
  await answer("b1", 61);
  await ask("a3", "b2", "b3");
  expect([sent, [...waits]]).toEqual([["a1", "a2", "b1"], [60_000]]);
  expect(results).toEqual({ a1: "answered", b1: "answered", b2: "not sent", b3: "not sent" });
  await answer("a2", 3_600);
  expect(news.slice(1)).toEqual([
    "gets no further request: the server asked for a pause of 61 s, and --max-wait allows 60 s",
  ]);
});

test("requests that were under way make a pause longer, not shorter, and do not decide after it", async () => {
  const { ask, answer, pass, later, sent, waits } = run();
  await ask("a1", "a2", "a3", "a4");
  await answer("a1", 7);
  await ask("a5", "a6");
  later(2_000);
  await answer("a2", 10);
  await answer("a3", 1);
  await pass();
  expect([sent.slice(4), [...waits]]).toEqual([[], [7_000, 5_000]]);
  await pass();
  await answer("a4", 30);
  await answer(sent[4] ?? "", "ok");
  expect(sent.slice(4).toSorted()).toEqual(["a5", "a6"]);
});

test("a pause that nobody waits for is not waited for, nor announced", async () => {
  const { ask, answer, later, waits, news, sent } = run();
  await ask("a1");
  await answer("a1", 7);
  expect([[...waits], news]).toEqual([[], []]);
  later(7_000);
  await ask("a2");
  expect([[...waits], sent]).toEqual([[], ["a1", "a2"]]);
});

test.each([null, 0, "ok" as const])(
  "a response without a pause (%s) holds nothing back",
  async (answered) => {
    const { ask, answer, sent } = run();
    await ask("a1");
    await answer("a1", answered);
    await ask("a2");
    expect(sent).toEqual(["a1", "a2"]);
  },
);

test("the check that goes first uses up its retries, each after the pause that the server asks for; the others wait", async () => {
  const { ask, askAndRetry, answer, pass, sent, waits, results, refusal } = run();
  await ask("a1");
  await answer("a1", 7);
  await askAndRetry("a2");
  await ask("a3");
  await pass();
  for (const again of [3, 4]) {
    await answer("a2", again);
    await askAndRetry("a2");
    await pass();
  }
  expect([sent, [...waits]]).toEqual([
    ["a1", "a2", "a2", "a2"],
    [7_000, 3_000, 4_000],
  ]);
  await answer("a2", 0);
  expect(refusal("a")).toBeNull();
  await ask("a2");
  await answer("a2", 5);
  expect(results).toEqual({ a1: "answered", a2: "answered", a3: "not sent" });
  expect(refusal("a")).not.toBeNull();
});

test("where a retry of the first check is answered, the others follow", async () => {
  const { ask, askAndRetry, answer, pass, sent } = run();
  await ask("a1");
  await answer("a1", 7);
  await askAndRetry("a2");
  await ask("a3");
  await pass();
  await answer("a2", null);
  await ask("a2");
  await answer("a2", "ok");
  expect(sent).toEqual(["a1", "a2", "a2", "a3"]);
});

test("a pause of the check's own holds back nobody and is not announced", async () => {
  const { askAndRetry, answer, pass, news, sent } = run();
  await askAndRetry("a1");
  await answer("a1", 7);
  await askAndRetry("a1");
  await pass();
  await answer("a1", 7);
  await askAndRetry("a1");
  await pass();
  expect([sent, news]).toEqual([["a1", "a1", "a1"], []]);
});
