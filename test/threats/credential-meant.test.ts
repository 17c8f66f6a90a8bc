import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseWsse } from "../../src/emulator/username-token.ts";
import { passwordDigest } from "../../src/wsse/digest.ts";
import { arranged, type Level, levels, type Placed, pairs, precedence } from "../settings/levels.ts";
import { folderWith } from "../support/folder.ts";
import { runInProcess, ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

/** A server that accepts everything and records which of these credentials arrived. */
async function recorder() {
  const { url, requests } = await serve((_, response) => json(response, 200, success));
  const arrived = (candidates: readonly string[]): readonly string[] =>
    requests.map(({ headers }) => {
      if (headers["x-auth-token"] !== undefined) return String(headers["x-auth-token"]);
      const parsed = parseWsse(String(headers["x-wsse"]));
      if (parsed.kind === "malformed") throw new Error("expected a header");
      const { nonce, created, passwordDigest: sent } = parsed.token;
      const made = (secret: string): string =>
        passwordDigest({ digest: "text-nonce", hash: "sha1", nonce, created, secret });
      return candidates.find((secret) => made(secret) === sent) ?? "unknown";
    });
  return { url, arrived };
}

const secretAt = (level: Level, name: string): string => `${name}-of-${level}`;
const candidates = levels.flatMap((level) => ["token", "secret"].map((name) => secretAt(level, name)));

/** Runs `test` with these values. Returns the run and the credentials that arrived. */
async function checked(placed: readonly Placed[], profileChosen: boolean, args: readonly string[]) {
  const { url, arrived } = await recorder();
  const files = Object.fromEntries(candidates.map((secret) => [secret, `${secret}\n`]));
  const folder = folderWith(files);
  const { rc, environment, ...flags } = arranged(
    placed.map((one) => (one.name.endsWith("File") ? { ...one, value: join(folder, one.value) } : one)),
  );
  const given = {
    homeFolder: folderWith({ ".referralrc": rc }),
    environment: { REFERRAL_BASE_URL: url, ...environment },
  };
  const profile = profileChosen ? ["--profile", "p"] : [];
  const run = await runInProcess(["test", ...args, ...profile, ...flags.args], given);
  return { run, arrived: arrived(candidates) };
}

describe.each([
  ["without a profile", false],
  ["with a profile", true],
])("%s", (_, profileChosen) => {
  const spellings = ["", "File"] as const;
  const cases = (["token", "secret"] as const).flatMap((name) =>
    pairs.flatMap((pair) =>
      spellings.flatMap((first) => spellings.map((second) => ({ name, pair, files: [first, second] }))),
    ),
  );

  test.each(cases)("a $name at $pair ($files): that of the higher level arrives", async (one) => {
    const { name, pair, files } = one;
    const placed = pair.map((level, index): Placed => {
      const setting = `${name}${files[index] ?? ""}` as Placed["name"];
      return { name: setting, level, value: secretAt(level, name) };
    });
    const username: Placed = { name: "username", level: "top", value: "me@example.com" };
    const method = name === "token" ? "--token" : "--wsse";
    const isFlag = method === "--token" && placed.some((at) => at.level === "flag" && at.name === "token");
    const { run, arrived } = await checked([...placed, username], profileChosen, isFlag ? [] : [method]);

    const winner = precedence(name, profileChosen).find((level) => pair.includes(level));
    expect(arrived, run.everything).toEqual(winner === undefined ? [] : [secretAt(winner, name)]);
    expect(run.exitCode).toBe(winner === undefined ? 3 : 0);
  });

  test.each(pairs.flatMap((pair) => [pair, pair.toReversed() as [Level, Level]]))(
    "a token at %s and a secret at %s: the methods of the first level that names one, or all levels' are checked",
    async (tokenAt, wsseAt) => {
      const { run, arrived } = await checked(
        [
          { name: "token", level: tokenAt, value: secretAt(tokenAt, "token") },
          { name: "secret", level: wsseAt, value: secretAt(wsseAt, "secret") },
          { name: "username", level: wsseAt, value: "me@example.com" },
        ],
        profileChosen,
        [],
      );
      const order = precedence("token", profileChosen);
      const named = [
        ...(order.includes(tokenAt) ? [{ level: tokenAt, secret: secretAt(tokenAt, "token") }] : []),
        ...(order.includes(wsseAt) ? [{ level: wsseAt, secret: secretAt(wsseAt, "secret") }] : []),
      ];
      const first = order.find((level) => named.some((one) => one.level === level));
      // A credential given as a flag selects its method, with or without a profile.
      const alone = profileChosen || first === "flag";
      const expected = named.filter(({ level }) => !alone || level === first);
      expect(arrived, run.everything).toEqual(expected.map(({ secret }) => secret));
    },
  );
});

describe("a username alone", () => {
  const token: Placed = { name: "token", level: "top", value: "token-of-top" };
  const secret: Placed = { name: "secret", level: "top", value: "secret-of-top" };
  const usernameAt = (level: Level): Placed => ({ name: "username", level, value: "me@example.com" });

  test.each(["flag", "environment"] as const)("names no credential as %s", async (level) => {
    for (const profileChosen of [false, true]) {
      const { run, arrived } = await checked([token, usernameAt(level)], profileChosen, []);
      expect(arrived, run.everything).toEqual(["token-of-top"]);
    }
  });

  test.each([
    ["profile", ["secret-of-top"]],
    ["top", ["token-of-top", "secret-of-top"]],
  ] as const)("names WSSE at the level %s of a file", async (level, expected) => {
    const incomplete = await checked([token, usernameAt(level)], true, []);
    expect(incomplete.run).toMatchObject({ exitCode: 3, stdout: "" });
    expect(incomplete.run.stderr).toContain("No secret is set");
    expect(incomplete.arrived).toEqual([]);

    expect((await checked([token, usernameAt(level), secret], true, [])).arrived).toEqual(expected);
  });
});

describe.each(ways)("exported variables, %s,", (_, run) => {
  test.each([
    ["--all", ["--all"], {}],
    ["--profile", ["--profile", "one", "--profile", "two"], {}],
    ["REFERRAL_PROFILE", [], { REFERRAL_PROFILE: "one" }],
  ])("are never checked in the place of a profile's own credential: %s", async (_name, args, chosen) => {
    const right = await recorder();
    const own = await recorder();
    const profiles = { one: { token: "first" }, two: { token: "second" } };
    const rc = { baseUrl: own.url, profiles };
    const result = await run(["test", ...args], {
      homeFolder: folderWith({ ".referralrc": rc }),
      environment: { ...chosen, REFERRAL_BASE_URL: right.url, REFERRAL_TOKEN: "good" },
    });
    expect(result, result.everything).toMatchObject({ exitCode: 0 });
    expect(right.arrived([])).toEqual([]);
    expect(own.arrived([]).toSorted()).toEqual(
      "REFERRAL_PROFILE" in chosen ? ["first"] : ["first", "second"],
    );
  });

  test.each([
    ["token", [], { REFERRAL_TOKEN: "good" }, "REFERRAL_TOKEN is set and not used"],
    ["token", ["--token"], { REFERRAL_TOKEN_FILE: "good.txt" }, "REFERRAL_TOKEN_FILE is set and not used"],
    [
      "token",
      [],
      { REFERRAL_TOKEN: "good", REFERRAL_USERNAME: "a@example.com", REFERRAL_SECRET_FILE: "good.txt" },
      "REFERRAL_TOKEN and REFERRAL_USERNAME and REFERRAL_SECRET_FILE are set and not used",
    ],
    [
      "username and no secret",
      ["--wsse"],
      { REFERRAL_USERNAME: "a@example.com", REFERRAL_SECRET: "good" },
      "REFERRAL_USERNAME and REFERRAL_SECRET are set and not used",
    ],
  ])("are not used for a profile without a credential, and the error says so: %s %j", async (...given) => {
    const [missing, args, environment, reason] = given;
    const { url, arrived } = await recorder();
    const result = await run(["test", "--profile", "empty", ...args], {
      homeFolder: folderWith({ ".referralrc": { profiles: { empty: {} } } }),
      environment: { REFERRAL_BASE_URL: url, ...environment },
    });
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    const said = result.stderr.replace(/\s+/g, " ");
    expect(said).toContain(`No ${missing} is set; ${reason}, because a profile is chosen`);
    for (const name of Object.keys(environment)) expect(said.split("try")[1]).not.toContain(name);
    expect(arrived([])).toEqual([]);
  });

  test("are not used by `header` either", async () => {
    const homeFolder = folderWith({ ".referralrc": { profiles: { own: { token: "own" }, empty: {} } } });
    const given = { homeFolder, environment: { REFERRAL_TOKEN: "good" } };
    expect((await run(["header", "--token", "--profile", "own"], given)).stdout).toBe("X-Auth-Token: own\n");
    const refused = await run(["header", "--token", "--profile", "empty"], given);
    expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
    expect(refused.stderr).toContain("REFERRAL_TOKEN is set and not used");
  });
});
