import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutCutWord } from "../../src/redaction/cut.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { secretTexts, writings, writtenWith } from "../properties/echoes.ts";
import { numRuns } from "../properties/runs.ts";

const longest = 100;
const shownOf = (text: string, ...secrets: readonly string[]): string =>
  redactorOf([]).and(secrets, longest)(text);

describe("a long text", () => {
  const x = (count: number): string => "x".repeat(count);
  test.each([
    ["as long as the limit", x(100), x(100)],
    ["that is longer", x(101), `${x(99)}…`],
    ["between the halves of a character", `${x(98)}😀 and more`, `${x(98)}…`],
    ["in front of a secret", `${x(99)}Zq8XvK2m`, `${x(99)}…`],
    ["behind the first character of a secret", `${x(98)}Zq8XvK2m`, `${x(98)}[…`],
    ["behind three", `${x(96)}Zq8XvK2m`, `${x(96)}[se…`],
    ["behind seven in other letter case", `${x(80)} zQ8xVk2.......... M`, `${x(80)} zQ8xVk2.......... M`],
    [
      "behind a secret that ends at the cut",
      `${x(80)}...........Zq8XvK2m and more`,
      `${x(80)}...........[secret]…`,
    ],
    ["within the second of two secrets that overlap", `${x(90)}...abcd-Zq8XvK2m`, `${x(90)}...[secre…`],
    ["behind a secret that the mark makes longer", `${"Zq8XvK2m".slice(0, 8)}${x(200)}`, `[secret]${x(91)}…`],
    ["within a secret in hex", `${x(80)} ${Buffer.from("Zq8XvK2m").toString("hex")}+++++`, "[secret]"],
    ["within a secret with a percent sign", `${x(94)}Zq8X%76K2m`, "[secret]"],
    ["behind a character of two halves", `😀${x(200)}`, `😀${x(97)}…`],
    ["before an encoded secret", `${x(200)}%5Aq8XvK2m`, "[secret]"],
    [
      "within a secret, where the text is too long to be read",
      `${x(96)}Zq8XvK2m${"~".repeat(300_000)}`,
      `${x(96)}[se…`,
    ],
    ["far before an encoded secret", `${x(60_000)}%5Aq8XvK2m`, "[secret]"],
    ["before an encoded secret that is too far away", `${x(300_000)}%5Aq8XvK2m`, `${x(99)}…`],
  ])("is cut %s", (_, text, shown) => {
    expect(shownOf(text, "Zq8XvK2m", "abcd-Zq8X")).toBe(shown);
  });
});

test("masks, which are shorter than a long secret, move no part of it into view that was not searched whole", () => {
  const secret = [...Array(37).keys()].join("-");
  expect(shownOf(secret.repeat(700), secret)).toBe("[secret]…");
});

test("a text that was cut loses its last word, which may be a part of a secret", () => {
  expect(withoutCutWord("Bad token Zq8X")).toBe("Bad token ");
  expect(withoutCutWord("<b>Zq8X")).toBe("<b>");
  expect(withoutCutWord("Zq8X")).toBe("");
  expect(withoutCutWord("x".repeat(5_000))).toBe("x".repeat(5_000 - 4 * 1024));
});

const long = fc.string({ unit: fc.constantFrom(..."QZ7"), minLength: 300, maxLength: 900 });
const secrets = fc.oneof(
  { weight: 2, arbitrary: secretTexts },
  { weight: 1, arbitrary: long.filter((text) => new Set(text.slice(0, 8)).size > 2) },
);
const { "behind 490 other characters": _, ...usual } = writings;
const names = fc.uniqueArray(fc.constantFrom(...Object.keys(usual)), { minLength: 1, maxLength: 3 });
const words = "The quick brown fox jumps over the lazy dog and says hello ";
const fillers = fc.constantFrom("~", words, '{"a": "b"} ');

/** How much of an encoded secret shows its first four characters and a part of the fifth. */
function telling(writing: readonly string[], secret: string): string {
  const [first, ...rest] = [...secret].slice(4);
  const written = writtenWith(writing, secret);
  const others = ["(", "}", "¿", "Ω"].map((other) =>
    writtenWith(writing, [...secret].slice(0, 4).join("") + other + rest.join("")),
  );
  if (first === undefined) return written;
  const common = others.map(
    (other) => [...Array(written.length).keys()].find((at) => written[at] !== other[at]) ?? 0,
  );
  return written.slice(0, Math.max(...common) + 1);
}

test("no beginning of a secret stands before the cut, wherever it is and however the secret is encoded", () => {
  fc.assert(
    fc.property(
      secrets,
      names,
      fillers,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (secret, writing, filler, share) => {
        const written = writtenWith(writing, secret);
        // From a secret that begins at the cut to one that ends there.
        const start = Math.max(0, longest - Math.round(share * (written.length + 2)));
        const before = filler.repeat(longest).slice(0, start);
        const shown = shownOf(before + written + filler.repeat(20), secret);
        expect(shown.length).toBeLessThanOrEqual(longest);
        expect(shown.toLowerCase()).not.toContain(telling(writing, secret).toLowerCase());
      },
    ),
    { numRuns },
  );
});

test("a text without the secret is only cut", () => {
  fc.assert(
    fc.property(
      secrets,
      fc.string({ unit: "binary-ascii", minLength: 101, maxLength: 300 }),
      (secret, text) => {
        expect(shownOf(text, secret)).toBe(`${text.slice(0, longest - 1)}…`);
      },
    ),
    { numRuns },
  );
});
