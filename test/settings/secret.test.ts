import { inspect } from "node:util";
import { expect, test } from "vitest";
import { type Inputs, readSecret, secretsAtHand } from "../../src/settings/inputs.ts";
import { commandText, levelOf, wordsFor } from "../../src/settings/levels.ts";
import { describeLength, Secret } from "../../src/settings/secret.ts";
import { flag, given, recording } from "./recording.ts";
import { rcSource, settingsOf } from "./settings-of.ts";

test("a secret shows itself only where it is asked to", () => {
  const secret = new Secret("planted");
  expect(secret.reveal()).toBe("planted");
  const shown = [`${secret}`, JSON.parse(JSON.stringify(secret)), inspect(secret)];
  expect(shown).toEqual(["[secret]", "[secret]", "[secret]"]);
  expect(inspect({ deep: { secret } }, { depth: null, showHidden: true })).not.toContain("planted");
});

test.each([
  ["0123456789ABCDEF0123456789abcdef0123CDEF", "40 characters, ending in CDEF"],
  ["0123456789abcdef0123456789abcdef0123456g", "40 characters"],
  ["0123456789abcdef0123456789abcdef0123456", "39 characters"],
  ["\u{1f511}", "1 character"],
])("only the length of %j is told, and the end of the documented form: %s", (text, length) => {
  expect(describeLength(text)).toBe(length);
});

const settings = (...values: readonly ReturnType<typeof given>[]) => settingsOf([levelOf(values)]);

// test/settings/errors.test.ts has what is refused.
test("the text of a setting is the secret, and so is the content of a file, at most 64 KiB, without one end of line", async () => {
  const { inputs, calls } = recording();
  const file = await readSecret("token", settings(given("file")), inputs);
  expect([file?.value.reveal(), file?.given.setting]).toEqual(["content", "tokenFile"]);
  expect(calls).toEqual([["yours", "/working/file", 65_536, false]]);
  const text = await readSecret("secret", settings(given("a-secret", flag, "secret")), inputs);
  expect([text?.value.reveal(), text?.given.source]).toEqual(["a-secret", flag]);
  expect(await readSecret("token", settings(), inputs)).toBeNull();
  for (const setting of ["secretFile", "secretCommand"] as const)
    for (const end of ["", "\n", "\r\n"]) {
      const holding: Inputs = { read: async () => Buffer.from(`a\nb${end}`), certificates: async () => [] };
      const one = await readSecret("secret", settings(given("x", flag, setting)), holding);
      expect(one?.value.reveal()).toBe("a\nb");
    }
});

test("the secrets at hand are read without waiting: no standard input is read and no command runs", () => {
  const { context, calls } = recording();
  const atHand = (...values: readonly ReturnType<typeof given>[]) =>
    Object.values(secretsAtHand(settings(...values), context));
  expect(atHand()).toEqual([null, null]);
  const both = atHand(given("a-token", flag, "token"), given("a-secret", flag, "secret"));
  expect(both).toEqual(["a-token", "a-secret"]);
  expect(atHand(given("-"), given("[]", flag, "secretCommand"))).toEqual([null, null]);
  expect(calls).toEqual([]);
  expect(atHand(given("file"))).toEqual(["content", null]);
  expect(calls).toEqual([["found", "/working/file", 65_536]]);
});

const command = (...words: readonly string[]) =>
  ({ setting: "tokenCommand", text: commandText(words), source: rcSource("tokenCommand") }) as const;

test("the name of a profile stands unchanged in every word of a command but the first", () => {
  const given = command("{profile}", "op://{profile}/{profile}", "{profile}", "x");
  for (const name of ["a b; touch x", "$(id)", "$&", "{profile}", "漢"])
    expect(wordsFor(given, name)).toEqual(["{profile}", `op://${name}/${name}`, name, "x"]);
});
