import fc from "fast-check";
import { foreignText, plainText } from "./arbitraries.ts";
import { entries, secrets, strangeKeys } from "./rc-entries.ts";

const scalar = (value: unknown): string => JSON.stringify(value) ?? "null";

function asJson(pairs: ReadonlyArray<readonly [string, unknown]>, profile: string | null): string {
  const body = pairs.map(([key, value]) => `${JSON.stringify(key)}: ${scalar(value)}`).join(",\n  ");
  return profile === null
    ? `{\n  ${body}\n}`
    : `{ "profiles": { ${JSON.stringify(profile)}: {\n  ${body}\n} } }`;
}

function asYaml(
  pairs: ReadonlyArray<readonly [string, unknown]>,
  profile: string | null,
  secret: string,
): string {
  const indent = profile === null ? "" : "    ";
  const lines = pairs.map(
    ([key, value]) => `${indent}${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${scalar(value)}`,
  );
  const head = profile === null ? [] : ["profiles:", `  ${JSON.stringify(profile)}:`];
  return [`# ${secret}`, ...head, ...lines, ""].join("\n");
}

// Changes that make a valid document almost valid, or give it another meaning for a careless reader.
const disturbances = fc.constantFrom(
  ...Array.from("{}[]:,\"'\\#\t\n\r\0|>@`\ufeff\u2028\ud800"),
  ...[
    "&a ",
    "*a",
    "!!js/function ",
    "!!binary ",
    "!tag ",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
    "<<: ",
    "? ",
    "- ",
  ],
  "{{",
);

/** A document with its secret: as it was built, or disturbed, cut off, or no document at all. */
export const documents: fc.Arbitrary<{ readonly secret: string; readonly bytes: Uint8Array }> = secrets.chain(
  (secret) => {
    const built = fc
      .tuple(
        entries(secret),
        fc.option(fc.oneof(plainText, fc.constantFrom(...strangeKeys)), { nil: null }),
        fc.boolean(),
      )
      .map(([pairs, profile, json]) => (json ? asJson(pairs, profile) : asYaml(pairs, profile, secret)));
    const disturbed = fc
      .tuple(built, fc.array(fc.tuple(fc.nat(400), fc.nat(3), disturbances), { minLength: 1, maxLength: 3 }))
      .map(([text, changes]) =>
        changes.reduce((before, [at, drop, put]) => {
          const index = at % (before.length + 1);
          return before.slice(0, index) + put + before.slice(index + drop);
        }, text),
      );
    const cut = fc.tuple(built, fc.nat(400)).map(([text, at]) => text.slice(0, at % (text.length + 1)));
    const foreign = foreignText.map((text) => `${text}${secret}${text}`);
    const texts = fc.oneof(built, disturbed, cut, foreign).map((text) => new TextEncoder().encode(text));
    const binary = fc
      .tuple(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }))
      .map(([before, after]) => Buffer.concat([before, Buffer.from(secret), after]));
    return fc
      .oneof({ arbitrary: texts, weight: 9 }, { arbitrary: binary, weight: 1 })
      .map((bytes) => ({ secret, bytes }));
  },
);
