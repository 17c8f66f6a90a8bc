import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { authHeaders, checkCredentials, InputError, wsseHeader } from "../../src/index.ts";
import { startEmulator } from "../../src/library/emulator.ts";
import { leaks, planted } from "../support/planted.ts";
import { vectors } from "../wsse/vectors.ts";

const token = { method: "token", token: planted.token } as const;
const account = { username: planted.username, secret: planted.secret } as const;
const wsse = { method: "wsse", ...account } as const;

describe("the fields of a credential", () => {
  const shown = vectors.filter(
    ({ username, nonce, created }) =>
      /^[ -~]*$/.test(username) && /^[0-9a-f]{40}$/.test(nonce) && created.endsWith("+00:00"),
  );

  test.each(shown)("are those of $source ($case, $digest, $hash)", (vector) => {
    const { username, secret, digest, hash, passwordDigest, nonce, created } = vector;
    const account = { username, secret, digest, hash };
    const header = `UsernameToken Username="${username}", PasswordDigest="${passwordDigest}", Nonce="${nonce}", Created="${created}"`;
    const freshness = { now: Date.parse(created), nonce: Buffer.from(nonce, "hex") };

    expect(shown.length).toBeGreaterThan(3);
    expect(wsseHeader(account, freshness)).toBe(header);
    expect(authHeaders({ method: "wsse", ...account }, freshness)).toEqual({ "X-WSSE": header });
  });

  test("are one for a token, and another one for a server that requires Authorization", () => {
    expect(authHeaders(token)).toEqual({ "X-Auth-Token": planted.token });
    expect(authHeaders({ ...wsse, authorization: "wsse" })).toEqual({
      "X-WSSE": expect.any(String),
      Authorization: 'WSSE profile="UsernameToken"',
    });
  });

  test("have a nonce of their own at every call, or the one that is given, of another realm too", () => {
    const headers = [wsseHeader(account), wsseHeader(account)];
    expect(new Set(headers.map((header) => /Nonce="([0-9a-f]{40})"/.exec(header)?.[1])).size).toBe(2);
    expect(headers.flatMap((header) => leaks(header))).toEqual([]);

    const nonce = runInContext("new Uint8Array(20).fill(255)", createContext()) as Uint8Array;
    const given = wsseHeader({ ...account, digest: "base64-nonce" }, { nonce });
    expect(given).toContain(`Nonce="${Buffer.from(nonce).toString("base64")}"`);
  });

  test("are accepted by an emulator, whose accounts can be given as they are", async () => {
    const emulator = await startEmulator({ accounts: [{ digest: "base64-nonce", authorization: "wsse" }] });
    for (const account of emulator.accounts) {
      const headers = authHeaders({ method: "wsse", ...account });
      expect((await fetch(`${emulator.url}/test-authentication`, { headers })).status).toBe(200);
    }
    await emulator.close();
  });
});

test.each<[credential: unknown, message: string]>([
  [undefined, "credential is "],
  [{ ...token, method: "basic" }, "credential.method is neither"],
  [{ ...token, token: "" }, "credential.token is empty"],
  [{ ...token, token: undefined }, "credential.token is missing"],
  [{ ...token, token: `${planted.token}\n` }, "white space"],
  [{ ...wsse, username: "" }, "credential.username is empty"],
  [{ ...wsse, username: undefined }, "credential.username is missing"],
  [{ ...wsse, username: 'a"' }, "credential.username contains"],
  [{ ...wsse, secret: "" }, "credential.secret is empty"],
  [{ ...wsse, secret: undefined }, "credential.secret is missing"],
  [{ ...wsse, secret: `${planted.secret}\n` }, "begins or ends with white space"],
  [{ ...wsse, secret: `${planted.secret}\ud83d` }, "half of a surrogate pair"],
  [{ ...wsse, digest: "md5" }, "credential.digest is not one of text-nonce, "],
  [{ ...wsse, digest: "toString" }, "credential.digest is not one of"],
  [{ ...wsse, hash: "md5" }, "credential.hash is not one of sha1, "],
  [{ ...wsse, authorization: "basic" }, "credential.authorization is not one of"],
])("checks and headers refuse %j alike, and repeat no secret", async (wrong, message) => {
  const refusal = (run: () => unknown): Promise<InputError> =>
    new Promise((resolve) => resolve(run())).then(
      () => expect.fail("not refused"),
      (error) => error,
    );
  const said = ({ message, kind, hint }: InputError) => [message, kind, hint];
  // Programs without types can pass anything.
  const given = wrong as typeof wsse;

  const refused = await refusal(() => authHeaders(given));
  const checked = await refusal(() => checkCredentials({ baseUrl: "http://127.0.0.1:1", credential: given }));

  expect(refused).toBeInstanceOf(InputError);
  expect(refused.message).toContain(message);
  expect(leaks(`${refused.message} ${refused.hint}`)).toEqual([]);
  expect(said(checked)).toEqual(said(refused));
  if (given?.method === "wsse")
    expect((await refusal(() => wsseHeader(given))).message).toBe(
      refused.message.replaceAll("credential", "account"),
    );
});
