import fc from "fast-check";
import type { Definition } from "../../src/settings/definition.ts";
import { definitionOf, settingNames } from "../../src/settings/table.ts";
import { foreignText } from "./arbitraries.ts";

/** A text that appears nowhere else in a document, and is too long to appear in a message by chance. */
export const secrets = fc
  .tuple(
    fc.string({
      unit: fc.constantFrom(..."abcdefghijkmnpqrstuvwxyzABCDEFGH23456789"),
      minLength: 12,
      maxLength: 24,
    }),
    fc.constantFrom("", "+/=", "&%", "'\"", "é"),
  )
  .map(([letters, rest]) => `Zq${letters}${rest}K8`);

/** The keys of the settings of these kinds. */
const keysOf = (...kinds: ReadonlyArray<Definition["kind"]>): readonly string[] =>
  settingNames.filter((name) => kinds.includes(definitionOf(name).kind));
const textKeys = keysOf("url", "text", "path", "choice");
/** Keys that mean something to JavaScript, YAML or another loader. */
export const strangeKeys = "__proto__ constructor prototype toString $import $schema << tokne  null 1".split(
  " ",
);
const goodValues = fc.constantFrom<unknown>(
  ...["https://api.example.com/v1", "a@example.com", "text-nonce", "sha256", "http://proxy.example:3128"],
  ...[10, 0.5, 3],
);
const strangeValues = fc.oneof(
  foreignText,
  fc.constantFrom<unknown>(null, true, 1e5, -1, [], {}, ["a"], { a: { __proto__: 1 } }, "\ud800", ""),
);

/** Keys and values of an rc file, valid and invalid, with the secret in a right or a wrong place. */
export const entries = (secret: string): fc.Arbitrary<ReadonlyArray<readonly [string, unknown]>> =>
  fc.array(
    fc.oneof(
      ...(
        [
          [3, keysOf("secret"), fc.constant(secret)],
          [6, textKeys, goodValues],
          [2, keysOf("number"), fc.constant(3)],
          [1, keysOf("url", "choice", "number"), fc.constant(secret)],
          [1, [...textKeys, "token"], strangeValues],
          [1, strangeKeys, goodValues],
          [1, [secret], goodValues],
        ] as const
      ).map(([weight, keys, value]) => ({
        weight,
        arbitrary: fc.tuple(fc.constantFrom(...keys), value as fc.Arbitrary<unknown>),
      })),
    ),
    { maxLength: 6 },
  );
