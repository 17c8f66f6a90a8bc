import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { reasonText } from "../../src/emulator/answer.ts";
import { wsseValue } from "../../src/wsse/header.ts";
import { textOfCases } from "../support/texts.ts";
import * as cases from "./slip-cases.ts";
import { attributesOf, pairs, type SlipCase, unnamed } from "./slip-cases.ts";
import { credentials, judgementOf, verdict, withWsse } from "./support.ts";

const isNamed = ([title]: readonly [string, SlipCase]): boolean => !unnamed.includes(title);
const singles = Object.fromEntries(Object.entries(cases.singles).filter(isNamed));
const unknown = {
  ...cases.unknown,
  ...Object.fromEntries(Object.entries(cases.singles).filter((one) => !isNamed(one))),
};

const headerOf = (one: SlipCase) => {
  const { username, passwordDigest, nonce, created } = attributesOf(one);
  return withWsse(wsseValue({ username, passwordDigest, nonce, created }));
};

// The texts are written with `npx vitest run test/emulator/slips.test.ts --update`, and read as a diff.
test.each(Object.entries({ singles, pairs, unknown }))(
  "of each of the %s, what is said stands in their text, and nothing of the digest or the secret",
  async (name, cases) => {
    const said = Object.entries(cases).map(([title, one]) => {
      const { reasons } = judgementOf({ headers: headerOf(one) }, one.rules);
      const text = reasonText(reasons);
      const hidden = [one.passwordDigest, credentials.secret, credentials.token];
      for (const secret of hidden.filter(({ length }) => length > 1))
        expect(text, title).not.toContain(secret);
      expect(reasons, title).toMatchObject([{ rule: "digest", change: expect.stringMatching(/./) }]);
      if (name !== "unknown")
        expect(text, title).toMatch(/^digest: the client .*; this server expects .*\. To change: /);
      return [title, text] as const;
    });
    await expect(textOfCases(said)).toMatchFileSnapshot(`slips/${name}.txt`);
  },
);

test.each(Object.entries({ ...singles, ...pairs }).filter(([, { control }]) => control !== undefined))(
  "%s: the same header is accepted where the server expects it so",
  (_title, one) => {
    expect(verdict(headerOf(one), one.control)).toMatch(/^200 /);
  },
);

describe("no digest is named falsely", () => {
  const isNamed = (one: SlipCase): boolean => / digest: the client /.test(verdict(headerOf(one), one.rules));

  test("of random digests in every size and writing", () => {
    const texts = [16, 20, 28, 32, 48, 64].flatMap((size) =>
      (["base64", "hex", "base64url"] as const).map((writing) => randomBytes(size).toString(writing)),
    );
    const digests = texts.flatMap((text) => [text, Buffer.from(text).toString("base64")]);
    expect(digests.filter((passwordDigest) => isNamed({ passwordDigest }))).toEqual([]);
  });

  test("of pairs of slips that the table has not", () => {
    const { nonce, created } = attributesOf({ passwordDigest: "" });
    const pieces = [
      ...[
        `${nonce}${nonce}${nonce}`,
        `x${nonce}`,
        `${nonce}\t`,
        nonce.slice(1),
        nonce.slice(0, 39),
        `${nonce}0`,
      ],
    ];
    const ends = [
      `${credentials.secret}x`,
      ` ${credentials.secret} `,
      "password",
      credentials.secret.slice(1),
    ];
    const named = pieces.flatMap((piece) =>
      ends.flatMap((end) => {
        const hash = createHash("sha1").update(`${piece}${created}${end}`);
        const one = { passwordDigest: hash.digest("base64") };
        return isNamed(one) ? [`${piece} ${end}`] : [];
      }),
    );
    expect(named).toEqual([]);
  });
});
