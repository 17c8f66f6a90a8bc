import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { file, level, variables } from "../../settings/settings-of.ts";
import { textOfCases } from "../../support/texts.ts";
import { flags, prepared, token, url } from "./prepared.ts";

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
