import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/errors.ts";
import type { Level } from "../../../src/settings/levels.ts";
import { file, variables } from "../../settings/settings-of.ts";
import { certificate, flags, holding, prepared, token, url, wsse } from "./prepared.ts";

describe("which credential is checked", () => {
  const methodsOf = async (...given: Parameters<typeof prepared>) =>
    (await prepared(...given)).map(({ credential }) => credential.method);

  test.each([
    [{ token: true, wsse: false }, ["token"]],
    [{ token: false, wsse: true }, ["wsse"]],
    [{ token: true, wsse: true }, ["token", "wsse"]],
  ])("is the selected one: %j", async (selection, methods) => {
    expect(await methodsOf([flags({ ...token, ...wsse })], { selection })).toEqual(methods);
  });
});

test("a check holds the credential, the route and what is said of it", async () => {
  const [first, second] = await prepared(
    [
      flags({ ...token, proxy: "http://proxy.example:3128", caCert: "ca.pem", timeout: "7", retry: "2" }),
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
    description: "the token from --token",
    hints: { suffixGiven: false },
  });
  expect([first?.url.href, first?.proxy?.href]).toEqual([
    "https://api.example/test-authentication",
    "http://proxy.example:3128/",
  ]);
  expect(second?.description).toBe(
    "me@example.com, the secret from REFERRAL_SECRET, digest hex-digest with sha512, and the Authorization field",
  );
  const plain = await prepared([flags(wsse)]);
  expect(plain).toMatchObject([
    {
      proxy: null,
      extraCertificates: [],
      description: "me@example.com, the secret from --secret, digest text-nonce with sha1",
      credential: { digest: "text-nonce", hash: "sha1", authorization: "none" },
    },
  ]);
});

describe("a credential of yours goes nowhere that a found file says", () => {
  test.each([
    ["baseUrl", { baseUrl: url }, "is not sent to the base URL"],
    ["proxy", { proxy: "http://proxy.example" }, "is not sent through the proxy"],
    ["caCert", { caCert: "ca.pem" }, "is not sent with the CA certificates"],
  ] as const)("%s", async (part, found, message) => {
    const { baseUrl: _, ...credential } = wsse;
    const route = part === "baseUrl" ? {} : { baseUrl: url };
    const mine = [flags({ ...credential, ...route }), file("found", found)];
    await expect(prepared(mine)).rejects.toMatchObject({
      kind: "settings",
      message: expect.stringContaining(message),
    });
    // A single part of yours is enough.
    const { secret, ...username } = credential;
    await expect(
      prepared([flags({ ...username, ...route }), file("found", { ...found, secret })]),
    ).rejects.toThrow("username is yours");
    await expect(
      prepared([flags({ secret, ...route }), file("found", { ...found, ...username })]),
    ).rejects.toThrow("secret is yours");
  });

  test("but a found credential does, and certificates count for https alone", async () => {
    const found = file("found", { ...wsse, proxy: "http://proxy.example", caCert: "ca.pem" });
    expect(await prepared([found])).toHaveLength(1);
    const loopback = flags({ ...wsse, baseUrl: "http://127.0.0.1" });
    expect(await prepared([loopback, file("found", { caCert: "ca.pem" })])).toMatchObject([
      { extraCertificates: [] },
    ]);
  });
});

describe("the spare token of a diagnosis", () => {
  const spare = async (
    levels: readonly Level[],
    inputs = holding,
    selection = { token: false, wsse: true },
  ) => {
    const [check] = await prepared(levels, { diagnose: true, selection }, { inputs });
    const { token = null, problem = null } = (await check?.spareToken()) ?? {};
    return [token?.reveal() ?? null, problem];
  };

  test("is tried only if it may travel where the credential goes", async () => {
    expect(await spare([flags({ ...wsse, token: "a-token" })])).toEqual(["a-token", null]);
    expect(await spare([flags(wsse)])).toEqual([null, null]);
    expect(await spare([variables({ token: "a-token" }), file("found", wsse)])).toEqual([null, null]);
    const method = { token: true, wsse: false };
    expect(await spare([flags({ ...wsse, token: "a-token" })], holding, method)).toEqual([null, null]);
  });

  test("is read when it is asked for, and a file that cannot be read is no error", async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      throw new InputError("settings", "it does not exist", "");
    };
    const levels = [flags({ ...wsse, tokenFile: "x" })];
    const selection = { token: false, wsse: true };
    await prepared(levels, { diagnose: true, selection }, { inputs: { ...holding, read } });
    expect(reads).toBe(0);
    expect(await spare(levels, { ...holding, read })).toEqual([null, "it does not exist"]);
    const bug = async () => Promise.reject(new RangeError("bug"));
    await expect(spare(levels, { ...holding, read: bug })).rejects.toThrow(RangeError);
    expect(await spare(levels, { ...holding, read: async () => Buffer.from("a-token") })).toEqual([
      "a-token",
      null,
    ]);
  });
});

test("a found file's conventions for a credential of yours are known", async () => {
  const found = async (...levels: readonly Level[]) =>
    (await prepared(levels)).map(({ hints }) => hints.setByFoundFile);
  const conventions = { digest: "hex-digest", hash: "sha256", authorization: "wsse" };
  const places = ["digest", "hash", "authorization"].map((key) => `${key} in /found/.referralrc, line 3`);
  expect(await found(flags(wsse), file("found", conventions))).toEqual([places]);
  expect(await found(flags(token), file("found", conventions))).toEqual([[]]);
  expect(await found(flags(wsse), file("yours", conventions))).toEqual([[]]);
  expect(await found(file("found", { ...wsse, ...conventions }))).toEqual([[]]);
});
