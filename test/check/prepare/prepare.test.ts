import { rootCertificates } from "node:tls";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type CheckSettings, prepareChecks } from "../../../src/check/prepare/prepare.ts";
import { InputError } from "../../../src/errors.ts";
import type { Method } from "../../../src/settings/definition.ts";
import type { Inputs } from "../../../src/settings/inputs.ts";
import type { Level } from "../../../src/settings/levels.ts";
import { file, level, settingsOf, type Values, variables } from "../../settings/settings-of.ts";
import { textOfCases } from "../../support/texts.ts";

const url = "https://api.example";
const [certificate = ""] = rootCertificates;

const flags = (values: Values): Level => level(values, (name) => ({ kind: "flag", flag: `--${name}` }));

/** Files that each hold a certificate and a token. */
const holding: Inputs = {
  read: async () => Buffer.from(`${certificate}\n`),
  certificates: async () => [`${certificate}\n`],
};

/** The checks of these levels, highest first. Every file holds a certificate and a token. */
function prepared(
  levels: readonly Level[],
  run: Partial<CheckSettings> = {},
  more: Parameters<typeof settingsOf>[1] & { readonly inputs?: Inputs } = {},
) {
  const { inputs = holding, ...scope } = more;
  return prepareChecks(settingsOf(levels, scope), inputs, {
    selected: [],
    insecureHttp: false,
    diagnose: false,
    ...run,
  });
}

const token = { baseUrl: url, token: "a-token" };
const wsse = { baseUrl: url, username: "me@example.com", secret: "a-secret" };

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

const noLoopback = { ...token, baseUrl: "http://api.example" };
const options = level(noLoopback, (option) => ({ kind: "option", option }));
const server = flags({ baseUrl: url });
const username = flags({ username: "me" });
const byToken = { selected: ["token"] } as const;
const byWsse = { selected: ["wsse"] } as const;

const set = variables({ token: "a-token", username: "me", secret: "a-secret" });
const rc = {
  path: "/rc",
  shown: "rc",
  trust: "yours",
  top: new Map(),
  profiles: new Map([["p", new Map()]]),
} as const;
const ofProfile = { chosenBy: "profile", rc, unused: set, unusedBecause: "because of a reason" } as const;
const inFile = file("yours", { token: "t", secret: "s" });
const ofLine = { chosenBy: "line", unused: inFile, unusedBecause: "because of a reason" } as const;
const empty = { REFERRAL_TOKEN: "", REFERRAL_SECRET_FILE: "", REFERRAL_TIMEOUT: "", REFERRAL_BASE_URL: "" };

const cases: Readonly<Record<string, Parameters<typeof prepared>>> = {
  "clear text": [[flags(noLoopback)]],
  "clear text, by a program": [[options]],
  nothing: [[]],
  "a base URL": [[server]],
  "a base URL, and --token": [[server], byToken],
  "a base URL, and --wsse": [[server], byWsse],
  "a base URL and a username": [[flags({ baseUrl: url, username: "me" })]],
  "a token": [[flags({ token: "a-token" })]],
  "a secret": [[flags({ secret: "a-secret" })]],
  "a username": [[username]],
  "a username, and --wsse": [[username], byWsse],
  "a username beside a token, and --wsse": [[username, variables({ token: "t" })], byWsse],
  "a base URL, for a profile": [[server], {}, ofProfile],
  "a base URL, for a profile, and --token": [[server], byToken, ofProfile],
  "a token, for a profile": [[flags({ token: "a-token" })], {}, ofProfile],
  "a base URL, with profiles to choose from": [[server], {}, { rc }],
  "a base URL, for a line": [[server], {}, ofLine],
  "a token, for a line": [[flags({ token: "a-token" })], {}, { chosenBy: "line" }],
  "nothing, for a line": [[], {}, { chosenBy: "line" }],
  "a base URL, and empty variables": [[server], {}, { variables: empty }],
  "a token, and empty variables": [[flags({ token: "t" })], {}, { variables: empty }],
};

// The text is changed with `npx vitest run test/check/prepare --update`, and read as a diff.
test("what is missing is named, with the ways to give it: the text beside this test", async () => {
  const said: [string, string][] = [];
  for (const [title, given] of Object.entries(cases)) {
    const error: unknown = await prepared(...given).catch((reason: unknown) => reason);
    if (!(error instanceof InputError)) throw new Error(`${title}: nothing is missing`);
    expect(error.kind, title).toBe("settings");
    said.push([title, `${error.message} | ${error.hint}`]);
  }
  await expect(textOfCases(said)).toMatchFileSnapshot("missing.txt");
});

test.each([
  ["http://api.example", true],
  ["http://127.0.0.1", false],
  ["https://api.example", false],
])("a credential may go to %s with insecureHttp %s", async (baseUrl, insecureHttp) => {
  expect(await prepared([flags({ ...token, baseUrl })], { insecureHttp })).toHaveLength(1);
});

test("a hint speaks of export where no variable arrived empty, and nowhere else", async () => {
  const names = ["REFERRAL_BASE_URL", "REFERRAL_TOKEN", "REFERRAL_TOKEN_FILE", "REFERRAL_SECRET"];
  await fc.assert(
    fc.asyncProperty(fc.subarray(names), fc.boolean(), async (arrived, hasServer) => {
      const variables = Object.fromEntries(arrived.map((name) => [name, ""]));
      const attempt = prepared(hasServer ? [server] : [], {}, { variables });
      const isNamed = arrived.some((name) => !hasServer || name !== "REFERRAL_BASE_URL");
      const hint = expect.stringMatching(isNamed ? /^(?!.*exported)/ : /exported variables alone$/);
      await expect(attempt).rejects.toMatchObject({ hint });
    }),
    { numRuns: 60 },
  );
});
