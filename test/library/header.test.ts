import { expect, test } from "vitest";
import { authHeaders, wsseHeader } from "../../src/library/header.ts";

const account = { username: "me@example.com", secret: "s3cret" };

test.each([
  [0, "1970-01-01T00:00:00+00:00"],
  [1, "1970-01-01T00:00:00+00:00"],
  [Date.UTC(9999, 11, 31, 23, 59, 59, 999), "9999-12-31T23:59:59+00:00"],
])("the time %i of a header is that time, and not the current one", (now, created) => {
  expect(wsseHeader(account, { now })).toContain(`Created="${created}"`);
  expect(authHeaders({ method: "wsse", ...account }, { now })["X-WSSE"]).toContain(`Created="${created}"`);
});

test("a header without a time has the current one", () => {
  const before = Math.floor(Date.now() / 1000) * 1000;
  const [, created = ""] = /Created="([^"]+)"/.exec(wsseHeader(account)) ?? [];
  expect(Date.parse(created)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(created)).toBeLessThanOrEqual(Date.now());
});
