import { describe, expect, test, vi } from "vitest";
import { InputError } from "../../../src/errors.ts";
import type { Method } from "../../../src/settings/definition.ts";
import type { Level } from "../../../src/settings/levels.ts";
import { file, variables } from "../../settings/settings-of.ts";
import { certificate, flags, holding, prepared, token, url, wsse } from "./prepared.ts";

test.each<readonly Method[][]>([[["token"]], [["wsse"]], [["token", "wsse"]]])(
  "the selected methods are checked: %j",
  async (selected) => {
    const checks = await prepared([flags({ ...token, ...wsse })], { selected });
    expect(checks.map(({ credential }) => credential.method)).toEqual(selected);
  },
);

test("a check holds the credential, the route and what is said of it", async () => {
  const [first, second] = await prepared(
    [
      flags({
        ...token,
        proxy: "http://proxy.example:3128",
        extraCertificates: "ca.pem",
        timeoutSeconds: "7",
        retries: "2",
      }),
      variables({ ...wsse, digest: "hex-digest", hash: "sha512", authorization: "wsse" }),
    ],
    {},
    { profile: "p" },
  );
  expect(first).toMatchObject({
    profile: "p",
    timeoutSeconds: 7,
    retries: 2,
    extraCertificates: [`${certificate}\n`],
    diagnose: false,
    description: "token from --token",
    hints: { suffixGiven: false },
  });
  expect([first?.baseUrl.href, first?.proxy?.href]).toEqual([
    "https://api.example/",
    "http://proxy.example:3128/",
  ]);
  expect(second?.description).toBe(
    "me@example.com, digest hex-digest with sha512, the Authorization field, secret from REFERRAL_SECRET",
  );
  const plain = await prepared([flags(wsse)]);
  expect(plain).toMatchObject([
    {
      proxy: null,
      extraCertificates: [],
      description: "me@example.com, digest text-nonce with sha1, secret from --secret",
      credential: { digest: "text-nonce", hash: "sha1", authorization: "none" },
    },
  ]);
});

test.each([
  [{ username: "a@example.com", secret: "x" }, {}, true],
  [{ secret: "x" }, { username: "a@example.com" }, true],
  [{ username: "a@example.com" }, { secret: "x" }, true],
  [{}, { username: "a@example.com", secretFile: "x" }, true],
  [{}, { username: "a@example.com", secret: "x" }, false],
])(
  "of a credential with %j of yours and %j found, a convention that was found is named: %s",
  async (mine, theirs, isNamed) => {
    const conventions = { digest: "hex-digest", hash: "sha256", authorization: "wsse" };
    const levels = [flags({ baseUrl: url, ...mine }), file("found", { ...theirs, ...conventions })];
    const [check] = await prepared(levels);
    const places = Object.keys(conventions).map((key) => `${key} at /found/.referralrc:3`);
    expect(check?.hints.setByFoundFile).toEqual(isNamed ? places : []);
  },
);

// test/settings/trust.test.ts has the rule.
test.each([
  ["baseUrl", { baseUrl: url }, "is not sent to the base URL"],
  ["proxy", { proxy: "http://proxy.example" }, "is not sent through the proxy"],
  ["extraCertificates", { extraCertificates: "ca.pem" }, "is not sent with the CA certificates"],
] as const)(
  "if any part of a credential is yours, it goes nowhere that a found file says: %s",
  async (part, route, message) => {
    const { baseUrl: _, username, secret } = wsse;
    const own = part === "baseUrl" ? {} : { baseUrl: url };
    for (const [mine, found] of [
      [{ username, secret }, {}],
      [{ username }, { secret }],
      [{ secret }, { username }],
    ])
      await expect(
        prepared([flags({ ...mine, ...own }), file("found", { ...route, ...found })]),
      ).rejects.toMatchObject({ kind: "settings", message: expect.stringContaining(message) });
    expect(await prepared([file("found", { ...wsse, ...route })])).toHaveLength(1);
  },
);

test("certificates of a found file count for https alone", async () => {
  const loopback = flags({ ...wsse, baseUrl: "http://127.0.0.1" });
  const [check] = await prepared([loopback, file("found", { extraCertificates: "ca.pem" })]);
  expect(check?.extraCertificates).toEqual([]);
});

describe("the spare token of a diagnosis", () => {
  const spare = async (
    levels: readonly Level[],
    inputs = holding,
    selected: readonly Method[] = ["wsse"],
  ) => {
    const [check] = await prepared(levels, { selected }, { inputs });
    return (await check?.spareToken())?.reveal() ?? null;
  };

  test("is tried only if it may travel where the credential goes", async () => {
    expect(await spare([flags({ ...wsse, token: "a-token" })])).toBe("a-token");
    expect(await spare([flags(wsse)])).toBeNull();
    expect(await spare([variables({ token: "a-token" }), file("found", wsse)])).toBeNull();
    expect(await spare([flags({ ...wsse, token: "a-token" })], holding, ["token"])).toBeNull();
  });

  test("is read when it is asked for, and a file that cannot be read is no error", async () => {
    const levels = [flags({ ...wsse, tokenFile: "x" })];
    const reading = (read: typeof holding.read) => ({ ...holding, read });
    const missing = vi.fn(async () => Promise.reject(new InputError("settings", "it does not exist", "")));
    await prepared(levels, { selected: ["wsse"] }, { inputs: reading(missing) });
    expect(missing).not.toHaveBeenCalled();
    expect(await spare(levels, reading(missing))).toBeNull();
    await expect(
      spare(
        levels,
        reading(() => Promise.reject(new RangeError("bug"))),
      ),
    ).rejects.toThrow(RangeError);
    expect(
      await spare(
        levels,
        reading(async () => Buffer.from("a-token")),
      ),
    ).toBe("a-token");
  });
});
