import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { EmulatorAccount } from "../../src/emulator/accounts.ts";
import { conventionNames, passwordDigest } from "../../src/wsse/digest.ts";
import { wsseHeader } from "../../src/wsse/header.ts";
import { authenticated, credentials, known, verdict, withWsse, wsse } from "./support.ts";

const { username, secret, token } = credentials;
const hex = "00ff".repeat(10);
const base64 = Buffer.from(hex, "hex").toString("base64");
const created = "2026-11-21T03:31:00+00:00";
const toBase64 = (text: string): string => Buffer.from(text).toString("base64");
const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");
const digestOf = (changes: Partial<EmulatorAccount & { nonce: string }> = {}): string =>
  passwordDigest({ ...known, nonce: hex, created, ...changes });
const inHex = sha1(`${hex}${created}${secret}`);

/** What a client does, its PasswordDigest, and what else differs from the known account. */
const slips: ReadonlyArray<readonly [string, string, Partial<EmulatorAccount & { nonce: string }>?]> = [
  ["an empty secret", digestOf({ secret: "" })],
  ["a line feed behind the secret", digestOf({ secret: `${secret}\n` })],
  ["the token in place of the secret", digestOf({ secret: token })],
  ["the hexadecimal SHA-1 of the secret", digestOf({ secret: sha1(secret) })],
  ["sha1() in PHP", toBase64(inHex)],
  ["hexadecimal without base64", inHex],
  ["upper-case hexadecimal", toBase64(inHex.toUpperCase())],
  ["upper-case hexadecimal for hex-digest", toBase64(inHex.toUpperCase()), { digest: "hex-digest" }],
  ["another hash", digestOf({ hash: "sha256" })],
  ["base64 hashed, hexadecimal sent", digestOf({ nonce: base64 })],
  ["hexadecimal hashed, base64 sent", digestOf(), { nonce: base64 }],
  ["three slips", digestOf({ digest: "hex-digest", hash: "sha512", secret: "" })],
  ["another secret", digestOf({ secret: "other" })],
  ["a space behind the secret", digestOf({ secret: `${secret} ` })],
  ["no digest", "x"],
];

// The text is changed with `npx vitest run test/emulator/digest-mismatch.test.ts --update`, and read as a diff.
test("what the log says of each wrong digest stands beside this test, without a secret or the digest", async () => {
  const said = slips.map(([title, digest, { nonce = hex, ...rules } = {}]) => {
    const text = verdict(withWsse(wsseHeader({ username, passwordDigest: digest, nonce, created })), rules);
    for (const hidden of [secret, token, ...(digest === "x" ? [] : [digest])])
      expect(text).not.toContain(hidden);
    return `${title}: ${text}\n`;
  });
  const byConvention = conventionNames.flatMap((ours) =>
    conventionNames.map((theirs) => {
      const { status, notes } = authenticated(withWsse(wsse({ digest: theirs })), { digest: ours });
      const text = verdict(withWsse(wsse({ digest: theirs })), { digest: ours });
      return `${theirs} instead of ${ours}: ${[text, ...(status === 200 ? notes : [])].join("; note: ")}\n`;
    }),
  );
  await expect([...said, ...byConvention].join("")).toMatchFileSnapshot("digest-mismatch.txt");
});
