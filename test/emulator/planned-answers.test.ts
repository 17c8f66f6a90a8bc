import fc from "fast-check";
import { expect, test } from "vitest";
import { knownAccounts } from "../../src/emulator/accounts.ts";
import { readAnswers } from "../../src/emulator/planned-answers.ts";
import { InputError } from "../../src/errors.ts";
import { credentials, known, send, startTestEmulator, statuses, three, token, wsse } from "./support.ts";

const second = { token: "second-token", username: "second@example.com", secret: "second-secret" };
const started = () => startTestEmulator({ accounts: [credentials, second], answer: 500 });

test("planned answers are used in order, and then --answer counts; a new list replaces them, and reset() empties it", async () => {
  const emulator = await started();
  emulator.answers([{ status: 503, times: 2 }, {}, { status: 418 }]);
  expect(await statuses(emulator, ...three, ...three)).toEqual([503, 503, 200, 418, 500, 500]);
  expect(emulator.answersLeft).toEqual([]);
  emulator.answers([{ status: 501, times: 9 }]);
  expect(emulator.answersLeft).toEqual([{ status: 501, times: 9 }]);
  emulator.answers([{ status: 418 }, {}, {}, {}, { status: 501 }]);
  const signed = { "X-WSSE": wsse() };
  expect(await statuses(emulator, token, signed, signed)).toEqual([418, 200, 401]);
  emulator.reset();
  expect(emulator.requests).toEqual([]);
  expect(await statuses(emulator, token)).toEqual([500]);
  emulator.answers([{}]);
  expect(await statuses(emulator, signed)).toEqual([200]);
});

test("a planned answer is for one account by token and by username, whatever its digest", async () => {
  const emulator = await started();
  emulator.answers([{ status: 423, account: 1, times: 4 }, { status: 503 }, {}, {}]);
  const locked = [
    { "X-Auth-Token": second.token },
    { "X-WSSE": wsse(second) },
    { "X-WSSE": wsse({ ...second, secret: "wrong" }) },
  ];
  const others = [token, { "X-Auth-Token": "unknown" }, { "X-WSSE": wsse({ username: "a@b.cd" }) }];
  expect(await statuses(emulator, ...locked)).toEqual([423, 423, 423]);
  expect(await statuses(emulator, ...others)).toEqual([503, 401, 401]);
  expect(emulator.requests.map(({ account }) => account)).toEqual([1, 1, 1, 0, null, null]);
  expect(emulator.requests.map(({ accepted }) => accepted)).toEqual(Array(6).fill(false));
  expect(emulator.log[0]).toContain(" 423 forced: answer 423; account: second@example.com");
});

test("a planned answer replaces parts of the real one, and the log names them", async () => {
  const emulator = await started();
  const headers = { "X-A": "1", date: "x", "cache-control": null };
  emulator.answers([
    { headers },
    { body: { a: ["é"] } },
    { body: "no\n" },
    { status: 503, headers: { "retry-after": null } },
  ]);
  const [first, json, text, without] = await Promise.all(
    [...three, token].map((sent) => send(emulator.url, { headers: sent })),
  );
  expect(first).toMatchObject({ status: 200, headers: { "x-a": "1", date: "x", allow: "GET, OPTIONS" } });
  expect(first?.headers).not.toHaveProperty("cache-control");
  expect(json).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  expect(Buffer.from(json?.body ?? "", "latin1").toString()).toBe('{"a":["é"]}');
  expect(text).toMatchObject({ body: "no\n", headers: { "content-type": "text/plain; charset=utf-8" } });
  expect(without?.headers).not.toHaveProperty("retry-after");
  expect(emulator.requests.map(({ accepted }) => accepted)).toEqual([true, true, true, false]);
  expect(emulator.log[0]).toMatch(/ 200 accepted: X-Auth-Token; forced: headers; /);
  expect(emulator.log[3]).toMatch(/ 503 forced: answer 503, headers; /);
});

test("a planned answer waits and is cut off", async () => {
  const emulator = await started();
  emulator.answers([{ delaySeconds: 0.15 }, { cutOff: true }, { cutOff: true, body: "" }]);
  const before = performance.now();
  expect(await statuses(emulator, token)).toEqual([200]);
  expect(performance.now() - before).toBeGreaterThan(140);
  for (const code of ["ECONNRESET", "ECONNRESET"])
    await expect(send(emulator.url, { headers: token })).rejects.toMatchObject({ code });
  expect(emulator.requests.map(({ status }) => status)).toEqual([200, null, null]);
});

test("what has no content has none by any plan", async () => {
  const emulator = await started();
  emulator.answers([{ status: 205, body: "x" }, { status: 304 }, { status: 204 }, { body: "x" }]);
  for (const [status, method = "GET"] of [[205], [304], [204], [204, "OPTIONS"]] as const) {
    const received = await send(emulator.url, { method });
    expect(received).toMatchObject({ status, body: "" });
    expect(received.headers).not.toHaveProperty("content-length");
  }
});

const accounts = knownAccounts([known]);
const circle: unknown[] = [];
circle.push(circle);

/** Parts that an answer cannot have, as they are shown in the text. */
const bad: Readonly<Record<string, unknown>> = {
  "5": 5,
  "{ satus }": { satus: 503 },
  "{ delayMs }": { delayMs: 5 },
  "{ constructor }": { constructor: 1 },
  "a token as a name": { [`x${credentials.token}`]: 1 },
  'status "503"': { status: "503" },
  "status 199": { status: 199 },
  "times 0": { times: 0 },
  "headers []": { headers: [] },
  "headers of a class": { headers: new Headers({ a: "b" }) },
  "51 headers": { headers: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`x-${at}`, ""])) },
  "a space in a name": { headers: { "a b": "" } },
  "a number in a header": { headers: { "Retry-After": 5 } },
  "a field of framing": { headers: { "content-Length": null } },
  "a line end in a header": { headers: { a: "b\r\nc: d" } },
  "a circle": { body: circle },
  "a function": { body: () => {} },
  "1.2 MB": { body: "é".repeat(600_000) },
  "601 seconds": { delaySeconds: 601 },
  "cutOff 1": { cutOff: 1 },
  "account 1": { account: 1 },
  "account null": { account: null },
};

test("why a plan is refused stands in a text", async () => {
  const lists = { ...Object.fromEntries(Object.entries(bad).map(([title, one]) => [title, [{}, one]])) };
  const all = { ...lists, "no list": {}, "1,001 answers": Array(1001).fill({}) };
  const said = Object.entries(all).map(([title, list]) => {
    try {
      return `${title} | ${JSON.stringify(readAnswers(list, accounts))}`;
    } catch (error) {
      const { message, hint } = error as InputError;
      expect(error).toBeInstanceOf(InputError);
      return `${title} | ${message}: ${hint}`;
    }
  });
  expect(said.join()).not.toContain(credentials.token);
  await expect(`${said.join("\n")}\n`).toMatchFileSnapshot("refused-plans.txt");
});

test("whatever is planned is taken or refused with a reason, which shows no secret", () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const value = fc.oneof(json, fc.constantFrom<unknown>(0, 1, 2, 503, "html", true, credentials.secret));
  const keys = ["status", "times", "headers", "body", "delaySeconds", "cutOff", "account"];
  const key = fc.oneof(fc.constantFrom(...keys, credentials.token, credentials.secret), fc.string());
  const list = fc.array(fc.dictionary(key, value, { maxKeys: 3 }), { maxLength: 3 });
  fc.assert(
    fc.property(fc.oneof(json, list), (planned) => {
      try {
        expect(readAnswers(planned, accounts)).toEqual(planned);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        const { message, hint } = error as InputError;
        for (const hidden of [credentials.token, credentials.secret])
          expect(message + hint).not.toContain(hidden);
      }
    }),
  );
});
