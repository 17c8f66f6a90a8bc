import { describe, expect, test } from "vitest";
import { conventionNames, hashNames, maxExperiments } from "../../src/wsse/digest.ts";
import { emulate } from "../support/emulate.ts";
import { planted } from "../support/planted.ts";
import { json, serve } from "../support/serve.ts";
import { diagnose } from "./diagnose.ts";

describe("diagnosis proves", () => {
  test.each([400, -400, 3_600])("a clock that is %i s ahead", async (seconds) => {
    const api = await emulate({ clockOffsetSeconds: -seconds });

    const { proved, findings } = await diagnose(api.url);

    expect(proved).toMatchObject([
      {
        id: "clock",
        message: expect.stringMatching(
          /^accepted with Created corrected by [−+]\d+ s: only this clock is wrong$/,
        ),
      },
    ]);
    expect(findings[0], "what is proved stands first").toEqual(proved[0]);
    expect(findings).toContainEqual(
      expect.objectContaining({ id: seconds > 0 ? "clock-ahead" : "clock-behind", certainty: "measured" }),
    );
    expect(api.log).toHaveLength(3);
  });

  const pairs = conventionNames.flatMap((digest) => hashNames.map((hash) => [digest, hash] as const));
  test.each(pairs.filter(([digest, hash]) => digest !== "text-nonce" || hash !== "sha1"))(
    "the convention %s with %s",
    async (digest, hash) => {
      const api = await emulate({ digest, hash, strict: true });

      const { proved } = await diagnose(api.url);

      expect(proved).toMatchObject([{ id: "digest-convention" }]);
      if (digest !== "text-nonce") expect(proved[0]?.fix).toContain(`digest: ${digest}`);
      if (hash !== "sha1") expect(proved[0]?.fix).toContain(`hash: ${hash}`);
      expect(api.log.length).toBeLessThanOrEqual(1 + maxExperiments);
    },
  );

  test("a convention behind a clock that is wrong as well", async () => {
    const api = await emulate({ digest: "hex-digest", hash: "sha512", clockOffsetSeconds: 3_600 });

    const { proved } = await diagnose(api.url);

    expect(proved).toMatchObject([
      {
        id: "digest-convention",
        message: expect.stringMatching(/with Created corrected by \+3(?:599|60[01]) s/),
      },
    ]);
    expect(proved[0]?.fix).toContain("set this machine's clock by NTP");
  });

  test("a secret that is the token", async () => {
    const api = await emulate({ credentials: { ...planted, secret: planted.token } });

    const { proved } = await diagnose(api.url, {
      REFERRAL_SECRET: "not-the-secret",
      REFERRAL_TOKEN: planted.token,
    });

    expect(proved).toMatchObject([{ id: "token-is-secret" }]);
  });

  test("that the header does not arrive, where the answer without it is the same", async () => {
    const api = await serve((_, response) => json(response, 401, { code: 401, message: "No credentials" }));

    const { proved } = await diagnose(api.url);

    expect(proved).toMatchObject([{ id: "header-ignored" }]);
  });

  test("that nothing looks at credentials, where the request without them is accepted", async () => {
    const api = await serve((request, response) =>
      request.headers["x-wsse"] === undefined
        ? json(response, 200, { code: 200, message: "Hello" })
        : json(response, 401, { code: 401, message: "No" }),
    );

    const { proved } = await diagnose(api.url);

    expect(proved).toMatchObject([{ id: "no-authentication" }]);
    expect(api.requests).toHaveLength(2);
  });
});
