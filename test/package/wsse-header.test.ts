import { describe, expect, test } from "vitest";
import { type WsseAccount, wsseHeader } from "../../src/index.ts";
import { leaks, planted } from "../support/planted.ts";
import vectors from "../wsse/vectors.json" with { type: "json" };

type Vector = WsseAccount & Record<"source" | "case" | "nonce" | "created" | "passwordDigest", string>;

describe("wsseHeader", () => {
  const shown = (vectors.vectors as readonly Vector[]).filter(
    ({ username, nonce, created }) =>
      /^[ -~]*$/.test(username) && /^[0-9a-f]{40}$/.test(nonce) && created.endsWith("+00:00"),
  );

  test("has public vectors of the specification's shape to be held against", () => {
    expect(shown.length).toBeGreaterThan(3);
  });

  test.each(shown)("is that of $source ($case, $digest, $hash)", (vector) => {
    const header = wsseHeader(vector, {
      now: Date.parse(vector.created),
      nonce: Buffer.from(vector.nonce, "hex"),
    });

    expect(header).toBe(
      `UsernameToken Username="${vector.username}", PasswordDigest="${vector.passwordDigest}", ` +
        `Nonce="${vector.nonce}", Created="${vector.created}"`,
    );
  });

  test("has a nonce of its own at every call", () => {
    const account = { username: planted.username, secret: planted.secret };
    const headers = [wsseHeader(account), wsseHeader(account)];

    expect(new Set(headers.map((header) => /Nonce="([0-9a-f]{40})"/.exec(header)?.[1])).size).toBe(2);
    expect(headers.flatMap((header) => leaks(header))).toEqual([]);
  });

  test.each([
    [{ username: "", secret: "s" }, "username is empty"],
    [{ secret: "s" }, "username is empty"],
    [{ username: 'a"', secret: "s" }, "username contains"],
    [{ username: "a", secret: "" }, "secret is empty"],
  ])("refuses %o", (account, message) => {
    // Programs without types can pass anything.
    expect(() => wsseHeader(account as WsseAccount)).toThrow(new RegExp(`^${message}`));
  });
});
