import fc from "fast-check";
import { expect, test } from "vitest";
import { definitionOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { textOfCases } from "../support/texts.ts";
import { level, quoted, settingsOf } from "./settings-of.ts";

const path = "/test-authentication";
const ofSecret = ["a b", "a\nb", "a\ufffdb", "a\ud800b", "", " a-value", "a-\ufeffvalue"];

/** Texts of settings that are no number, one or two for each sentence. A property in test/properties/base-url.test.ts has every trick. */
const texts: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  baseUrl: [
    "HTTPS://API.example.com:0443/a//b%2Fc/..d/...//",
    ...[`https://api.example.com${path}`, `https://api.example.com/v1${path}//`],
    // Its first letter is Cyrillic.
    ...["https://\u0430pi.example.com", "https://a.example/v 1", "https://a.example/%4/v1"],
    ...["ht\ttps://a.example", "https://a.example/v1\r\nX-Injected: x", "https://a\u2013b.example/"],
    ...["", "//a.example/v1", "javascript:alert(1)", "http://https//a.example"],
    "[https://a.example](https://b.example)",
    ...["https://a.example\\@b.example/v1", "https://a.example?", "https://a.example/v1#"],
    ...["https:///user:pass@a.example", "https://a.example:65536", "https://user%3Apass%40a.example"],
    ...["https://user:pass@a.example", "https://user:pa/ss@a.example", "https://a.example/v1/.%2E/a"],
    ...["<https://a.example>", "https://a.example/https://b"],
    ...["https://a.example/v1,https://b.example/v1", "https://a.example/v1 https://b.example"],
    "https://a.example/a;u=http://b",
  ],
  token: ["a-value", '"a-value"', ...ofSecret],
  secret: ["a-value", ...ofSecret],
  username: ["me@example.com", "m\u00fc", 'm"e', "m\0e", "", "x".repeat(1_000), "x".repeat(1_001)],
  digest: ["hex-digest", "Hex-digest"],
  hash: ["sha-256", "whirlpool"],
  authorization: ["wsse"],
  proxy: [
    ...["user:pass@p:3128", "https://p:3128", "http://p:3128/proxy.pac", "DIRECT", "u,v.w:1@p.example:80"],
    ...["http://user:a%2Fb@m\u00fcnchen.example:3128", "PROXY p.example:8080", "http://u:p%ss@p.example:1"],
    ...["SOCKS://p:1", "http://a%3Ab:pass@p:1", "http://user:a%0Ab@p:1", "http://user:%ff@p:1"],
    ...["http://user:pass@:3128", "http=p.example:80;https=p.example:80", "p.example:80;q.example:80"],
    ...["http://user:123/sEcretpw@p", "http://p.example:80,http://q.example:80"],
  ],
};

/** What a setting makes of a text: its value, or the error. */
function made(name: SettingName, text: string): string {
  const given = level({ [name]: text }, () => ({ kind: "option", option: "It" }));
  const { value, problem } = settingsOf([given]).get(name);
  return problem === null ? quoted(value) : `${problem.message} | ${problem.hint}`;
}

// The text is changed with `npx vitest run test/settings --update`, and read as a diff.
test.each([
  ["urls", ["baseUrl", "proxy"]],
  ["others", settingNames.filter((name) => name !== "baseUrl" && name !== "proxy")],
] as const)("all that settings make of texts is the text beside this test: %s", async (subject, names) => {
  const said = names.flatMap((name) =>
    (texts[name] ?? []).map((text) => [`${name} ${quoted(text)}`, made(name, text)] as const),
  );
  await expect(textOfCases(said)).toMatchFileSnapshot(`values/${subject}.txt`);
});

test("no error of a URL repeats its user or password", () => {
  for (const name of ["baseUrl", "proxy"] as const)
    for (const text of texts[name] ?? [])
      if (!made(name, text).startsWith('"')) expect(made(name, text)).not.toMatch(/user@|pass@|sEcretpw/);
});

test("loopback is what a URL writes as 127.0.0.0/8, ::1 or localhost, and nothing that only looks like it", () => {
  const isLoopback = (host: string): boolean => JSON.parse(made("baseUrl", `http://${host}`)).loopback;
  for (const host of ["127.10.20.30:8080", "0x7f.1", "[::1]", "LOCALHOST"])
    expect(isLoopback(host)).toBe(true);
  const others = ["[::ffff:127.0.0.1]", "128.0.0.1", "10.127.0.1", "127.example.com", "0.0.0.0", "[::]"];
  for (const host of [...others, "localhost.", "localhost.example.com"]) expect(isLoopback(host)).toBe(false);
});

const ofKind = (kind: string) => settingNames.filter((name) => definitionOf(name).kind === kind);

test("a number is taken as it is written, in figures and within its bounds; any other text is an error that shows its bounds", () => {
  const figures = fc.string({
    unit: fc.constantFrom(..."0123456789.", "-", "e", "x", "+", " "),
    maxLength: 12,
  });
  const forms = ["1.", ".5", "1e1", "0x1", "+1", "0000000001", "1.1234567890", "1.123456789"];
  for (const name of ofKind("number")) {
    const { minimum = 0, maximum = 0, fraction = false } = definitionOf(name);
    const near = [minimum, maximum].flatMap((bound) =>
      [-1, -0.0001, 0, 0.0001, 1].map((by) => String(bound + by)),
    );
    const text = fc.oneof(figures, fc.constantFrom(...near, "", "5 s", ...forms), fc.double().map(String));
    fc.assert(
      fc.property(text, (text) => {
        const isNumber = fraction ? /^\d{1,9}(?:\.\d{1,9})?$/.test(text) : /^\d{1,9}$/.test(text);
        const isWithin = isNumber && Number(text) >= minimum && Number(text) <= maximum;
        const said = made(name, text);
        if (isWithin) expect(said).toBe(String(Number(text)));
        else if (!text.includes(" "))
          expect(said).toContain(`number from ${minimum} to ${maximum} | Write a `);
        else expect(said).toMatch(/^It (?:has a space|is not a )/);
      }),
    );
  }
});

test("white space at either end of a URL, a number, a choice or a username is an error that names it; a path may have it", () => {
  const valid = { url: "http://a.example", number: "5", choice: "", text: "me", path: "x" } as const;
  const [sign, isFirst] = [fc.constantFrom(" ", "\t", "\r", "\n", "\ufeff", "\u200b"), fc.boolean()];
  for (const name of settingNames) {
    const { kind, choices = [] } = definitionOf(name);
    if (kind === "command" || kind === "secret") continue;
    const right = kind === "choice" ? String(choices[0]) : valid[kind];
    fc.assert(
      fc.property(sign, isFirst, (sign, isFirst) => {
        const text = isFirst ? sign + right : right + sign;
        const code = `U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
        if (kind === "path") expect(made(name, text)).toBe(quoted(text));
        else
          expect(made(name, text)).toMatch(
            new RegExp(`\\(${code.replace("+", "\\+")}\\) as its ${isFirst ? "first" : "last"}`),
          );
      }),
      { numRuns: 24 },
    );
  }
});
