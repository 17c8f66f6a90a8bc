import { expect, test } from "vitest";
import { commandText, shownCommand, wordsFor } from "../../src/settings/command.ts";
import { rcSource } from "./settings-of.ts";

const command = (...words: readonly string[]) =>
  ({ setting: "tokenCommand", text: commandText(words), source: rcSource("tokenCommand") }) as const;

test.each(["live", "a b; touch x", "$(id)", "$&", "{profile}", "漢"])(
  "the name %j stands whole and unchanged in every word but the first",
  (name) => {
    const given = command("{profile}", "op://{profile}/{profile}", "{profile}", "x");
    expect(wordsFor(given, name)).toEqual(["{profile}", `op://${name}/${name}`, name, "x"]);
  },
);

const noProfile = "contains {profile}, and no profile is chosen";
const dash = "contains {profile} at the start of a word, and the name of this profile begins with -";
test.each([
  [null, ["pass", "{profile}"], noProfile],
  [null, ["{profile}"], null],
  [
    "a\0b",
    ["pass", "{profile}"],
    "contains {profile}, and the name of this profile contains a NUL character",
  ],
  ["-rf", ["pass", "{profile}/x"], dash],
  ["-rf", ["pass", "x/{profile}"], null],
  ["-rf", ["pass", "x"], null],
])("the profile %j and the words %j: %s", (profile, words, problem) => {
  const run = () => wordsFor(command(...words), profile);
  if (problem === null) expect(run).not.toThrow();
  else
    expect(run).toThrow(
      expect.objectContaining({ kind: "settings", message: expect.stringContaining(problem) }),
    );
});

test("a command is shown as a shell would need it", () => {
  expect(shownCommand(commandText(["touch", "ran", "a b", "op://x/{profile}"]))).toBe(
    'touch ran "a b" op://x/{profile}',
  );
});
