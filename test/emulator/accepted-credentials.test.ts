import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  childEnvironment,
  clientVariables,
  completeCredentials,
  exportLines,
} from "../../src/emulator/accepted-credentials.ts";
import { InputError } from "../../src/errors.ts";
import { credentials } from "./support.ts";

const randomBytes = (size: number): Uint8Array => Buffer.alloc(size, 0xab);

describe("credentials", () => {
  test("that are not given are random, in the shapes of the specification", () => {
    expect(completeCredentials({}, randomBytes)).toEqual({
      token: "ab".repeat(20),
      username: "emulator-ababab@example.com",
      secret: "q6ur".repeat(6),
    });
  });

  test("that are given are used unchanged", () => {
    const given = { token: "t", username: "O'Hara+x@example.com", secret: "pä ss'\"\\$" };
    expect(completeCredentials(given, randomBytes)).toEqual(given);
  });

  test.each([
    [{ token: "" }, "--token is empty"],
    [{ token: " S3CRET" }, "--token begins or ends with white space"],
    [{ token: "S3CRET\r\nHost: x" }, "--token contains a control character or one outside ASCII"],
    [{ token: "S3CRETä" }, "--token contains a control character or one outside ASCII"],
    [{ username: "" }, "--username is empty"],
    [{ username: 'S3CRET"' }, "--username contains a"],
    [{ secret: "" }, "--secret is empty"],
    [{ secret: "S3CRET\n" }, "--secret begins or ends with white space"],
    [{ secret: "S3\0CRET" }, "--secret contains a control character"],
  ])("%j is refused since no client could send it, and the message does not show it", (given, message) => {
    const attempt = (): unknown => completeCredentials(given, randomBytes);
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(`The value of ${message}`);
    expect(attempt).not.toThrow(/S3/);
  });
});

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
    expect(childEnvironment(parent, clientVariables(url, credentials))).toEqual({
      PATH: "/bin",
      REFERRAL_DIGEST: "hex-digest",
      REFERRAL_BASE_URL: url,
      REFERRAL_TOKEN: credentials.token,
      REFERRAL_USERNAME: credentials.username,
      REFERRAL_SECRET: credentials.secret,
    });
  });

  test("is printed as lines for a shell", () => {
    expect(exportLines(clientVariables(url, { ...credentials, secret: "it's" }))).toBe(
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
