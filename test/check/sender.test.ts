import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { type Check, contextOfRun } from "../../src/check/check-context.ts";
import { Sender } from "../../src/check/sender.ts";
import { Places, turnsOf } from "../../src/check/turns.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { Secret } from "../../src/settings/secret.ts";
import { virtualClock } from "../support/clock.ts";
import { json, serve, success } from "../support/serve.ts";
import { noAdvice } from "./causes/found.ts";

const spare = new Secret("planted-token");

/** A status, with the seconds of Retry-After if there are two numbers; `bug` throws in the program. */
type Answer = number | readonly [status: number, retryAfter: number] | "bug" | "hang";

/**
 * A sender at a server that gives these answers in turn, the last one for ever, and what happens. Other senders of the same run go to
 * the same server unless their check differs.
 */
async function senders(answers: readonly Answer[], of: Partial<Check> = {}, several = true) {
  const events: string[] = [];
  const began = Date.now();
  const clock = virtualClock(() => began);
  const run = new AbortController();
  const reason = new Error("interrupted");
  const draws: { byte: number | null } = { byte: 0 };
  const held: ServerResponse[] = [];
  const api = await serve((_, response) => {
    const answer = answers[Math.min(api.requests.length, answers.length) - 1] ?? 200;
    if (answer === "hang") return void held.push(response);
    const [status, retryAfter] = typeof answer === "object" ? answer : [answer];
    const fields = retryAfter === undefined ? undefined : { "retry-after": String(retryAfter) };
    note(String(status));
    json(response, Number(status), status === 200 ? success : { message: `No ${spare.reveal()}` }, fields);
  });
  const check: Check = {
    baseUrl: new URL(api.url),
    address: null,
    proxy: null,
    extraCertificates: [],
    timeoutSeconds: 10,
    credential: { method: "token", token: new Secret("the-token") },
    profile: null,
    description: "the token",
    retries: 0,
    hints: { ...noAdvice, isCommandLine: true } as unknown as Check["hints"],
    diagnose: true,
    redact: redactorOf([]),
    spareToken: async () => spare,
    ...of,
  };
  const wait = (milliseconds: number) => clock.wait(milliseconds, run.signal);
  const { now } = clock;
  const places = new Places(2);
  const turns = turnsOf(places, { now, wait }, 60, run.signal);
  const context = contextOfRun({
    now,
    randomBytes: (size) => {
      if (draws.byte === null) throw new Error("a bug");
      return new Uint8Array(size).fill(draws.byte);
    },
    wait,
    interrupted: run.signal,
    maxWaitSeconds: 60,
    turns: several ? turns : null,
  });
  const note = (what: string): unknown => events.push(`${(clock.now() - began) / 1000}: ${what}`);
  const said =
    (what: string) =>
    async (text: string): Promise<void> =>
      void note(`${what} ${text}`);
  const another = (changes: Partial<Check> = {}) =>
    new Sender({ ...check, ...changes }, context, {
      announceCost: said("cost"),
      announce: said("announced"),
      limited: said("limited"),
      retrying: said("retrying"),
      observed: async (record) => void note(`observed ${record().response?.status}`),
      mayDiagnose: async () => true,
    });
  return {
    ...{ api, another, context, draws, events, places, reason },
    sender: another(),
    interrupt: () => run.abort(reason),
    /** Answers what hangs. */
    release: () => {
      for (const response of held) json(response, 503, {}, { "retry-after": "30" });
    },
    passed: () => (clock.now() - began) / 1000,
  };
}

const bare = { credential: null, shiftSeconds: 0 };
const words = (made: object) => ("outcome" in made ? (made.outcome as { kind: string }).kind : made);

const tooLong = "the server asked for a pause of 61 s, and --max-wait allows 60 s";

describe("the first request", () => {
  type Row = [rule: string, answers: readonly Answer[], retries: number, ended: string, several?: boolean];
  test.each<Row>([
    ["is made once", [401], 3, "rejected: 1 at 0 s"],
    ["is made again after a temporary failure", [503, 503, 200], 2, "accepted: 3 at 0.75 s"],
    ["no more often than --retry says", [503], 2, "unavailable: 3 at 0.75 s"],
    ["as late as Retry-After asks", [[503, 7], 200], 1, "accepted: 2 at 7 s"],
    ["is made again after 429 without --retry", [429, [429, 5], 200], 0, "accepted: 3 at 6 s"],
    ["which uses up no retry", [429, 503, 429, 503, 200], 2, "accepted: 5 at 2.75 s"],
    ["not where it is the only one", [[429, 5]], 0, "unavailable: 1 at 0 s", false],
    ["which is retried as --retry says", [[429, 5], 429, 200], 2, "accepted: 3 at 5.5 s", false],
    [
      "not where it asks for more than --max-wait",
      [[503, 61]],
      1,
      "unavailable: 1 at 0 s, not retried: Retry-After is 61 s, and --max-wait allows 60 s",
    ],
    [
      "not once its origin gets nothing more",
      [429, [429, 61]],
      0,
      `unavailable: 2 at 1 s, not retried: ${tooLong}`,
    ],
  ])("%s", async (_rule, answers, retries, expected, several = true) => {
    const { sender, passed } = await senders(answers, { retries }, several);
    const made = await sender.first();
    const { attempts, notRetried } = sender;
    const ended = `${words(made)}: ${attempts} at ${passed()} s`;
    expect(notRetried === null ? ended : `${ended}, ${notRetried}`).toBe(expected);
  });

  test("is not sent where its origin gets nothing more, and does not wait for a retry", async () => {
    const { sender, another, api, passed } = await senders([[429, 61]]);
    await sender.first();
    const other = another({ retries: 9 });
    const hint = "Check these accounts again in 61 s, or raise --max-wait";
    expect(await other.first()).toEqual({ message: tooLong, hint });
    expect([other.attempts, api.requests.length, passed()]).toEqual([0, 1, 0]);
  });

  test.each<[when: string, answers: readonly Answer[]]>([
    [
      "while it waits",
      [
        [503, 30],
        [429, 61],
      ],
    ],
    ["before it has its 503", ["hang", [429, 61]]],
  ])("does not wait for a retry of 503 if another check's 429 ends its origin %s", async (_, answers) => {
    const { another, api, passed, release } = await senders(answers);
    const [patient, other] = [another({ retries: 1 }), another()];
    const first = patient.first();
    // The clock goes on where all wait, so nothing but what hangs is waited for.
    if (answers.includes("hang")) await expect.poll(() => api.requests).toHaveLength(1);
    await other.first();
    release();
    expect([words(await first), passed(), patient.notRetried]).toEqual([
      "unavailable",
      0,
      `not retried: ${tooLong}`,
    ]);
  });

  test("is counted until a bug ends it, and a diagnosis changes neither count nor time", async () => {
    const { sender, another } = await senders([401], { retries: 1 });
    await sender.first();
    const { attempts, began } = sender;
    await sender.send(bare, "another");
    expect([sender.attempts, sender.began]).toEqual([attempts, began]);
    const broken = await senders([503], { retries: 1 });
    broken.draws.byte = null;
    await expect(broken.sender.first()).rejects.toThrow("a bug");
    expect(broken.sender.attempts).toBe(1);
    expect(another().attempts).toBe(0);
  });

  test("draws a number from 0 up to 1 for its pause", async () => {
    const { sender, draws } = await senders([200]);
    draws.byte = 0xff;
    expect(sender.random()).toBeCloseTo(1);
    expect(sender.random()).toBeLessThan(1);
  });

  test("says what it does, in this order", async () => {
    const { sender, events } = await senders([429, 503, 200], { retries: 1, profile: "north" });
    await sender.first();
    expect(events).toEqual([
      "0: 429",
      "0: limited limits requests (429): its accounts wait and are asked again, each for at most 60 s (--max-wait)",
      "0: observed 429",
      "1: 503",
      "1: observed 503",
      "1: retrying token of north: attempt 2 ended as unavailable; trying again in 0.3 s",
      "1.25: 200",
      "1.25: observed 200",
    ]);
  });
});

describe("a request of a diagnosis", () => {
  test("is announced before it goes out, and observed after it", async () => {
    const { sender, events, api } = await senders([401]);
    expect(await sender.mayDiagnose()).toBe(true);
    expect(words(await sender.send(bare, "the first"))).toBe("rejected");
    expect(events).toEqual(["0: announced token: the first", "0: 401", "0: observed 401"]);
    expect(api.requests[0]?.headers).not.toHaveProperty("x-auth-token");
  });

  test("waits for its origin, and is announced when its turn has come; its own 429 is its answer and holds the origin back", async () => {
    const { sender, another, events, passed } = await senders([[429, 7], [429, 3], 200]);
    await sender.send(bare, "one");
    await sender.send(bare, "two");
    const of = (time: number, status: number) => [`${time}: ${status}`, `${time}: observed ${status}`];
    const said = events.filter((event) => !event.includes("limited"));
    expect(said).toEqual([
      "0: announced token: one",
      ...of(0, 429),
      "7: announced token: two",
      ...of(7, 429),
    ]);
    await another().first();
    expect(passed()).toBe(10);
  });

  test("says that the run was interrupted, and so does the spare token; nothing is observed", async () => {
    let ended = (_: Error): void => {};
    const { sender, events, interrupt, reason } = await senders(["hang"], {
      spareToken: () => new Promise((_, reject) => (ended = reject)),
    });
    const [reading, sending] = [sender.spareToken(), sender.send(bare, "the first")];
    const asking = sender.acceptsAnybody("the cost", "why");
    const announced = ["0: announced token: the first", "0: announced token: why", "0: cost token: the cost"];
    await expect.poll(() => events.toSorted()).toEqual(announced);
    interrupt();
    ended(reason);
    expect(await reading).toBeNull();
    expect(await sending).toMatchObject({ message: "the run was interrupted" });
    expect(await asking).toBe(false);
    expect(events).toHaveLength(3);
  });
});

test("once the spare token is read, no response shows it, and the redactor at the end hides it", async () => {
  const { sender } = await senders([401]);
  expect(await sender.spareToken()).toBe(spare);
  const attempt = await sender.send(bare, "the first");
  expect(attempt).toMatchObject({ outcome: { response: { message: "No [secret]" } } });
  expect(sender.redact("planted-token")).toBe("[secret]");
});

test("a bug is no interruption", async () => {
  const { sender } = await senders([401], { spareToken: () => Promise.reject(new Error("a bug")) });
  await expect(sender.spareToken()).rejects.toThrow("a bug");
});

describe("whether the server accepts anybody", () => {
  const proxied = { proxy: new URL("http://127.0.0.1:1") };
  test.each<[Partial<Check>, Partial<Check>, asked: number]>([
    [{}, {}, 1],
    [{ extraCertificates: ["a"] }, { extraCertificates: ["a", "b"] }, 2],
    [{}, proxied, 2],
    [proxied, { proxy: new URL("http://me:password@127.0.0.1:1") }, 2],
  ])("is asked once by the checks of one URL and route: %j, %j", async (one, other, expected) => {
    for (const several of [true, false]) {
      const { another, events } = await senders([200], {}, several);
      const asks = [one, other].map((route) => another(route).acceptsAnybody("the cost", "why"));
      expect(await Promise.all(asks)).toEqual([one, other].map(({ proxy }) => proxy === undefined));
      const costs = Array(expected).fill("0: cost token: the cost");
      expect(events.filter((event) => event.includes("cost "))).toEqual(costs);
    }
  });

  test("is asked again after 429 as the first request is, announced once, and a check that shares the answer leaves its place", async () => {
    const { another, events, passed, places } = await senders([429, 429, 200]);
    const asks = Array.from({ length: 3 }, async () => {
      await places.enter();
      return another()
        .acceptsAnybody("the cost", "why")
        .finally(() => places.leave());
    });
    expect([await Promise.all(asks), passed()]).toEqual([[true, true, true], 3]);
    expect(events.filter((event) => event.includes("announced"))).toEqual(["0: announced token: why"]);
  });

  test("is kept by a short key, however long the certificates are", async () => {
    const extraCertificates = ["x".repeat(100_000)];
    const { another, context, api } = await senders([200], { extraCertificates });
    await another().acceptsAnybody("the cost", "why");
    await another({ extraCertificates: [...extraCertificates] }).acceptsAnybody("the cost", "why");
    await another({ extraCertificates: ["y"] }).acceptsAnybody("the cost", "why");
    expect(api.requests).toHaveLength(2);
    expect([...context.anonymous.keys()].join("").length).toBeLessThan(300);
  });

  test.each([
    ["it is refused", [401], true],
    ["its origin gets nothing more", [[429, 61]], true],
    ["429 is its answer, for a single account", [429], false],
  ] as const)("is false where %s", async (_, answers, several) => {
    const { sender, api } = await senders(answers, {}, several);
    expect([await sender.acceptsAnybody("the cost", "why"), api.requests.length]).toEqual([false, 1]);
  });
});
