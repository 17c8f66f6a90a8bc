import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { childEnvironment, clientVariables, exportLines } from "../../src/emulator/session.ts";
import { known } from "./authenticated.ts";
import { credentials } from "./support.ts";

describe("the environment", () => {
  const url = "http://127.0.0.1:1";

  test("of a child has the four variables instead of its parent's, and none that would count before them", () => {
    const parent = {
      PATH: "/bin",
      REFERRAL_TOKEN: "other",
      REFERRAL_TOKEN_FILE: "/a",
      REFERRAL_SECRET_FILE: "/b",
      REFERRAL_DIGEST: "hex-digest",
      REFERRAL_PROFILE: "p",
    };
    expect(childEnvironment(parent, clientVariables({ url, accounts: [known] }))).toEqual({
      PATH: "/bin",
      REFERRAL_DIGEST: "hex-digest",
      REFERRAL_BASE_URL: url,
      REFERRAL_TOKEN: credentials.token,
      REFERRAL_USERNAME: credentials.username,
      REFERRAL_SECRET: credentials.secret,
    });
  });

  test("is printed as lines for a shell", () => {
    expect(exportLines(clientVariables({ url, accounts: [{ ...known, secret: "it's" }] }))).toBe(
      [
        "export REFERRAL_BASE_URL='http://127.0.0.1:1'",
        `export REFERRAL_TOKEN='${credentials.token}'`,
        `export REFERRAL_USERNAME='${credentials.username}'`,
        "export REFERRAL_SECRET='it'\\''s'",
        "",
      ].join("\n"),
    );
  });

  test.skipIf(process.platform === "win32")(
    "is read back by a shell unchanged, whatever the secret holds",
    () => {
      const text = fc.stringMatching(/^[\x20-\x7e]+$/);
      fc.assert(
        fc.property(text, (secret) => {
          const script = `${exportLines({ REFERRAL_SECRET: secret })}printf %s "$REFERRAL_SECRET"`;
          expect(execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" })).toBe(secret);
        }),
        { numRuns: 40, examples: [["'"], ["''"], ["$(id)`id`\\'\"!"]] },
      );
    },
  );
});
