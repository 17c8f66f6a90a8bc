import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { startEmulator } from "../../src/library/emulator.ts";
import { authHeaders, wsseHeader } from "../../src/library/header.ts";
import { planted } from "../support/planted.ts";
import { vectors } from "../wsse/vectors.ts";

const account = { username: planted.username, secret: planted.secret };
const wsse = { method: "wsse", ...account } as const;

const shown = vectors.filter(
  ({ username, nonce, created }) =>
    /^[ -~]*$/.test(username) && /^[0-9a-f]{40}$/.test(nonce) && created.endsWith("+00:00"),
);

test.each(shown)("the fields are those of $source ($case, $digest, $hash)", (vector) => {
  const { username, secret, digest, hash, passwordDigest, nonce, created } = vector;
  const header = `UsernameToken Username="${username}", PasswordDigest="${passwordDigest}", Nonce="${nonce}", Created="${created}"`;
  const freshness = { now: Date.parse(created), nonce: Buffer.from(nonce, "hex") };
  expect(wsseHeader({ username, secret, digest, hash }, freshness)).toBe(header);
  const headers = authHeaders({ method: "wsse", username, secret, digest, hash }, freshness);
  expect(headers).toEqual({ "X-WSSE": header });
});

test("the fields are one for a token, and another one for a server that requires Authorization", () => {
  expect(authHeaders({ method: "token", token: planted.token })).toEqual({ "X-Auth-Token": planted.token });
  expect(authHeaders({ ...wsse, authorization: "wsse" })).toEqual({
    "X-WSSE": expect.any(String),
    Authorization: 'WSSE profile="UsernameToken"',
  });
});

test("a header has a nonce of its own, or the one that is given, of another realm too", () => {
  const headers = [wsseHeader(account), wsseHeader(account)];
  expect(new Set(headers.map((header) => /Nonce="([0-9a-f]{40})"/.exec(header)?.[1])).size).toBe(2);
  const nonce = runInContext("new Uint8Array(20).fill(255)", createContext()) as Uint8Array;
  expect(wsseHeader(account, { nonce })).toContain(`Nonce="${"ff".repeat(20)}"`);
});

test.each([
  [0, "1970-01-01T00:00:00+00:00"],
  [1, "1970-01-01T00:00:00+00:00"],
  [Date.UTC(9999, 11, 31, 23, 59, 59, 999), "9999-12-31T23:59:59+00:00"],
])("the time %i of a header is that time, and not the current one", (now, created) => {
  expect(wsseHeader(account, { now })).toContain(`Created="${created}"`);
});

test("the account of an emulator is accepted as it is, with the current time", async () => {
  const emulator = await startEmulator({ accounts: [{ digest: "base64-nonce", authorization: "wsse" }] });
  for (const account of emulator.accounts) {
    const headers = authHeaders({ method: "wsse", ...account });
    expect((await fetch(`${emulator.url}/test-authentication`, { headers })).status).toBe(200);
  }
  await emulator.close();
});
