import fc from "fast-check";
import { distance } from "fastest-levenshtein";
import { expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import { nearest, nearestFirst } from "../../src/options/nearest.ts";
import { headerOf } from "../../src/settings/account-text.ts";
import { keyOf, knownVariables, settingNames } from "../../src/settings/table.ts";
import { contextOf } from "../support/run.ts";

const ignore = (): void => {};
const flagsOfCommands = buildProgram(contextOf([]), ignore, ignore).commands.map(({ options }) =>
  options.flatMap(({ long }) => long ?? []),
);
const ours = [...flagsOfCommands, knownVariables, settingNames.map(keyOf)].filter(
  (names) => names.length > 1,
);

const letters = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^referral_/, "")
    .replace(/[-_]/g, "");

/** One of our lists, and a name of it with so many letters left out, put in or replaced behind its prefix. */
const edited = (most: number) =>
  fc.constantFrom(...ours).chain((names) =>
    fc.record({
      names: fc.constant(names),
      name: fc.constantFrom(...names),
      edits: fc.array(
        fc.tuple(fc.nat(), fc.constantFrom("", ..."abcdefghijklmnopqrstuvwxyz"), fc.boolean()),
        { minLength: 1, maxLength: most },
      ),
    }),
  );

function misspelt(name: string, edits: ReadonlyArray<readonly [number, string, boolean]>): string {
  const start = /^(?:--|REFERRAL_)?/.exec(name)?.[0].length ?? 0;
  return edits.reduce((word, [place, letter, replaces]) => {
    const at = start + (place % (word.length - start + 1));
    return word.slice(0, at) + letter + word.slice(at + Number(replaces || letter === ""));
  }, name);
}

test("what is near is two letters apart, begins alike, or holds the other; the fewest edits decide", () => {
  const word = fc.oneof(
    fc.stringMatching(/^(?:--)?[a-z]{1,12}(?:-[a-z]{1,6})?$/),
    edited(3).map(({ name, edits }) => misspelt(name, edits)),
  );
  fc.assert(
    fc.property(word, fc.constantFrom(...ours), (word, names) => {
      const found = nearest(word, names);
      const given = letters(word);
      const editsTo = (one: string) => distance(given, letters(one));
      const isAllied = (one: string) =>
        given.slice(0, 4) === letters(one).slice(0, 4) ||
        letters(one).includes(given) ||
        given.includes(letters(one));
      if (found === undefined) return;
      expect(editsTo(found) <= 2 || isAllied(found), `${word} ${found}`).toBe(true);
      // Only a name that is two letters apart or allied can be as near, so none of the others has fewer edits.
      for (const one of names)
        if (editsTo(one) < editsTo(found)) expect(isAllied(found), `${word} ${found}`).toBe(true);
      expect(nearestFirst(word, names)[0]).toBe(found);
      expect(nearestFirst(word, names).toSorted()).toEqual([...new Set(names)].toSorted());
    }),
  );
});

test.each([
  ["--url", "--base-url"],
  ["--auth-token", "--token"],
  ["--no-colour", "--no-color"],
  ["--noproxy", undefined],
  ["--no-proxy", undefined],
])("among the options of test, %s is near %s", (word, expected) => {
  expect(nearest(word, flagsOfCommands[0] ?? [])).toBe(expected);
});

test("of two names that are as near, none is meant", () => {
  expect(nearest("prod", ["eu-prod", "us-prod"])).toBeUndefined();
});

test("a misspelt column of CSV gets the known one by the same rule, or none on a tie", () => {
  const known = ["token", "username", "secret", "baseUrl", "authorization", "profile"];
  fc.assert(
    fc.property(fc.constantFrom(...known), fc.nat(), (name, at) => {
      const cut = at % name.length;
      const misspelt = name.slice(0, cut) + name.slice(cut + 1);
      const other = name === "digest" ? "hash" : "digest";
      const { ignored } = headerOf(Buffer.from(`${other},${misspelt}\n`), "a.csv");
      const near = nearest(misspelt, [...known, "hash", "timeout", "retry", "proxy"]);
      expect(ignored).toContain(
        near === undefined ? `"${misspelt}"` : `"${misspelt}" (did you mean ${near}?)`,
      );
    }),
  );
});
