import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandOf, digestMismatch } from "../../src/emulator/digest-mismatch.ts";
import { conventionNames, hashNames, passwordDigest, wireNonce } from "../../src/wsse/digest.ts";
import { known } from "./support.ts";

const created = "2026-11-21T03:31:00+00:00";
const random = Buffer.from("00ff10203040506070809010a0b0c0d0e0f00162", "hex");
const algorithms = conventionNames.flatMap((digest) => hashNames.map((hash) => ({ digest, hash })));
const tokenOf = (nonce: string) => ({ username: known.username, passwordDigest: "x", nonce, created });

const secret = "a$b$HOME \"c' \u00e4\\n %s`!";
test.skipIf(process.platform === "win32").each(["bash", "dash"])(
  "in %s, the command prints the right digest of each convention and hash",
  (shell) => {
    const commands = algorithms.map(({ digest, hash }) => {
      const nonce = wireNonce(digest, random);
      const right = passwordDigest({ digest, hash, nonce, created, secret });
      return { right, command: commandOf(tokenOf(nonce), { digest, hash }, false) };
    });
    const script = commands.map(({ command }) => `${command}; echo`).join("\n");
    const options = shell === "bash" ? ["--norc"] : [];
    const { stdout, stderr } = spawnSync(shell, [...options, "-c", script], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, REFERRAL_SECRET: secret },
    });
    expect(stderr).toBe("");
    expect(stdout.trimEnd().split("\n")).toEqual(commands.map(({ right }) => right));
  },
);

test("for PowerShell it has the same parts in its own words", () => {
  const commands = conventionNames.map((digest) =>
    commandOf(tokenOf(wireNonce(digest, random)), { digest, hash: "sha256" }, true),
  );
  expect(commands.join("\n")).toMatchInlineSnapshot(`
    "[Convert]::ToBase64String([Security.Cryptography.SHA256]::Create().ComputeHash([Text.Encoding]::UTF8.GetBytes('00ff10203040506070809010a0b0c0d0e0f001622026-11-21T03:31:00+00:00' + $env:REFERRAL_SECRET)))
    [Convert]::ToBase64String([Security.Cryptography.SHA256]::Create().ComputeHash([byte[]]([Convert]::FromBase64String('AP8QIDBAUGBwgJAQoLDA0ODwAWI=') + [Text.Encoding]::UTF8.GetBytes('2026-11-21T03:31:00+00:00' + $env:REFERRAL_SECRET))))
    [Convert]::ToBase64String([Security.Cryptography.SHA256]::Create().ComputeHash([byte[]]([Convert]::FromBase64String('00ff10203040506070809010a0b0c0d0e0f00162') + [Text.Encoding]::UTF8.GetBytes('2026-11-21T03:31:00+00:00' + $env:REFERRAL_SECRET))))
    [Convert]::ToBase64String([Text.Encoding]::ASCII.GetBytes([BitConverter]::ToString([Security.Cryptography.SHA256]::Create().ComputeHash([Text.Encoding]::UTF8.GetBytes('00ff10203040506070809010a0b0c0d0e0f001622026-11-21T03:31:00+00:00' + $env:REFERRAL_SECRET))).Replace('-', '').ToLower()))"
  `);
});

test("a Nonce or Created that a shell would read, or a secret in them, is not put into a command", () => {
  for (const nonce of ["$(id)", "a b", "a'b", "`id`", "a;b", "a\\b"])
    expect(commandOf(tokenOf(nonce), known, false)).toBeNull();
  const hidden = digestMismatch(tokenOf(known.secret), known, (text) =>
    text.replaceAll(known.secret, "[secret]"),
  );
  expect(JSON.stringify(hidden)).not.toContain(known.secret);
});

test("the whole example has two short paragraphs", () => {
  const others = tokenOf(wireNonce("text-nonce", random));
  const sent = { ...others, passwordDigest: random.toString("base64") };
  expect(digestMismatch(sent, known, String, false)).toMatchInlineSnapshot(`
    {
      "change": "compare the text that the client hashes, and its length, with this. For this request it is what this prints:",
      "command": "printf %s "00ff10203040506070809010a0b0c0d0e0f001622026-11-21T03:31:00+00:00$REFERRAL_SECRET" | openssl dgst -sha1 -binary | openssl base64 -A",
      "detail": "does not match text-nonce with sha1; PasswordDigest has 28 characters of base64: 20 bytes, as SHA-1 has; this server hashes the Nonce as it is sent (40) + Created (25) + [secret: 40] = 105 bytes, and writes the 20 bytes in base64 (28 characters)",
      "rule": "digest",
    }
  `);
});
