import fc from "fast-check";
import { expect, test } from "vitest";
import type { PlannedAnswer } from "../../src/emulator/planned-answers.ts";
import { answers, health, requests, statuses, steer, three, token } from "./steering.ts";
import { credentials, send, startTestEmulator } from "./support.ts";

test("GET /__emulator/requests lists what arrived, without what steers, and DELETE empties the lists", async () => {
  const emulator = await startTestEmulator({ control: true });
  await send(emulator.url, { headers: { ...token, "X-Note": credentials.secret } });
  await steer(emulator.url, "PUT", answers, '[{"status":500}]');
  await send(emulator.url, { path: health });
  const listed = await steer(emulator.url, "GET", requests);
  expect(listed).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  expect(listed.headers).not.toHaveProperty("access-control-allow-origin");
  expect(JSON.parse(listed.body)).toEqual(JSON.parse(JSON.stringify(emulator.requests)));
  expect(JSON.parse(listed.body)).toMatchObject([
    { status: 200, account: 0, headers: { "x-note": "[secret]" } },
  ]);
  for (const path of [answers, requests])
    expect(await steer(emulator.url, "DELETE", path)).toMatchObject({ status: 204, body: "" });
  expect(emulator.requests).toEqual([]);
  expect(await statuses(emulator, token)).toEqual([200]);
});

test.each([false, true])(
  "other paths lead to those that exist, and need no credentials; control %s",
  async (control) => {
    const emulator = await startTestEmulator({ control });
    expect((await send(emulator.url, { path: health })).status).toBe(200);
    const closed = control ? [] : [answers, requests];
    const others = ["/__emulator", "/__emulator/", "/__emulator/reset", ...closed];
    const told = `; tests use ${health}, ${answers}, ${requests}${control ? "" : "; --control (control) opens them"}`;
    for (const path of others) {
      const { status, body } = await steer(emulator.url, "DELETE", path);
      expect([status, JSON.parse(body).message]).toEqual([404, `Not Found${told}.`]);
    }
    const detail = `only /test-authentication exists${told}`;
    expect(emulator.requests.map(({ reasons }) => reasons)).toEqual(
      others.map(() => [{ rule: "path", detail }]),
    );
  },
);

test("HEAD is answered as GET, without a body", async () => {
  const { url } = await startTestEmulator({ control: true });
  for (const path of [health, answers, requests]) {
    const [head, get] = [await steer(url, "HEAD", path), await steer(url, "GET", path)];
    expect(head).toEqual({ ...get, body: "" });
  }
});

/** Bad requests, and what the answer says. */
const bad: readonly (readonly [string, number, string, Parameters<typeof send>[1]])[] = [
  ["another method", 405, "this path has GET, PUT, DELETE", { method: "POST" }],
  ["another Host", 421, "this server is ", { headers: { Host: "evil.example" } }],
  ["an image", 403, "is from another site", { headers: { "Sec-Fetch-Site": "cross-site" } }],
  ["an Origin", 403, "web pages may not use", { headers: { Origin: "http://127.0.0.1" } }],
  ["10 MB", 413, "more than 1048576 bytes", { body: " ".repeat(10_000_000) }],
  ["no body", 400, "The body is empty", {}],
  ["no JSON", 400, "The body is not JSON in UTF-8 at position 2: Send a list like ", { body: "[{]" }],
  ["a comma too many", 400, "The body is not JSON in UTF-8: Send a list", { body: '[{"status":503},]' }],
  ["no UTF-8", 400, "The body is not JSON in UTF-8: ", { body: Buffer.from('["\xff"]', "latin1") }],
  ["no list", 400, "answers is not a list of at most 1000 answers", { body: "{}" }],
  ["a long list", 400, "answers is not a list of at most", { body: JSON.stringify(Array(1001).fill({})) }],
];

test.each(bad)("%s gets %i, says why, and changes nothing", async (_, status, reason, sent) => {
  const emulator = await startTestEmulator({ control: true });
  emulator.answers([{ status: 418, times: 2 }]);
  const response = await send(emulator.url, { method: "PUT", path: answers, ...sent });
  expect(response).toMatchObject({ status, body: expect.stringContaining(reason) });
  expect(await statuses(emulator, ...three)).toEqual([418, 418, 200]);
});

test("GET /__emulator/answers lists what is left, in the form that PUT takes", async () => {
  const emulator = await startTestEmulator({ control: true });
  const left = async (): Promise<unknown> => JSON.parse((await steer(emulator.url, "GET", answers)).body);
  expect(await left()).toEqual([]);
  const once = { status: 503, headers: { "Retry-After": "5" }, body: { code: 503 }, delaySeconds: 0.01 };
  const list = [{ ...once, times: 3 }, {}, { cutOff: true, account: 0 }];
  await steer(emulator.url, "PUT", answers, JSON.stringify(list));
  expect(await left()).toEqual(list);
  await statuses(emulator, token, token);
  expect(await left()).toEqual([{ ...once, times: 1 }, ...list.slice(1)]);
  await statuses(emulator, token, token);
  const last = await left();
  expect(last).toEqual(list.slice(2));
  expect((await steer(emulator.url, "PUT", answers, JSON.stringify(last))).status).toBe(204);
});

const status = "a number like 503";
const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`x-${at}`, ""]));
test.each<[unknown, string]>([
  [5, "answers[1] is not an object with fields: Write one like"],
  [{ satus: 503 }, 'answers[1] has no field "satus": Did you mean status? The others are '],
  [{ delayMs: 5 }, 'answers[1] has no field "delayMs": Did you mean delaySeconds?'],
  [{ constructor: 1 }, 'answers[1] has no field "constructor": The nearest is '],
  [{ [credentials.token]: 1 }, 'answers[1] has no field "[secret]"'],
  [{ [`x${credentials.token.repeat(9)}`]: 1 }, 'answers[1] has no field "x[secret]'],
  [{ status: "503" }, `answers[1].status is not a whole number from 200 to 599: Write ${status}`],
  [{ status: 199 }, "answers[1].status is not a whole number"],
  [{ times: 0 }, "answers[1].times is not a whole number from 1 to 1000000"],
  [{ headers: [] }, "answers[1].headers is not an object of at most 50"],
  [{ headers: many }, "answers[1].headers is not an object of"],
  [{ headers: { "a b": "" } }, "answers[1].headers is not an object of"],
  [{ headers: { "Retry-After": 5 } }, "answers[1].headers is not an object of"],
  [{ headers: { "content-Length": null } }, "answers[1].headers is not an object of"],
  [{ headers: { a: "b\r\nc: d" } }, "answers[1].headers is not an object of"],
  [{ body: 1, status: 204 }, "answers[1].body cannot be sent with status 204"],
  [{ cutOff: true, status: 304 }, "answers[1].cutOff cannot be sent with status 304"],
  [{ delaySeconds: 601 }, "answers[1].delaySeconds is not a number from 0 to 600"],
  [{ cutOff: 1 }, "answers[1].cutOff is neither true nor false"],
  [{ account: 1 }, "answers[1].account is not a whole number from 0 to 0: Write the place of an account"],
  [{ account: null }, "answers[1].account is not a whole number"],
])("the answer %j is refused by both ways with the same reason", async (one, reason) => {
  const emulator = await startTestEmulator({ control: true });
  const list = [{}, one];
  const body = JSON.stringify(list);
  const refusal = await steer(emulator.url, "PUT", answers, body);
  const { message } = JSON.parse(refusal.body);
  expect([refusal.status, message]).toEqual([400, expect.stringContaining(reason)]);
  expect(() => emulator.answers(list as PlannedAnswer[])).toThrow(reason.split(": ")[0]);
});

test.each([
  [503, "Retry-After"],
  [429, "retry-after"],
  [401, "WWW-Authenticate"],
  [405, "Allow"],
  [200, "Content-Type"],
  [200, "Date"],
])("an answer %i leaves out a field that is null: %s", async (status, name) => {
  const emulator = await startTestEmulator({ control: true });
  const planned = [{ status }, { status, headers: { [name]: null, "X-A": "1" } }];
  await steer(emulator.url, "PUT", answers, JSON.stringify(planned));
  const [usual, without] = [await send(emulator.url), await send(emulator.url)];
  const { [name.toLowerCase()]: left, ...others } = usual.headers;
  expect(left).toEqual(expect.any(String));
  expect(without.headers).toEqual({ ...others, "x-a": "1" });
});

test("what JSON cannot say, and a body that is too large, are refused", async () => {
  const emulator = await startTestEmulator({ control: true });
  const circle: unknown[] = [];
  circle.push(circle);
  for (const body of [circle, 1n, () => {}, Symbol("x"), "é".repeat(600_000)])
    expect(() => emulator.answers([{ body }])).toThrow("answers[0].body is neither text nor JSON");
  for (const headers of [new Headers({ a: "b" }), new Map([["a", "b"]])])
    expect(() => emulator.answers([{ headers: headers as object } as PlannedAnswer])).toThrow(
      "answers[0].headers is not an object",
    );
  const deep = `[{"body":${"[".repeat(400_000)}${"]".repeat(400_000)}}]`;
  expect(await steer(emulator.url, "PUT", answers, deep)).toMatchObject({ status: 400 });
});

const json = fc.jsonValue({ maxDepth: 3 });
const value = fc.oneof(json, fc.constantFrom<unknown>(0, 1, 2, 503, "html", true, credentials.secret));
const keys = ["status", "times", "headers", "body", "delaySeconds", "cutOff", "account"];
const key = fc.oneof(fc.constantFrom(...keys, credentials.token, credentials.secret), fc.string());
const list = fc.array(fc.dictionary(key, value, { maxKeys: 3 }), { maxLength: 3 });

test("whatever is planned is taken or refused whole, and no answer shows a secret", async () => {
  const emulator = await startTestEmulator({ control: true });
  await fc.assert(
    fc.asyncProperty(fc.oneof(json, list), async (planned) => {
      emulator.answers([{ status: 418, times: 2 }]);
      const { status, body } = await steer(emulator.url, "PUT", answers, JSON.stringify(planned));
      expect(body).not.toContain(credentials.token);
      expect(body).not.toContain(credentials.secret);
      expect([204, 400]).toContain(status);
      if (status === 204) return;
      expect(await statuses(emulator, token)).toEqual([418]);
      expect(() => emulator.answers(planned as PlannedAnswer[])).toThrow();
    }),
    { numRuns: 300 },
  );
});
