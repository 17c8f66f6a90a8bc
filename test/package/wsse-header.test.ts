import { describe, expect, test } from "vitest";
import { checkCredentials, InputError, type WsseAccount, wsseHeader } from "../../src/index.ts";
import { leaks, planted } from "../support/planted.ts";
import { vectors } from "../wsse/vectors.ts";

describe("wsseHeader", () => {
  const shown = vectors.filter(
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

  const account = { username: planted.username, secret: planted.secret };
  test.each([
    [{ username: "" }, "account.username is empty"],
    [{ username: undefined }, "account.username is missing"],
    [{ username: 7 }, "account.username is not a text"],
    [{ username: 'a"' }, "account.username contains"],
    [{ secret: "" }, "account.secret is empty"],
    [{ secret: undefined }, "account.secret is missing"],
    [{ secret: `${planted.secret}\n` }, "begins or ends with white space"],
    [{ secret: `${planted.secret}\ud83d` }, "half of a surrogate pair"],
    [{ digest: "md5" }, "account.digest is not one of text-nonce, "],
    [{ digest: "toString" }, "account.digest is not one of"],
    [{ hash: "md5" }, "account.hash is not one of sha1, "],
  ])("refuses %j as checkCredentials does, and repeats no secret", async (changes, message) => {
    // Programs without types can pass anything.
    const wrong = { ...account, ...changes } as WsseAccount;
    const refusal = (run: () => unknown): Promise<InputError> =>
      new Promise((resolve) => resolve(run())).then(
        () => expect.fail("not refused"),
        (error) => error,
      );

    const refused = await refusal(() => wsseHeader(wrong));
    const credential = { method: "wsse", ...wrong } as const;
    const checked = await refusal(() => checkCredentials({ baseUrl: "http://127.0.0.1:1", credential }));

    expect(refused).toBeInstanceOf(InputError);
    expect(refused.message).toContain(message);
    expect(checked.message.replaceAll("credential.", "account.")).toBe(refused.message);
    expect([checked.kind, checked.hint]).toEqual([refused.kind, refused.hint]);
    expect(leaks(`${refused.message} ${refused.hint}`)).toEqual([]);
  });
});
