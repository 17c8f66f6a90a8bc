import fc from "fast-check";
import { expect, test } from "vitest";
import { nonceMemory } from "../../src/emulator/nonces.ts";
import { conventionNames } from "../../src/wsse/digest.ts";
import { authenticated, headerWith, now, verdict } from "./support.ts";

const clock = new Date(now).toISOString();
const printable = fc.stringMatching(/^[ !#-~]{1,128}$/);
const createdForms = fc.constantFrom(
  clock,
  clock.replace(".000Z", "Z"),
  clock.replace(".000Z", "+0000"),
  clock.replace("Z", "+00:00"),
  clock.replaceAll(/[-:]|\.000/g, ""),
);

test("accepts every printable nonce and form of Created, hashed as sent, and notes what is unusual", () => {
  fc.assert(
    fc.property(
      printable,
      createdForms,
      fc.constantFrom(...conventionNames),
      (wireNonce, created, digest) => {
        const sent = headerWith(wireNonce, created, { digest });
        const { status, notes } = authenticated(sent, { digest });
        expect({ status, notes }).toEqual({
          status: 200,
          notes: [expect.stringMatching(/^Nonce is not /), expect.stringMatching(/^Created is not /)],
        });
        expect(authenticated(sent, { digest, strict: true })).toMatchObject({
          reason: `malformed: ${notes.join("; ")}`,
          notes: [],
        });
      },
    ),
  );
});

test("two spellings of a nonce are one nonce if the convention hashes the same bytes of both", () => {
  const spelling = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.replace(/=+$/, ""),
    (text) => text.replaceAll("+", "-").replaceAll("/", "_"),
    (text) => ` ${text}`,
  );
  const nonce = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.constantFrom("base64", "hex"))
    .map(([bytes, encoding]) => Buffer.from(bytes).toString(encoding));
  fc.assert(
    fc.property(fc.constantFrom(...conventionNames), nonce, spelling, (digest, first, spell) => {
      const sent = [first, spell(first)].map((text) => headerWith(text, clock, { digest }));
      const [one, other] = sent.map(
        (headers) => /PasswordDigest="[^"]*"/.exec(String(headers["x-wsse"]))?.[0],
      );
      const rules = { digest, nonces: nonceMemory(300, 9) };
      const [, second] = sent.map((headers) => verdict(headers, rules));
      expect(second).toContain(one === other ? "replayed" : "accepted");
    }),
    { examples: [["base64-nonce", "AA==", (text) => text.replace("A=", "B=")]] },
  );
});
