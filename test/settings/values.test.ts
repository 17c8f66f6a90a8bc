import fc from "fast-check";
import { expect, test } from "vitest";
import { definitionOf, type SettingName, settingNames } from "../../src/settings/table.ts";
import { textOfCases } from "../support/texts.ts";
import { level, quoted, settingsOf } from "./settings-of.ts";

const path = "/test-authentication";
const ofSecret = [
  ...["a b", "a\nb", "a\ufffdb", "a\ud800b", "", " a-value", "a-value\n", "\u2028a-value", "a-value\u200b"],
  ...["\ufeffa-value", "a-\ufeffvalue"],
];

/** Texts of settings that are no number: valid and invalid ones. */
const texts: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  baseUrl: [
    ...["https://api.example.com", "https://api.example.com//", "http://api.example.com"],
    ...["HTTPS://API.example.com:8443/a//b.c/v1/", "https://api.example.com:0443/a%2Fb/..c/..."],
    ...["https://api.example.com/@me"],
    ...["https://api.example.com/v1;a=b/~c!$&'()*+,_-", "https://MÜNCHEN。Example:8443"],
    "https://faß.example",
    // Its first letter is Cyrillic.
    ...["https://\u0430pi.example.com", `https://api.example.com${path}`],
    `https://api.example.com/v1${path}//`,
    // Loopback, and what only looks like it.
    ...["http://127.10.20.30:8080", "http://0x7f.1", "https://[::1]:8080", "http://LOCALHOST"],
    ...["http://[::ffff:127.0.0.1]", "http://128.0.0.1", "http://10.127.0.1", "http://127.example.com"],
    ...["http://localhost.", "http://localhost.example.com", "http://0.0.0.0", "http://[::]"],
    // Some parsers would read another host or path.
    ...[" https://a.example", "https://a.example/v 1", "https://a.example/v1\0", "ht\ttps://a.example"],
    ...["https://a.example/v1\r\nX-Injected: x", "https://a.example/%4/v1", "https://a.example/%g0"],
    ...["https://a.example/ü", "https://ü@a.example", "http://１２７.0.0.1", "http://127。0。0。1"],
    ...["https://mün\u200bchen.example", "https://mün\u00adchen.example", "https://ü／.example"],
    ...["", "a.example/v1", "//a.example/v1", "xhttps://a.example", "https:/a.example"],
    "https:\\\\a.example",
    ...["file:///etc/passwd", "javascript:alert(1)", "https://a.example\\@b.example/v1"],
    ...["https://a.example?", "https://a.example/v1#", "https://", "https:///user:pass@a.example"],
    ...["https://user@", "https://[::1", "https://a.example:000/v1", "https://a.example:65536"],
    ...["https://user%3Apass%40a.example", "https://user:pass@a.example", "https://a@b@a.example"],
    ...["https://user:pa/ss@a.example", "https://a.example/.", "https://a.example/v1/.%2E/a"],
    ...["<https://a.example>", "https://a.example # of tests", "url: https://a.example"],
    ...["https://a.example/https://b", "https://a.example/v1,https://b.example/v1", "https://a.example/a,b"],
    ...["https://a.example/a;b=c.d:8", "https://a.example/a;u=http://b"],
    ...["https://https://a.example", "http://https//a.example", "https://.a.example", "https://a..b/v1"],
    ...["https://a\u2013b.example/", "[https://a.example](https://b.example)"],
    "REFERRAL_BASE_URL=https://a.example",
    ...["https://a.example/v1 https://b.example", "https://2001:db8::1/v1", "https://a.example:80:80"],
  ],
  token: ["a-value", '"a-value"', ...ofSecret],
  secret: ["a-value", ...ofSecret],
  username: [
    "me@example.com",
    "m\u00fc",
    " me",
    'm"e',
    "m\\e",
    "m\0e",
    "",
    "x".repeat(1_000),
    "x".repeat(1_001),
  ],
  digest: ["hex-digest", "Hex-digest"],
  hash: ["sha512", "sha-256", "whirlpool"],
  authorization: ["wsse", "basic"],
  proxy: [
    ...["user:pass@p:3128", "https://p:3128", "http://user:a%2Fb@münchen.example:3128", "münchen.example"],
    ...["http://ü:pass@p:1", "socks5://user:pass@p:1", "SOCKS://p:1", "http://a%3Ab:pass@p:1"],
    ...["http://user:a%0Ab@p:1", "http://user:%ff@p:1", "ftp://p:1", "http://user:pass@:3128"],
    ...["http://user:123/sEcretpw@p", "http://user/sEcretpw@p"],
    ...["http://p:3128/proxy.pac", "http://p/wpad.dat", "http://p:3128/pac"],
    ...["PROXY p.example:8080", "DIRECT", "direct.example:1", "http=p.example:80;https=p.example:80"],
    ...["p.example:80;q.example:80", "http://p.example:80,http://q.example:80", "u,v.w:1@p.example:80"],
    ...["http://u:p%ss@p.example:1"],
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
