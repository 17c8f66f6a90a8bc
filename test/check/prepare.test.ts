import { describe, expect, test } from "vitest";
import { type AccountSettings, type CheckSettings, prepareChecks } from "../../src/check/prepare.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { type Level, levelOf } from "../../src/settings/levels.ts";
import type { Precedence } from "../../src/settings/precedence.ts";
import type { Source, Trust } from "../../src/settings/source.ts";
import type { SettingName } from "../../src/settings/table.ts";

const url = "https://api.example";
const certificate = "-----BEGIN CERTIFICATE-----";

type Values = Partial<Record<SettingName, string>>;

const level = (values: Values, sourceOf: (name: string) => Source): Level =>
  levelOf(
    Object.entries(values).map(([name, text]) => ({
      setting: name as SettingName,
      text,
      source: sourceOf(name),
    })),
  );
const flags = (values: Values): Level => level(values, (name) => ({ kind: "flag", flag: `--${name}` }));
const variables = (values: Values): Level =>
  level(values, (name) => ({ kind: "environment", variable: `REFERRAL_${name.toUpperCase()}` }));
const file = (trust: Trust, values: Values): Level =>
  level(values, (key) => ({ kind: "rc", file: `/${trust}/.referralrc`, line: 1, key, trust }));

const everyMethod = { token: false, wsse: false };

/** The checks of these levels, highest first. Every file holds a certificate and a token. */
function prepared(
  levels: readonly Level[],
  settings: Partial<CheckSettings> = {},
  account: Partial<Precedence & AccountSettings> = {},
) {
  const { accountChosen = false, unused = new Map(), hasProfiles = false } = account;
  return prepareChecks(
    {
      profile: null,
      rc: null,
      precedence: { levels, accountChosen, unused, hasProfiles },
      redactorOf,
      inputs: { read: async () => Buffer.from(`${certificate}\n`) },
      knownHosts: () => ["other.example"],
      ...account,
    },
    { selection: everyMethod, insecureHttp: false, diagnose: false, ...settings },
  );
}

const token = { baseUrl: url, token: "a-token" };
const wsse = { baseUrl: url, username: "me@example.com", secret: "a-secret" };

describe("which credential is checked", () => {
  const methodsOf = async (...given: Parameters<typeof prepared>) =>
    (await prepared(...given)).map(({ credential }) => credential.method);

  test("is every one that a level names, if no account is chosen", async () => {
    expect(await methodsOf([flags(wsse), variables(token)])).toEqual(["token", "wsse"]);
    expect(await methodsOf([flags(token), variables({ username: "me@example.com" })])).toEqual(["token"]);
  });

  test("is that of the first level that names one, if an account is chosen", async () => {
    const chosen = { accountChosen: true };
    expect(
      await methodsOf([flags({ baseUrl: url }), file("yours", token), file("yours", wsse)], {}, chosen),
    ).toEqual(["token"]);
    expect(await methodsOf([file("yours", wsse), file("yours", token)], {}, chosen)).toEqual(["wsse"]);
    const named = [
      file("yours", { username: "me@example.com" }),
      file("yours", { ...token, secret: "a-secret" }),
    ];
    expect(await methodsOf(named, {}, chosen)).toEqual(["wsse"]);
  });

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
    spareToken: null,
    description: "the token from --token",
    hints: { suffixGiven: false, otherHosts: ["other.example"] },
  });
  expect([first?.url.href, first?.proxy?.href]).toEqual([
    "https://api.example/test-authentication",
    "http://proxy.example:3128/",
  ]);
  expect(second?.description).toBe(
    "me@example.com, the secret from REFERRAL_SECRET, hex-digest with sha512, and the Authorization field",
  );
  const plain = await prepared([flags(wsse)]);
  expect(plain).toMatchObject([
    {
      proxy: null,
      extraCertificates: [],
      description: "me@example.com, the secret from --secret, text-nonce with sha1",
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
    await expect(prepared(mine)).rejects.toThrow(message);
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

test("the token is spare for a diagnosis alone, and only if it may travel where the credential goes", async () => {
  const spare = async (diagnose: boolean, levels: readonly Level[]) => {
    const [check] = await prepared(levels, { diagnose, selection: { token: false, wsse: true } });
    return check?.spareToken?.reveal() ?? null;
  };
  expect(await spare(true, [flags({ ...wsse, token: "a-token" })])).toBe("a-token");
  expect(await spare(false, [flags({ ...wsse, token: "a-token" })])).toBeNull();
  expect(await spare(true, [flags(wsse)])).toBeNull();
  expect(await spare(true, [variables({ token: "a-token" }), file("found", wsse)])).toBeNull();
});

test("no text shows the credential or the spare token", async () => {
  const [check] = await prepared([flags({ ...wsse, username: "a-token", token: "a-token" })], {
    diagnose: true,
    selection: { token: false, wsse: true },
  });
  expect(check?.redact("a-secret and a-token")).toBe("[secret] and [secret]");
  expect(check?.description).toMatch(/^\[secret\], /);
});

test("a found file's retry does not count for a credential of yours", async () => {
  const retries = async (...levels: readonly Level[]) =>
    (await prepared(levels)).map((check) => check.retries);
  expect(await retries(flags(token), file("found", { retry: "4" }))).toEqual([0]);
  expect(await retries(flags(token), file("yours", { retry: "4" }))).toEqual([4]);
  expect(await retries(file("found", { ...token, retry: "4" }))).toEqual([4]);
  const { username, ...rest } = wsse;
  expect(
    await retries(variables({ username }), flags({ baseUrl: url }), file("found", { ...rest, retry: "4" })),
  ).toEqual([0]);
});

describe("clear text", () => {
  const loud = "uses http:// for a host that is not a loopback address";

  test.each([
    ["http://api.example", false, true],
    ["http://api.example", true, false],
    ["http://127.0.0.1", false, false],
    ["https://api.example", false, false],
  ])("to %s with insecureHttp %s is refused: %s", async (baseUrl, insecureHttp, isRefused) => {
    const checks = prepared([flags({ ...token, baseUrl })], { insecureHttp });
    if (isRefused)
      await expect(checks).rejects.toMatchObject({
        message: `--baseUrl ${loud}, so anyone on the way could read the credential`,
        hint: expect.stringContaining("; --insecure-http allows it"),
      });
    else expect(await checks).toHaveLength(1);
  });

  test("is allowed by a program by another name", async () => {
    const options = level({ ...token, baseUrl: "http://api.example" }, (option) => ({
      kind: "option",
      option,
    }));
    await expect(prepared([options])).rejects.toMatchObject({
      hint: expect.stringContaining("; insecureHttp allows it"),
    });
  });
});

describe("what is missing is named, with the ways to give it", () => {
  const tokenWays = "a token (--token-file, REFERRAL_TOKEN or token in .referralrc)";
  const usernameWays = "a username (--username, REFERRAL_USERNAME or username in .referralrc)";
  const secretWays = "a secret (--secret-file, REFERRAL_SECRET or secret in .referralrc)";
  const urlWays = "a base URL (--base-url, REFERRAL_BASE_URL or baseUrl in .referralrc)";
  const instead = "; or, for WSSE, a username and a secret";

  test.each([
    [{}, everyMethod, "No base URL and no token is set", `Give ${urlWays}, and ${tokenWays}${instead}`],
    [{ baseUrl: url }, everyMethod, "No token is set", `Give ${tokenWays}${instead}`],
    [{ token: "a-token" }, everyMethod, "No base URL is set", `Give ${urlWays}`],
    [{ baseUrl: url }, { token: true, wsse: false }, "No token is set", `Give ${tokenWays}`],
    [
      { baseUrl: url },
      { token: false, wsse: true },
      "No username and no secret is set",
      `Give ${usernameWays}, and ${secretWays}`,
    ],
    [{ username: "me" }, { token: false, wsse: true }, "No secret is set", `Give ${secretWays}`],
    [{ secret: "a-secret" }, everyMethod, "No username is set", `Give ${usernameWays}`],
  ])("%j, %j", async (values, selection, message, hint) => {
    await expect(prepared([flags(values)], { selection })).rejects.toMatchObject({ message, hint });
  });

  const unused = variables({ token: "a-token", secret: "a-secret" });
  const reason = "because a profile is chosen";
  const noVariable = "a token (--token-file or token in .referralrc)";

  test("without the environment if an account is chosen, and with what it sets", async () => {
    const account = { accountChosen: true, hasProfiles: true, unused };
    await expect(prepared([flags({ baseUrl: url })], {}, account)).rejects.toMatchObject({
      message: `No token is set; REFERRAL_TOKEN and REFERRAL_SECRET are set and not used, ${reason}`,
      hint: `Give ${noVariable}${instead}`,
    });
    await expect(
      prepared([flags({ baseUrl: url })], { selection: { token: true, wsse: false } }, account),
    ).rejects.toMatchObject({ message: `No token is set; REFERRAL_TOKEN is set and not used, ${reason}` });
    await expect(prepared([flags({ token: "a-token" })], {}, account)).rejects.toMatchObject({
      message: "No base URL is set",
      hint: `Give ${urlWays}`,
    });
  });

  test("with the profiles of the rc file to choose from", async () => {
    await expect(prepared([flags({ baseUrl: url })], {}, { hasProfiles: true })).rejects.toMatchObject({
      hint: `Choose a profile of the rc file with --profile, or all of them with --all; or give ${tokenWays}${instead}`,
    });
  });
});
