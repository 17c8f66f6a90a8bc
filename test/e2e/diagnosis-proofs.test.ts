import { describe, expect, test } from "vitest";
import { requestLimit } from "../../src/check/request-limit.ts";
import { conventionNames, hashNames } from "../../src/wsse/digest.ts";
import { emulate } from "../support/emulate.ts";
import { planted } from "../support/planted.ts";
import { diagnose } from "./diagnose.ts";

describe("diagnosis proves", () => {
  test.each([400, -400, 3_600])("a clock that is %i s ahead", async (seconds) => {
    const api = await emulate({ clockOffsetSeconds: -seconds });

    const { proved, findings } = await diagnose(api.url);

    expect(proved).toMatchObject([
      {
        id: "clock",
        message: expect.stringMatching(
          seconds > 0
            ? /^accepted with Created \S+ \S+( \S+ \S+)? earlier: only the time was wrong; /
            : /^accepted with Created \S+ \S+( \S+ \S+)? later: only the time was wrong; /,
        ),
      },
    ]);
    expect(findings[0], "what is proved stands first").toEqual(proved[0]);
    expect(findings).toContainEqual(
      expect.objectContaining({ id: seconds > 0 ? "clock-ahead" : "clock-behind", certainty: "measured" }),
    );
    expect(api.log).toHaveLength(5);
  });

  const pairs = conventionNames.flatMap((digest) => hashNames.map((hash) => [digest, hash] as const));
  test.each(pairs.filter(([digest, hash]) => digest !== "text-nonce" || hash !== "sha1"))(
    "the convention %s with %s",
    async (digest, hash) => {
      const api = await emulate({ digest, hash, strict: true });

      const { proved } = await diagnose(api.url);

      expect(proved).toMatchObject([{ id: "digest-convention" }]);
      if (digest !== "text-nonce") expect(proved[0]?.fix).toContain(`Use --digest ${digest}`);
      if (hash !== "sha1") expect(proved[0]?.fix).toContain(`Use --hash ${hash}`);
      expect(api.log.length).toBeLessThanOrEqual(1 + requestLimit);
    },
  );

  test("a convention, even if the clock is wrong too", async () => {
    const api = await emulate({ digest: "hex-digest", hash: "sha512", clockOffsetSeconds: 3_600 });

    const { proved } = await diagnose(api.url);

    expect(proved).toMatchObject([
      {
        id: "digest-convention",
        message: expect.stringMatching(/ and Created (?:59 minutes 5\d seconds|1 hour) later; /),
      },
    ]);
    expect(proved[0]?.fix).toContain("set this machine's clock by NTP");
  });

  test("a secret that is the token", async () => {
    const api = await emulate({ accounts: [{ ...planted, secret: planted.token }] });

    const { proved } = await diagnose(api.url, {
      REFERRAL_SECRET: "not-the-secret",
      REFERRAL_TOKEN: planted.token,
    });

    expect(proved).toMatchObject([{ id: "token-is-secret" }]);
  });
});
