import { expect, test } from "vitest";
import { authHeaders, checkCredentials, createChecker, wsseHeader } from "../../src/index.ts";
import { startEmulator } from "../../src/library/emulator.ts";

const baseUrl = "http://127.0.0.1:1";
const account = { username: "me@example.com", secret: "s3cret" } as const;
const wsse = { method: "wsse", ...account } as const;
const token = { method: "token", token: "t0ken" } as const;

/** Calls with a name that does not exist, the object that has it, and the name that was meant. */
const mistakes: ReadonlyArray<readonly [call: () => unknown, owner: string, unknown: string, meant: string]> =
  [
    [
      () => createChecker({ baseUrl, timeout: 5 } as object as { baseUrl: string }),
      "options",
      "timeout",
      "timeoutSeconds",
    ],
    [
      () => checkCredentials({ baseUrl, credential: token, retry: 1 } as object as never),
      "options",
      "retry",
      "retries",
    ],
    [
      () => checkCredentials({ baseUrl, credential: { ...wsse, hsah: "sha512" } } as object as never),
      "credential",
      "hsah",
      "hash",
    ],
    [
      () => createChecker({ baseUrl }).check({ ...token, tokne: "a" } as typeof token),
      "credential",
      "tokne",
      "token",
    ],
    [
      () => createChecker({ baseUrl }).check(token, { diagnosis: true } as object),
      "options",
      "diagnosis",
      "diagnose",
    ],
    [() => authHeaders({ ...wsse, digset: "hex-digest" } as typeof wsse), "credential", "digset", "digest"],
    [() => authHeaders(wsse, { nwo: 0 } as object), "freshness", "nwo", "now"],
    [() => wsseHeader({ ...account, user: "a" } as typeof account), "account", "user", "username"],
    [() => wsseHeader(account, { nonse: null } as object), "freshness", "nonse", "nonce"],
    [() => startEmulator({ latency: 5 } as object), "options", "latency", "latencyMs"],
    [() => startEmulator({ accounts: [{}, { secrte: "a" } as object] }), "accounts[1]", "secrte", "secret"],
  ];

test.each(mistakes)(
  "%s: an unknown name is a mistake with the same code everywhere",
  async (call, owner, unknown, meant) => {
    const error = await new Promise((resolve) => resolve(call())).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: "InputError",
      code: "ERR_REFERRAL_AUTH_SETTINGS",
      message: `${owner} has no field "${unknown}"`,
      hint: expect.stringMatching(`^Did you mean ${meant}\\? `),
    });
  },
);

test.each([
  { port: -1 },
  { strict: "yes" },
  { accounts: [] },
  { accounts: [{ hash: "md5" }] },
  { accounts: [{ token: "" }] },
])("startEmulator refuses %j with the code of every wrong option", async (options) => {
  const code = "ERR_REFERRAL_AUTH_SETTINGS";
  await expect(startEmulator(options as object)).rejects.toMatchObject({ name: "InputError", code });
});
