// client.test.js
import { startEmulator } from "referral-auth/emulator";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hello } from "./client.cjs";

let emulator;
let account;
beforeAll(async () => {
  emulator = await startEmulator();
  [account] = emulator.accounts;
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());
const run = () => hello(emulator.url, account.username, account.secret);

test("recovers after two failures", async () => {
  emulator.answers([{ status: 503, times: 2 }]);
  expect(await run()).toContain("authenticated");
  expect(emulator.requests.map(({ status }) => status)).toEqual([503, 503, 200]);
});

test("reports a locked account", async () => {
  emulator.answers([{ status: 423, body: { code: 423, message: "Locked" }, account: 0 }]);
  await expect(run()).rejects.toThrow("423 Locked");
});

test("makes a header that is accepted", async () => {
  await run().catch(() => {});
  expect(emulator.requests).toMatchObject([{ reasons: [{ rule: "accepted" }], notes: [] }]);
});
