import { describe, expect, test } from "vitest";
import { environmentLevel } from "../../src/settings/levels.ts";
import { namedMethods } from "../../src/settings/methods.ts";
import { parseRc } from "../../src/settings/rc-parse.ts";
import { flagLevel, RunSettings } from "../../src/settings/run-settings.ts";
import { arranged, type Level, type Placed, pairs, precedence } from "./levels.ts";

/** The methods that these values name. */
function methodsOf(placed: readonly Placed[], profileChosen: boolean) {
  const { flags, environment, rc } = arranged(placed);
  const profile = profileChosen ? "p" : null;
  const run = new RunSettings({
    flags: flagLevel(flags),
    environment: environmentLevel(environment),
    variables: environment,
    rc: parseRc(Buffer.from(JSON.stringify(rc)), "/rc", "yours"),
    profiles: [profile],
  });
  return namedMethods(run.of({ profile, own: null }));
}

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
