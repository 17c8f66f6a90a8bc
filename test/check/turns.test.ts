import fc from "fast-check";
import { expect, test } from "vitest";
import type { Outcome } from "../../src/check/outcome.ts";
import { Asking, type NotSent, Places, turnsOf } from "../../src/check/turns.ts";
import { numRuns } from "../properties/runs.ts";
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

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A clock that stands still until a test moves it. */
function clockByHand(stop: AbortSignal) {
  let now = 0;
  const waits: Array<{ readonly end: number; readonly over: () => void }> = [];
  return {
    now: () => now,
    wait: (milliseconds: number) =>
      new Promise<void>((resolve, reject) => {
        waits.push({ end: now + milliseconds, over: resolve });
        stop.addEventListener("abort", () => reject(stop.reason));
      }),
    /** Ends the next wait that is over by then; false if there is none. */
    passTo(until = Infinity): boolean {
      const [next] = waits.sort((one, other) => one.end - other.end);
      const isOver = next !== undefined && next.end <= until;
      now = Math.max(now, isOver ? next.end : until === Infinity ? now : until);
      if (isOver) waits.shift()?.over();
      return isOver;
    },
  };
}

/** An account of an origin, which asks until the answer is no 429. Resolves with why it was not sent, or null. */
async function account(
  places: Places,
  turns: ReturnType<typeof turnsOf>,
  origin: string,
  answer: () => Promise<Outcome | null>,
): Promise<NotSent | null> {
  const asking = new Asking();
  await places.enter();
  for (;;) {
    const notSent = await turns.turn(origin, asking);
    const outcome = notSent === null ? await answer() : null;
    if (notSent === null) turns.answered(origin, asking, outcome);
    if (outcome?.kind === "unavailable" && outcome.response?.status === 429) continue;
    places.leave();
    return notSent;
  }
}

// test/e2e/pauses.test.ts has what is said of it.
/**
 * Plays a scene, whose steps are separated by commas: `a1 a2` are accounts that want to send a request (the first letter is their
 * origin), `a1 429/7` is the answer to one of them (429 with Retry-After: 7), `+7` lets seconds pass, `stop` ends the run. Resolves with what
 * happened, each at its second: `7 a1` was sent, `7 a1 ended` was not sent.
 */
async function played(scene: string, { concurrency = 8, maxWait = 60 }: Options = {}) {
  const stop = new AbortController();
  const clock = clockByHand(stop.signal);
  const places = new Places(concurrency);
  const turns = turnsOf(places, clock, maxWait, stop.signal);
  const happened: string[] = [];
  const answered = new Map<string, (outcome: Outcome | null) => void>();
  const note = (what: string): unknown => happened.push(`${clock.now() / 1000} ${what}`);

  async function asks(name: string): Promise<void> {
    const answer = (): Promise<Outcome | null> => {
      note(name);
      return new Promise((resolve) => answered.set(name, resolve));
    };
    if ((await account(places, turns, name.charAt(0), answer)) !== null) note(`${name} ended`);
  }

  for (const step of scene.split(/, */)) {
    const [first = "", answer = "", ...more] = step.split(" ");
    if (step === "stop") stop.abort(new Error("stopped"));
    else if (first.startsWith("+")) {
      const until = clock.now() + Number(first) * 1000;
      while (clock.passTo(until)) await settled();
    } else if (answered.has(first)) {
      const outcome = answer.startsWith("429/") ? limited(Number(answer.slice(4))) : answers[answer];
      if (outcome === undefined) throw new Error(`no such answer: ${answer}`);
      answered.get(first)?.(outcome);
      answered.delete(first);
    } else
      for (const name of [first, answer, ...more].filter((one) => one !== ""))
        void asks(name).catch((error) => note(`${name} ${error.message}`));
    await settled();
  }
  return happened.join(", ");
}

/** Rules, each with a scene and what happens in it. */
const scenes = `
nothing is held back without a 429
  a1, a1 ok, a2, a2 unavailable, a3
  0 a1, 0 a2, 0 a3
a 429 holds back its origin alone, for Retry-After; then its account is asked again, and the others follow its answer
  a1, a1 429/7, a2 a3 b1, +6, +1, a1 ok
  0 a1, 0 b1, 7 a1, 7 a2, 7 a3
without Retry-After for 1 second, then for 2, 4, 8 and 8
  a1, a1 429, +1, a1 429, +2, a1 429, +4, a1 429, +8, a1 429, +8
  0 a1, 1 a1, 3 a1, 7 a1, 15 a1, 23 a1
with Retry-After: 0 too
  a1, a1 429/0, +1, a1 429/0, +1, +1
  0 a1, 1 a1, 3 a1
1 second again after another answer, of which the account need not be the same
  a1, a1 429, +1, a1 429, +2, a1 ok, a2, a2 429, +1
  0 a1, 1 a1, 3 a1, 3 a2, 4 a2
a request that was sent before the pause lengthens it where it asks for more
  a1 a2 a3, a1 429/7, +1, a2 429/8, a3 429/2, +6, +2, a1 ok
  0 a1, 0 a2, 0 a3, 9 a1, 9 a2, 9 a3
and not where the server names no pause, nor does it double the next one
  a1 a2 a3, a1 429, a2 429, +0.5, a3 429, +0.5, a1 429, +2
  0 a1, 0 a2, 0 a3, 1 a1, 3 a2
an account that got a 429 among others keeps its place; one that got it alone goes behind them
  a1 a2, a2 429, a1 429, a3, +1, a1 429, +2, a2 ok
  0 a1, 0 a2, 1 a1, 3 a2, 3 a3, 3 a1
an account that is refused alone --max-wait after its first 429 ends, where another was answered
  a1, a1 429/30, a2, +30, a1 429/30, +30, a2 ok, a1 429/30, a3, +30, a1 429/5, +5
  0 a1, 30 a1, 60 a2, 60 a1, 90 a1, 90 a1 ended, 95 a3
so does one that alone was asked
  a1, a1 429/60, a2 a3, +60, a1 429/60, +60, a2 ok
  0 a1, 60 a1, 60 a1 ended, 120 a2, 120 a3
an origin that asks for more than --max-wait gets no further request, and its accounts end at once
  a1 a2, a1 429/5, a3 b1, +1, a2 429/61, a4, b1 ok, b2
  0 a1, 0 a2, 0 b1, 1 a2 ended, 1 a1 ended, 1 a3 ended, 1 a4 ended, 1 b2
as much as --max-wait is waited for
  a1, a1 429/60, +60
  0 a1, 60 a1
so does one that answered nothing but 429 for --max-wait
  a1 a2, a1 429/20, a2 429/20, a3, +20, a1 429/20, +20, a2 429/20, +20, a3 429
  0 a1, 0 a2, 20 a1, 40 a2, 60 a3, 60 a3 ended, 60 a1 ended, 60 a2 ended
an answer of another kind starts the time anew, also one during the pause
  a1 a2, a1 429/30, +29, a2 rejected, +1, a1 429/30, +30, a1 429/30, a3, +30, a3 ok
  0 a1, 0 a2, 30 a1, 60 a1, 60 a1 ended, 90 a3
no answer at all does not
  a1 a2 a3, a1 429/30, a3 429/30, +30, a1 timeout, a2 429/30, +30, a2 429
  0 a1, 0 a2, 0 a3, 30 a1, 30 a3, 60 a2, 60 a2 ended
a bug frees its turn
  a1, a1 429/60, a2, +60, a1 bug
  0 a1, 60 a1, 60 a2
the end of the run ends all waits
  a1, a1 429/30, a2, stop
  0 a1, 0 a1 stopped, 0 a2 stopped
nor is anything sent after it
  a1 b1, stop, a1 429, b1 429/5
  0 a1, 0 b1, 0 a1 stopped, 0 b1 stopped
`;
const lines = scenes.trim().split(/\n */);

test.each(lines.flatMap((rule, at) => (at % 3 === 0 ? [[rule, lines[at + 1] ?? "", lines[at + 2]]] : [])))(
  "%s",
  async (_rule, scene, expected) => {
    expect(await played(`${scene}`)).toBe(expected);
  },
);

test("--max-wait 0 waits for nothing, and no more than the places send at once after a pause", async () => {
  expect(await played("a1, a1 429, a2", { maxWait: 0 })).toBe("0 a1, 0 a1 ended, 0 a2 ended");
  expect(await played("a1, a1 429/7, a2 a3 a4, +7, a1 ok, a2 429/7, +7, a2 ok", { concurrency: 2 })).toBe(
    "0 a1, 7 a1, 7 a2, 7 a3, 14 a2, 14 a4",
  );
});

test("a limit of so many requests in a time that the server names costs no verdict; accounts with a limit of their own cost no other that gets its answer within --max-wait", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        accounts: fc.array(fc.constantFrom("good", "good", "good", "blocked"), { maxLength: 60 }),
        concurrency: fc.integer({ min: 1, max: 9 }),
        most: fc.integer({ min: 1, max: 20 }),
        window: fc.integer({ min: 1, max: 60 }),
      }),
      async ({ accounts, concurrency, most, window }) => {
        const stop = new AbortController();
        const clock = clockByHand(stop.signal);
        const places = new Places(concurrency);
        // Those that are blocked are asked again, a second each: the others then need the time of all windows and of these seconds.
        const blocked = accounts.filter((account) => account === "blocked").length;
        const maxWait = blocked === 0 ? 60 : (Math.ceil(accounts.length / most) + 1) * (window + blocked);
        const turns = turnsOf(places, clock, maxWait, stop.signal);
        let [current, count] = [0, 0];
        /** A fixed window, of which those that are blocked use up nothing. */
        function answerTo(account: string): Outcome {
          if (account === "blocked") return limited(1);
          const now = Math.floor(clock.now() / 1000 / window);
          count = now === current ? count + 1 : 1;
          current = now;
          return count <= most ? outcomeOf.accepted : limited((now + 1) * window - clock.now() / 1000);
        }
        const ended: string[] = [];
        const all = accounts.map(async (kind) => {
          if ((await account(places, turns, "origin", async () => answerTo(kind))) !== null) ended.push(kind);
        });
        let isOver = false;
        const over = Promise.all(all).then(() => {
          isOver = true;
        });
        while (!isOver) {
          await settled();
          clock.passTo();
        }
        await over;
        expect(ended).toEqual(accounts.filter((account) => account === "blocked"));
      },
    ),
    { numRuns: Math.min(numRuns, 100) },
  );
});
