import { describe, expect, test } from "vitest";
import type { InputError } from "../../../src/errors.ts";
import { file, level, variables } from "../../settings/settings-of.ts";
import { everyMethod, flags, prepared, token, url } from "./prepared.ts";

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
        kind: "settings",
        message: `--baseUrl ${loud}, so anyone on the network could read the credential`,
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
    [{ username: "me", baseUrl: url }, everyMethod, "No secret is set", `Give ${secretWays}`],
    [
      { username: "me" },
      everyMethod,
      "No base URL and no secret is set",
      `Give ${urlWays}, and ${secretWays}`,
    ],
  ])("%j, %j", async (values, selection, message, hint) => {
    await expect(prepared([flags(values)], { selection })).rejects.toMatchObject({
      kind: "settings",
      message,
      hint,
    });
  });

  const unused = variables({ token: "a-token", username: "me", secret: "a-secret" });
  const reason = "because of a reason";
  const rc = { path: "/rc", trust: "yours", top: new Map(), profiles: new Map([["p", new Map()]]) } as const;
  const noVariable = "a token (--token-file or token in .referralrc)";

  test("without the environment if an account is chosen, and with what it sets", async () => {
    const account = { chosenBy: "profile", rc, unused, unusedBecause: reason } as const;
    await expect(prepared([flags({ baseUrl: url })], {}, account)).rejects.toMatchObject({
      message: `No token is set; REFERRAL_TOKEN and REFERRAL_USERNAME and REFERRAL_SECRET are set and not used, ${reason}`,
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
    await expect(prepared([flags({ baseUrl: url })], {}, { rc })).rejects.toMatchObject({
      hint: `Choose a profile of the rc file with --profile, or all of them with --all; or give ${tokenWays}${instead}`,
    });
  });

  const error = async (...given: Parameters<typeof prepared>) =>
    prepared(...given).then(
      () => null,
      ({ kind, message, hint }: InputError) => ({ kind, message, hint }),
    );

  test("of a line says what to write into it, and recommends profiles", async () => {
    const unused = file("yours", { token: "t", secret: "s" });
    const more = { chosenBy: "line", unused, unusedBecause: "because of a reason" } as const;
    expect(await error([flags({ baseUrl: url })], {}, more)).toEqual({
      kind: "settings",
      message:
        "No token is set; token in /yours/.referralrc, line 3 and secret in /yours/.referralrc, line 3 are set and not used, because of a reason",
      hint: "Write a token into the line; or, for WSSE, a username and a secret. To check accounts with what the rc file sets, make them profiles and use --all",
    });
  });

  test.each([
    [{ token: "a-token" }, `Give ${urlWays}`],
    [
      {},
      `Give ${urlWays}, and write a token into the line${instead}. To check accounts with what the rc file sets, make them profiles and use --all`,
    ],
  ])("of a line with %j says how to give the base URL of all lines", async (values, hint) => {
    expect(await error([flags(values)], {}, { chosenBy: "line" })).toMatchObject({ hint });
  });

  test("names the variables that are set and empty", async () => {
    const variables = { REFERRAL_TOKEN: "", REFERRAL_SECRET_FILE: "", REFERRAL_TIMEOUT: "" };
    expect((await error([flags({ baseUrl: url })], {}, { variables }))?.message).toBe(
      "No token is set; REFERRAL_TOKEN and REFERRAL_SECRET_FILE are set and empty",
    );
    const noUrl = await error([flags({ token: "t" })], {}, { variables: { REFERRAL_BASE_URL: "" } });
    expect(noUrl?.message).toBe("No base URL is set; REFERRAL_BASE_URL is set and empty");
  });

  test("of WSSE says that the secret may be the token, if one is set", async () => {
    const selection = { token: false, wsse: true };
    const username = { baseUrl: url, username: "me@example.com" };
    const [without, beside] = [
      await error([flags(username)], { selection }),
      await error([flags(username), variables({ token: "t" })], { selection }),
    ];
    expect(without?.hint).not.toContain("token");
    expect(beside).toMatchObject({
      message: "No secret is set",
      hint: expect.stringMatching(
        /The secret may be the API token: several public clients of this interface sign WSSE with it, and REFERRAL_TOKEN is set$/,
      ),
    });
  });
});
