import { expect, test } from "vitest";
import type { Outcome } from "../../src/check/outcome.ts";
import { Places, turnsOf } from "../../src/check/turns.ts";
import { outcomeOf } from "../support/outcomes.ts";

const limited = (retryAfterSeconds: number | null): Outcome => ({
  kind: "unavailable",
  response: { ...outcomeOf.rejected.response, status: 429, retryAfterSeconds },
});
const answers: Readonly<Record<string, Outcome | null>> = {
  ...outcomeOf,
  ok: outcomeOf.accepted,
  429: limited(null),
  bug: null,
};

interface Options {
  readonly concurrency?: number;
  readonly maxWait?: number;
}

/**
 * Plays a scene, whose steps are separated by commas: `a1 a2` are accounts that want to send a request (the first letter is their
 * origin), `a1 429/7` is the answer to one of them (429 with Retry-After: 7), `+7` lets seconds pass, `stop` ends the run. Resolves with what
 * happened, each at its second: `7 a1` was sent, `7 a1 ended` was not sent.
 */
async function played(scene: string, { concurrency = 8, maxWait = 60 }: Options = {}) {
  let now = 0;
  let waits: Array<{ readonly end: number; readonly over: () => void }> = [];
  const stop = new AbortController();
  const wait = (milliseconds: number) =>
    new Promise<void>((resolve, reject) => {
      waits.push({ end: now + milliseconds, over: resolve });
      stop.signal.addEventListener("abort", () => reject(stop.signal.reason));
    });
  const places = new Places(concurrency);
  const turns = turnsOf(places, { now: () => now, wait }, maxWait, stop.signal);
  const happened: string[] = [];
  const reasons = new Set<string>();
  const news: string[] = [];
  const answered = new Map<string, (outcome: Outcome | null) => void>();
  const note = (what: string): unknown => happened.push(`${now / 1000} ${what}`);

  async function account(name: string): Promise<void> {
    const [origin = ""] = name;
    const own: number[] = [];
    await places.enter();
    for (;;) {
      const notSent = await turns.turn(origin, own);
      if (notSent !== null) {
        reasons.add(`${notSent.message} | ${notSent.hint}`);
        note(`${name} ended`);
        break;
      }
      note(name);
      const outcome = await new Promise<Outcome | null>((resolve) => answered.set(name, resolve));
      const said = turns.answered(origin, outcome);
      if (said !== null) news.push(said);
      if (outcome?.kind !== "unavailable" || outcome.response?.status !== 429) break;
      own.push(now);
    }
    places.leave();
  }

  const settled = () => new Promise((resolve) => setImmediate(resolve));
  for (const step of scene.split(/, */)) {
    const [first = "", answer = "", ...more] = step.split(" ");
    if (step === "held") note(`held ${turns.heldUntil()}`);
    else if (step === "stop") stop.abort(new Error("stopped"));
    else if (first.startsWith("+")) {
      const until = now + Number(first) * 1000;
      for (;;) {
        const [next] = waits.filter(({ end }) => end <= until).sort((one, other) => one.end - other.end);
        if (next === undefined) break;
        waits = waits.filter((one) => one !== next);
        now = Math.max(now, next.end);
        next.over();
        await settled();
      }
      now = until;
    } else if (answered.has(first)) {
      const outcome = answer.startsWith("429/") ? limited(Number(answer.slice(4))) : answers[answer];
      if (outcome === undefined) throw new Error(`no such answer: ${answer}`);
      answered.get(first)?.(outcome);
      answered.delete(first);
    } else
      for (const name of [first, answer, ...more].filter((one) => one !== ""))
        void account(name).catch((error) => note(`${name} ${error.message}`));
    await settled();
  }
  return { happened: happened.join(", "), reasons: [...reasons], news };
}

test.each<[rule: string, scene: string, happened: string, options?: Options]>([
  ["nothing is held back without a 429", "a1, a1 ok, a2, a2 unavailable, a3", "0 a1, 0 a2, 0 a3"],
  [
    "a 429 holds back its origin alone, for Retry-After, and then its account is asked again",
    "a1, a1 429/7, a2 b1, +6, +1",
    "0 a1, 0 b1, 7 a1, 7 a2",
  ],
  [
    "without Retry-After for 1 second, then for 2, 4, 8 and 8",
    "a1, a1 429, +1, a1 429, +2, a1 429, +4, a1 429, +8, a1 429, +8",
    "0 a1, 1 a1, 3 a1, 7 a1, 15 a1, 23 a1",
  ],
  [
    "it is known until when the last origin is held back",
    "held, a1 b1, a1 429/7, held, b1 429/9, held, +7, held, +2, held",
    "0 held null, 0 a1, 0 b1, 0 held 7000, 0 held 9000, 7 a1, 7 held 9000, 9 b1, 9 held null",
  ],
  [
    "of two, the one that is held longer counts, wherever it stands",
    "a1 b1, a1 429/9, b1 429/7, held",
    "0 a1, 0 b1, 0 held 9000",
  ],
  ["with Retry-After: 0 too", "a1, a1 429/0, +1, a1 429/0, +1, +1", "0 a1, 1 a1, 3 a1"],
  [
    "1 second again after another answer, of which the account need not be the same",
    "a1, a1 429, +1, a1 429, +2, a1 ok, a2, a2 429, +1",
    "0 a1, 1 a1, 3 a1, 3 a2, 4 a2",
  ],
  [
    "a request that was sent before the pause lengthens it where it asks for more",
    "a1 a2 a3, a1 429/7, +1, a2 429/8, a3 429/2, +6, +2",
    "0 a1, 0 a2, 0 a3, 9 a3, 9 a2, 9 a1",
  ],
  [
    "and not where the server names no pause, nor does it double the next one",
    "a1 a2 a3, a1 429, a2 429, +0.5, a3 429, +0.5, a1 429, +2",
    "0 a1, 0 a2, 0 a3, 1 a3, 1 a2, 1 a1, 3 a1",
  ],
  [
    "an account that got a 429 goes before the others once, then after those that wait",
    "a1, a1 429, a2 a3, +1, a1 429, +2, a2 ok, a3 ok",
    "0 a1, 1 a1, 3 a2, 3 a3, 3 a1",
    { concurrency: 1 },
  ],
  [
    "an account is asked again for --max-wait after its own first 429, then it ends",
    "a1, a1 429/30, a2, +30, a1 429/30, a2 ok, +30, a1 429/30, a3, +29, +1",
    "0 a1, 30 a1, 30 a2, 60 a1, 60 a1 ended, 90 a3",
  ],
  [
    "at least once, though others lengthen the pause",
    "a1 a2, a1 429/60, +1, a2 429/60, +60, a1 429, a2 ok",
    "0 a1, 0 a2, 61 a2, 61 a1, 61 a1 ended",
  ],
  [
    "an origin that asks for more than --max-wait gets no further request, and its accounts end at once",
    "a1 a2, a1 429/5, a3 b1, +1, a2 429/61, a4, b1 ok, b2",
    "0 a1, 0 a2, 0 b1, 1 a2 ended, 1 a1 ended, 1 a3 ended, 1 a4 ended, 1 b2",
  ],
  ["as much as --max-wait is waited for", "a1, a1 429/60, +60", "0 a1, 60 a1"],
  [
    "so does one that answered nothing but 429 for --max-wait",
    "a1, a1 429/20, a2, +20, a2 429/20, a1 429/20, +20, a2 429/20, a1 429/20, +20, a1 429, a2 429, a3",
    "0 a1, 20 a1, 20 a2, 40 a2, 40 a1, 60 a2, 60 a1, 60 a1 ended, 60 a2 ended, 60 a3 ended",
  ],
  [
    "not before the requests under way are answered: an account can have a limit of its own",
    "a1, a1 429/60, a2 a3, +60, a1 429/60, a2 ok, a3 ok, +60, a4",
    "0 a1, 60 a1, 60 a2, 60 a3, 60 a1 ended, 120 a4",
  ],
  [
    "an answer of another kind starts the time anew, also one during the pause",
    "a1 a2, a1 429/30, +30, a1 429/30, a2 rejected, +30, a3, a3 429/1, +1",
    "0 a1, 0 a2, 30 a1, 60 a1, 60 a3, 61 a3",
  ],
  [
    "no answer at all does not",
    "a1 a2, a1 429/30, +30, a1 429/30, a2 timeout, +30, a1 429/30, a3",
    "0 a1, 0 a2, 30 a1, 60 a1, 60 a1 ended, 60 a3 ended",
  ],
  [
    "a bug frees its turn",
    "a1, a1 429/60, a2, +60, a2 bug, a1 429, a3",
    "0 a1, 60 a1, 60 a2, 60 a1 ended, 60 a3 ended",
  ],
  ["--max-wait 0 waits for nothing", "a1, a1 429, a2", "0 a1, 0 a1 ended, 0 a2 ended", { maxWait: 0 }],
  [
    "and ends an account alone where another is answered",
    "a1 a2, a1 429, a2 ok, a3, +1",
    "0 a1, 0 a2, 0 a1 ended, 1 a3",
    { maxWait: 0 },
  ],
  [
    "no more than the places send at once after a pause",
    "a1, a1 429/7, a2 a3 a4, +7, a1 429/7, a2 ok, +7",
    "0 a1, 7 a1, 7 a2, 14 a3, 14 a4",
    { concurrency: 2 },
  ],
  ["the end of the run ends all waits", "a1, a1 429/30, a2, stop", "0 a1, 0 a1 stopped, 0 a2 stopped"],
  [
    "nor is anything sent after it",
    "a1 b1, stop, a1 429, b1 429/5",
    "0 a1, 0 b1, 0 a1 stopped, 0 b1 stopped",
  ],
])("%s", async (_rule, scene, expected, options) => {
  expect((await played(scene, options)).happened).toBe(expected);
});

const asked = "asks for a pause of 7 s (429 with Retry-After)";
const unnamed = "limits requests (429)";
const waits = (why: string) =>
  `${why}: its accounts wait and are asked again, each for at most 60 s (--max-wait)`;
const tooLong = "the server asked for a pause of 61 s, and --max-wait allows 60 s";
const nothingElse =
  "the server answered nothing but 429 (too many requests) for as long as --max-wait allows (60 s)";
const longEnough =
  "the account got nothing but 429 (too many requests) for as long as --max-wait allows (60 s)";

test.each<[said: string, scene: string, news: readonly string[], reasons: readonly string[]]>([
  ["a pause, once for each origin", "a1 a2, a1 429/7, a2 429/8, +8, a1 ok, a2 429/7", [waits(asked)], []],
  ["a pause of our own", "a1, a1 429", [waits(unnamed)], []],
  [
    "a pause that is too long, and no other",
    "a1 a2, a1 429/61, a2 429/3600",
    [`gets no further request: ${tooLong}`],
    [`${tooLong} | Check these accounts again in 61 s, or raise --max-wait`],
  ],
  [
    "nothing but 429",
    "a1 a2, a1 429/7, a2 429/7, +7, a1 429/30, a2 429/30, +60, a1 429, a2 429",
    [waits(asked), `gets no further request: ${nothingElse}`],
    [
      `${longEnough} | Check it again later, or raise --max-wait`,
      `${nothingElse} | Check these accounts again later; a lower --concurrency asks less of the server`,
    ],
  ],
])("it is told of %s", async (_said, scene, news, reasons) => {
  expect(await played(scene)).toMatchObject({ news, reasons });
});
