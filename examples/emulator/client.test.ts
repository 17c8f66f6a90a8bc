// client.test.ts
import { type Emulator, startEmulator } from "referral-auth/emulator";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hello } from "./client.cjs";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());
const run = (): Promise<string> => {
  const [{ username, secret }] = emulator.accounts;
  return hello(emulator.url, username, secret);
};

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
