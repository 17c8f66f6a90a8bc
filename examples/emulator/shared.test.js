// shared.test.js
import { beforeEach, expect, inject, test } from "vitest";
import { hello } from "./client.cjs";

const { url, accounts } = inject("emulator");
const [{ username, secret }] = accounts;
const steer = (method, path, body) =>
  fetch(`${url}/__emulator/${path}`, { method, body: JSON.stringify(body) });
beforeEach(() => steer("DELETE", "answers"));

test("recovers after two failures", async () => {
  await steer("PUT", "answers", [{ status: 503, times: 2 }]);
  expect(await hello(url, username, secret)).toContain("authenticated");
});
