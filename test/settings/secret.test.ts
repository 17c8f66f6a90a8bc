import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Secret } from "../../src/settings/secret.ts";

test("a secret shows itself only where it is asked to", () => {
  const secret = new Secret("planted");
  expect(secret.reveal()).toBe("planted");
  for (const shown of [`${secret}`, JSON.parse(JSON.stringify(secret)), inspect(secret)]) {
    expect(shown).toBe("[secret]");
  }
  expect(inspect({ deep: { secret } }, { depth: null, showHidden: true })).not.toContain("planted");
});
