import { describe, expect, test } from "vitest";
import { namedMethods } from "../../src/settings/methods.ts";
import { type Level, type Placed, pairs, precedence, settingsWith } from "./levels.ts";

/** The methods that these values name. */
const methodsOf = (placed: readonly Placed[], profileChosen: boolean) =>
  namedMethods(settingsWith(placed, profileChosen));

const token = (level: Level): Placed => ({ name: "token", level, value: "t" });
const username = (level: Level): Placed => ({ name: "username", level, value: "me@example.com" });

describe.each([
  ["without a profile, those of all levels are checked", false],
  ["with a profile, those of the first level that names one", true],
])("the methods: %s", (_, profileChosen) => {
  test.each(
    pairs.flatMap(([one, other]) =>
      (["secret", "secretFile"] as const).flatMap((name) => [
        { name, tokenAt: one, secretAt: other },
        { name, tokenAt: other, secretAt: one },
      ]),
    ),
  )("a token at $tokenAt, a $name at $secretAt", ({ name, tokenAt, secretAt }) => {
    const methods = methodsOf([token(tokenAt), { name, level: secretAt, value: "s" }], profileChosen);
    const named = precedence("token", profileChosen).flatMap((level) => [
      ...(level === tokenAt ? ["token"] : []),
      ...(level === secretAt ? ["wsse"] : []),
    ]);
    expect(methods.toSorted()).toEqual((profileChosen ? named.slice(0, 1) : named).toSorted());
  });

  test("a username alone names no credential as a flag or variable", () => {
    for (const level of ["flag", "environment"] as const)
      expect(methodsOf([token("top"), username(level)], profileChosen)).toEqual(["token"]);
  });
});

test.each([
  ["profile", true, ["wsse"]],
  ["top", true, ["token", "wsse"]],
  ["top", false, ["token", "wsse"]],
] as const)("a username alone names WSSE at the level %s of a file", (level, profileChosen, methods) => {
  expect(methodsOf([token("top"), username(level)], profileChosen)).toEqual(methods);
});
