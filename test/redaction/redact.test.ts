import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactorOf, unlessSecret } from "../../src/redaction/redact.ts";
import { secretTexts, writings, writtenWith } from "../properties/echoes.ts";
import { numRuns } from "../properties/runs.ts";
import { planted } from "../support/planted.ts";

const words = "The quick brown fox jumps over the lazy dog and says hello ";
const around = fc.constantFrom("", "The token is ", "a/b=", '{"a": "', " : ", "x".repeat(300));

test("a secret that is encoded up to three times is found, wherever it stands in a text", () => {
  fc.assert(
    fc.property(
      secretTexts,
      fc.uniqueArray(fc.constantFrom(...Object.keys(writings)), { minLength: 1, maxLength: 3 }),
      around,
      around,
      (secret, names, before, after) => {
        const text = writtenWith(names, secret);
        const shown = redactorOf([secret])(before + text + after);
        expect(shown).toContain("[secret]");
        expect(shown.toLowerCase()).not.toContain(text.toLowerCase());
        expect(shown.toLowerCase()).not.toContain(secret.toLowerCase());
      },
    ),
    { numRuns },
  );
});

test("a text without the secret stays as it is", () => {
  fc.assert(
    fc.property(secretTexts, fc.string({ unit: "grapheme", maxLength: 300 }), (secret, text) => {
      fc.pre(!text.includes(secret));
      expect(redactorOf([secret])(text)).toBe(text);
    }),
    { numRuns },
  );
});

describe("a part of a text", () => {
  test.each([
    ["in any letter case", ["abcdef"], "x ABCdef y abcDEF", "x [secret] y [secret]"],
    ["that overlaps another secret", ["abcdef", "defghi"], "xabcdefghix", "x[secret]x"],
    ["beside an encoded one, with the whole text", ["abcdef"], "abcdef YWJjZGVm", "[secret]"],
    ["not where the secret is too short to be told from words", ["abc"], "abc", "abc"],
    ["not where a secret is part of the mark", ["secret"], "the secret!", "the [secret]!"],
    [
      "not where a long secret only begins",
      ["0123456789".repeat(4)],
      `${"0123456789".repeat(3)}0123456780`,
      `${"0123456789".repeat(3)}0123456780`,
    ],
    ["with its white space as it is", ["ab  cd", "another"], "x ab  cd x", "x [secret] x"],
  ])("is replaced %s", (_, known, text, shown) => {
    expect(redactorOf(known)(text)).toBe(shown);
  });
});

test("a long text without the secret is shown whole", () => {
  for (const secret of [planted.token, planted.secret, "abcd"]) {
    for (const text of [words.repeat(1_100), `${words}<p>${encodeURIComponent(words)}&amp;\\n`.repeat(10)])
      expect(redactorOf([secret])(text)).toBe(text);
  }
});

describe("of hundreds of secrets", () => {
  const many = Array.from(
    { length: 150 },
    (_, index) => `${(index * 7919 + 1000).toString(36)}-key-${index}`,
  );

  test("each is found, plain and encoded, and other text stays", () => {
    const redact = redactorOf(many);
    for (const secret of many) {
      expect(redact(`a ${secret.toUpperCase()} b`)).toBe("a [secret] b");
      expect(redact(`a ${Buffer.from(secret).toString("base64")} b`)).toBe("[secret]");
      expect(redact(`a ${secret.slice(0, -1)}# b`)).toBe(`a ${secret.slice(0, -1)}# b`);
    }
  });

  test("a text is hidden that holds the beginning of too many to look for each", () => {
    const redact = redactorOf(many.map((secret) => `beginning-${secret}`));
    const begins = `beginning-${"x".repeat(30)}`;
    for (const text of [
      "a text of which nobody knows the beginning-",
      Buffer.from(begins).toString("base64"),
    ])
      expect(redact(text)).toBe("[secret]");
    const fewer = redactorOf(many.slice(0, 100).map((secret) => `beginning-${secret}`));
    expect(fewer(begins)).toBe(begins);
    expect(fewer(`beginning-${many[99]}`)).toBe("[secret]");
  });
});

describe("one secret or a few: the redactor", () => {
  const encodedTimes = (secret: string, times: number): string =>
    times === 0 ? secret : encodedTimes(Buffer.from(secret).toString("base64"), times - 1);

  test("finds a secret that is encoded three times, and reads UTF-8 after that", () => {
    expect(redactorOf(["pässwörd"])(encodedTimes("pässwörd", 3))).toBe("[secret]");
    expect(redactorOf(["password"])(encodedTimes("password", 4))).toBe("[secret]");
    expect(redactorOf(["password"])(encodedTimes("password", 5))).toBe(encodedTimes("password", 5));
  });

  test("leaves a text without the white space of the secret as it is", () => {
    expect(redactorOf(["ab  cd"])("x abcd x")).toBe("x abcd x");
  });

  test.each([
    ["ß as SS", ["straße"], "STRASSE", "[secret]"],
    ["ẞ as SS", ["strasse"], "STRAẞE", "[secret]"],
    ["SS as ß", ["strasse"], "my straße is", "[secret]"],
    ["capitals beyond U+FFFF", ["ab\u{10428}cd"], "x AB\u{10400}CD", "x [secret]"],
    ["capitals of other bytes", ["xyz-ġżą"], "x XYZ-ĠŻĄ", "x [secret]"],
    ["capitals in HTML", ["ab&cd"], "&#65;&#66;&#38;&#67;&#68;", "[secret]"],
    ["JSON's escaped slash", ["ab/cd+ef=="], "ab\\/cd+ef==", "[secret]"],
    ["a plus sign as a space", ["ab+cd"], "x ab cd x", "x [secret] x"],
    ["other white space", ["ab  cd"], "x ab cd x", "[secret]"],
    ["a letter that grows before it", ["abcd"], "ﬃ abcd", "[secret]"],
    ["a letter that grows between two", ["abcd"], "abcd ﬃ abcd", "[secret]"],
    ["a short one beside a long one, encoded", ["abcd", "abcdefghijkl"], "%61%62%63%64", "[secret]"],
    ["a text as long as the secret's shortest form", ["ab   cd"], "ab cd", "[secret]"],
    ["two secrets that touch", ["abcd", "efgh"], "abcdefgh", "[secret]"],
    ["one secret within another", ["abcdefgh", "cdef"], "x abcdefgh x", "x [secret] x"],
    ["a secret twice", ["abcd"], "abcd abcd", "[secret] [secret]"],
    ["a text of ß alone", ["ssss"], "ßß", "[secret]"],
    ["a secret that overlaps itself", ["ababa"], "x abababa x", "x [secret] x"],
  ])("finds %s", (_, secrets, text, shown) => {
    expect(redactorOf(secrets)(text)).toBe(shown);
  });

  test("replaces a text with the secret in too many places whole", () => {
    const text = (times: number): string => "abcd ".repeat(times);
    expect(redactorOf(["abcd"])(text(1_000))).toBe("[secret] ".repeat(1_000));
    expect(redactorOf(["abcd"])(text(1_001))).toBe("[secret]");
    expect(redactorOf(["abcd"])(Buffer.from(text(1_001)).toString("base64"))).toBe("[secret]");
  });

  test.each([
    ["runs", "aaaa%5Aq8X vK2maaaa"],
    ["pieces in hex", `${Buffer.from("Zq8X").toString("hex")} ${Buffer.from("vK2m").toString("hex")}`],
  ])("puts no secret together from two %s", (_, text) => {
    expect(redactorOf(["Zq8XvK2m"])(text)).toBe(text);
  });

  test("replaces a text whole that unfolds into too much, even without the secret", () => {
    const text = "%41".repeat(500);
    expect(redactorOf(["Zq8XvK2m"])(text)).toBe(text);
    expect(redactorOf(["Zq8XvK2m"])("%41".repeat(5_000))).toBe("[secret]");
    const unfolds = (length: number): string => Buffer.from("hello-".repeat(length / 6)).toString("base64");
    expect(redactorOf(["Zq8XvK2m"])(unfolds(6_000))).toBe(unfolds(6_000));
    expect(redactorOf(["Zq8XvK2m"])(unfolds(60_000))).toBe("[secret]");
  });

  // Each part of the work has its cost, alone here: the first text is shown, the second is too much.
  const equals = (count: number): string => "=".repeat(count);
  const long = `Z${"q8XvK2m".repeat(14)}`;
  type Row = [string, readonly string[], (size: number) => string, number, number];
  test.each<Row>([
    ...["%", "&", "\\", "\xc2", "\xf4"].map(
      (sign): Row => [`signs ${JSON.stringify(sign)}`, ["pässwörd"], (size) => sign.repeat(size), 500, 3_300],
    ),
    ["ways to decode", ["Zq8XvK2m"], (size) => `%41&lt;\\n${equals(size)}`, 10_000, 59_000],
    ["texts behind a sign", [long], (size) => "\\Z".repeat(size), 100, 800],
    [
      "secrets that it holds",
      ["abcd", "efgh", "ijkl", "mnop"],
      (size) => `abcd efgh ijkl mnop ${"words ".repeat(size)}`,
      1_000,
      10_000,
    ],
  ])("replaces a text whole that has too many %s", (_, secrets, text, few, many) => {
    expect(redactorOf(secrets)(text(few))).not.toBe("[secret]");
    expect(redactorOf(secrets)(text(many))).toBe("[secret]");
  });

  test("knows which characters are signs", () => {
    const text = `&${"\xc1\xf5".repeat(3_300)}`;
    expect(redactorOf(["pässwörd"])(text)).toBe(text);
  });

  test("gives the texts of one response a budget together, and others one each", () => {
    const text = "%41".repeat(2_000);
    const [alone, together] = [redactorOf(["Zq8XvK2m"]), redactorOf(["Zq8XvK2m"]).forResponse()];
    expect([alone(text), alone(text)]).toEqual([text, text]);
    expect([together(text), together(text)]).toEqual([text, "[secret]"]);
    expect(together.and([], 10_000)(text)).toBe("[secret]");
  });
});

describe("a sign that stands before an encoded secret does not hide it", () => {
  const json = (text: string): string => JSON.stringify(text).slice(1, -1);
  test.each([
    ["% before one that begins like a byte", "5A/x+y7", `%${encodeURIComponent("5A/x+y7")}`],
    ["the same behind other escapes", "5A/x+y7", `a%20b=%${encodeURIComponent("5A/x+y7")}`],
    [
      "the same in base64",
      "kl>>?x?>>",
      `%${encodeURIComponent(Buffer.from("kl>>?x?>>").toString("base64"))}`,
    ],
    [
      "the same of a longer one",
      "kl>>?x?>>-and-more-of-it-kl>>?x?>>",
      `%${encodeURIComponent(Buffer.from("kl>>?x?>>-and-more-of-it-kl>>?x?>>").toString("base64"))}`,
    ],
    ["\\ before one that begins like a control character", 'new"pass', `\\${json('new"pass')}`],
    ["the same behind other escapes", 'new"pass', `\\"a\\nb\\${json('new"pass')}`],
    ["\\ before an escape", "Zq8XvK2m", "\\\\u005aq8XvK2m"],
    ["% before one in hex", "Zq8XvK2m", `%${Buffer.from("Zq8XvK2m").toString("hex")}`],
  ])("%s", (_, secret, text) => {
    expect(redactorOf([secret])(`sent: ${text} end`)).toBe("[secret]");
    expect(redactorOf([`${secret}!`])(`sent: ${text} end`)).toBe(`sent: ${text} end`);
  });
});

test("a short secret inside a long one uncovers nothing of the long one", () => {
  const [short, long] = ["Sommer2026", "Sommer2026/Geheim+Wort-7Kp2"];
  const redact = redactorOf([short, long]);
  expect(redact(`sent: ${encodeURIComponent(long)}`)).toBe("[secret]");
  expect(redact(`sent: ${long}`)).toBe("sent: [secret]");
  expect(redact(`sent: ${short}/Geheim, 100%25`)).toBe("sent: [secret]/Geheim, 100%25");
});

test("what has the form of a token is told by its length and end in the text of a response, plain or encoded", () => {
  const token = "c0ffee11deadbeef22c0ffee33deadbeef44001b";
  const mark = "[40 hexadecimal characters, …001b]";
  const redact = redactorOf(["Zq8XvK2m"]);
  const texts = [`a ${token} b`, `%3D${token}`, btoa(token), `${token}0`];
  expect(texts.map((text) => redact.forResponse()(text))).toEqual([
    `a ${mark} b`,
    `%3D${mark}`,
    mark,
    texts[3],
  ]);
  expect(texts.map((text) => redact(text))).toEqual(texts);
  const before = "x ".repeat(45);
  expect(redact.and([], 100).forResponse()(`${before}${token} and more`)).toBe(
    `${before}${mark.slice(0, 9)}…`,
  );
});

test("what was read of a text is shown unless the text holds a secret, which it may do in other letter case", () => {
  const redact = redactorOf(["Zq8XvK2m"]);
  const sent = Buffer.from("Zq8XvK2m").toString("base64");
  expect(unlessSecret("basic", "Basic", redact)).toBe("basic");
  expect(unlessSecret("zq8xvk2m", "Basic", redact)).toBe("[secret]");
  expect(unlessSecret(sent.toLowerCase(), sent, redact)).toBe("[secret]");
});
