import { describe, expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { diagnose } from "./diagnose.ts";
import { verifier } from "./verifier.ts";

const secret = planted.secret;

describe("a credential with paste mistakes is proved to be right without them", () => {
  test.each([
    [`"${secret}"`, "quotation marks around it"],
    [`'${secret}'`, "quotation marks around it"],
    [`REFERRAL_SECRET=${secret}`, "a name and an equals sign or colon before it"],
    [`export S='${secret}'`, "a name and an equals sign or colon before it and quotation marks around it"],
    [`Bearer ${secret}`, "a header name or scheme before it"],
  ])("a secret, case %#", async (pasted, words) => {
    const api = await verifier({});

    const { proved, findings } = await diagnose(api.url, { REFERRAL_SECRET: pasted });

    const without = `the secret without ${words}`;
    expect(proved).toEqual([
      {
        id: "credential-cleaned",
        certainty: "proved",
        message: `accepted with ${without}; the first request was refused twice more (6 further requests)`,
        fix: `Set ${without} (now set by REFERRAL_SECRET)`,
      },
    ]);
    expect(findings).toContainEqual(expect.objectContaining({ certainty: "measured" }));
    // The refused one, without credentials, 3 s earlier, cleaned, twice the control, and cleaned with this clock's time.
    expect(api.requests).toHaveLength(7);
  });

  test.each([`"${planted.token}"`, `Bearer ${planted.token}`, `X-Auth-Token: ${planted.token}`])(
    "a token, case %#",
    async (pasted) => {
      const api = await verifier({});

      const run = await runInProcess(["test", "--diagnose"], {
        environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: pasted },
      });

      expect(run.exitCode).toBe(4);
      expect(leaks(run.everything)).toEqual([]);
      expect(run.stdout.replace(/\s+/g, " ")).toMatch(/ proved accepted with the token without /);
      // The refused one, without credentials, cleaned, and twice the control.
      expect(api.requests).toHaveLength(5);
    },
  );
});

test.each(["me@example.com", "P@ssw0rd!2026"])(
  "a username and a secret that look swapped (%s) are never exchanged, since a secret must not go out as a username",
  async (secret) => {
    const api = await verifier({ username: secret, secret: "a-name" });

    const { findings, proved } = await diagnose(api.url, {
      REFERRAL_USERNAME: "a-name",
      REFERRAL_SECRET: secret,
    });

    expect(proved).toEqual([]);
    expect(JSON.stringify(api.requests)).not.toContain(secret);
    // A password with an @ is no e-mail address.
    expect(findings.some(({ id }) => id === "username-secret-swapped")).toBe(secret === "me@example.com");
  },
);

describe("a server that accepts no Created ahead of its own clock", () => {
  // Both clocks stand still, so that a delay does not change the difference.
  const now = Date.parse("2026-11-21T12:00:00.500Z");

  test.each([1, 2])("and is %i s behind: 3 s earlier is accepted", async (behindSeconds) => {
    const api = await verifier({ now: () => now, behindSeconds, futureSeconds: 0 });

    const { proved } = await diagnose(api.url, {}, { now });

    expect(proved).toMatchObject([{ id: "clock", message: expect.stringContaining("3 s earlier") }]);
    expect(api.requests).toHaveLength(5);
  });

  test("and uses another convention: the time is a part of the proof", async () => {
    const api = await verifier({
      now: () => now,
      behindSeconds: 2,
      futureSeconds: 0,
      digest: "hex-digest",
    });

    const { proved } = await diagnose(api.url, {}, { now });

    expect(proved).toMatchObject([
      {
        message: expect.stringMatching(/^accepted with `digest: hex-digest` and Created 3 s earlier; /),
        fix: expect.stringMatching(/^Use --digest hex-digest, .*\. Also set this machine's clock by NTP$/),
      },
    ]);
  });
});

describe("the Authorization field", () => {
  test.each([
    [true, "accepted with `digest: base64-nonce` and `authorization: wsse`; "],
    [false, "accepted with `digest: base64-nonce`; "],
  ])("with another convention is named only if it is needed: %s", async (authorization, start) => {
    const api = await verifier({ authorization, digest: "base64-nonce" });

    const { proved } = await diagnose(api.url);

    expect(proved).toMatchObject([{ id: "digest-convention", message: expect.stringContaining(start) }]);
    expect(proved[0]?.fix.includes("--authorization")).toBe(authorization);
  });
});
