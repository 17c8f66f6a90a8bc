import { expect, test } from "vitest";
import { unseenAround, unseenIn } from "../../src/wsse/characters.ts";
import { holdsVariable, isPlaceholder, isPlaceholderInUrl } from "../../src/wsse/placeholders.ts";

test.each<readonly [string, string]>([
  ["me@example.com\u00a0", "has a no-break space (U+00A0) as its last character"],
  ["value\r", "has a carriage return, as Windows ends lines, as its last character"],
  ["\ufeffvalue", "has a byte order mark (U+FEFF) as its first character"],
  ["val\ufeffue", "has a byte order mark (U+FEFF) at place 4"],
  ["secret\u200bword", "has a zero-width space (U+200B) at place 7"],
  ["sec\u00adret", "has a soft hyphen (U+00AD) at place 4"],
  // Places are counted as people count, and the ends are looked at first.
  ["\u{1f600}\u2013x", "has an en dash (U+2013) at place 2"],
  ["a\u2013b\u00a0", "has a no-break space (U+00A0) as its last character"],
  ["\u2013wsse", "has an en dash (U+2013) as its first character"],
  ["a\u2011b", "has a no-break hyphen (U+2011) at place 2"],
  ...["\u201cvalue\u201d", "\u201evalue\u201c", "\u2018value\u2019", "\u00abvalue\u00bb"].map(
    (text) => [text, "has curly quotation marks around it"] as const,
  ),
  ["o\u2019hara@example.com", "has a curly quotation mark (U+2019) at place 2"],
  // What the table does not name has the name of its class.
  ["a\u2005b", "has white space (U+2005) at place 2"],
  ["a\u0007b", "has a control character (U+0007) at place 2"],
  ["a\ufe0fb", "has an invisible character (U+FE0F) at place 2"],
  ["\u001b[32mgreen", "has an escape character, as colours of a terminal begin, as its first character"],
  ["\u25cf\u25cf", "has a bullet, as pages hide a secret, as its first character"],
  [" value", "has a space (U+0020) as its first character"],
  ["\t", "has a tab (U+0009) as its last character"],
])("%j %s", (text, problem) => {
  expect(unseenIn(text)?.problem).toBe(problem);
});

// No other character of a value is told: it may be a secret.
test.each(["", "value", "two words", "m\u00fcller", "\u6f22", "\u{1f600}", "a~b", '"quoted"', "a\ufffdb"])(
  "%j has no character that is named",
  (text) => {
    expect(unseenIn(text)).toBe(null);
  },
);

test.each([
  ["a\u2013b", null],
  ["a\u00a0b", null],
  ["\u201cvalue\u201d", null],
  ["value\u200b", "has a zero-width space (U+200B) as its last character"],
  [" a\u2013b", "has a space (U+0020) as its first character"],
])("around %j: %s", (text, problem) => {
  expect(unseenAround(text)?.problem ?? null).toBe(problem);
});

test.each([
  ...[
    "$" + "{TOKEN}",
    "$" + "{{ secrets.TOKEN }}",
    "{{token}}",
    " {{ token }} ",
    "$" + "{A:-b}",
    "$" + "{env:TOKEN}",
  ].map((text) => [text, true] as const),
  ...[
    "$TOKEN",
    "%TOKEN%",
    "<token>",
    "{token}",
    "x$" + "{TOKEN}",
    "{}",
    "$" + "{}",
    "pa$Word",
    "{{a}} b",
  ].map((text) => [text, false] as const),
])("%j is a placeholder as a whole: %s", (text, is) => {
  expect(isPlaceholder(text)).toBe(is);
});

test.each([
  ...[
    "https://$HOST/v1",
    "$HOST",
    "https://api.example.com/$VERSION",
    "https://%API%/v1",
    "https://%DB_HOST%/v1",
  ],
  ...[
    "https://<your-host>/v1",
    "https://{host}/v1",
    "https://api.example.com/{{ version }}",
    "https://$" + "{HOST}/v1",
  ],
  ...["https://#{host}/v1", "https://x.$env:ZONE/v1"],
])("%s has a placeholder", (text) => {
  expect(isPlaceholderInUrl(text)).toBe(true);
});

test.each([
  ...[
    "https://api.example.com/caf%C3%A9",
    "https://api.example.com/a%20%2Fb",
    "https://api.example.com/%41%42",
  ],
  ...["https://api.example.com/~c!$&'()*+,_-", "https://api.example.com/a$", "https://[::1]:8080/v1"],
])("%s has none", (text) => {
  expect(isPlaceholderInUrl(text)).toBe(false);
});

test.each([
  ...["x$NAME", "me+$ENV@example.com", "a%NAME%b", "$" + "{A}b"].map((text) => [text, true] as const),
  ...["a$b", "100%", "a$1b", "50%off", "%20%"].map((text) => [text, false] as const),
])("%s may hold a variable: %s", (text, may) => {
  expect(holdsVariable(text)).toBe(may);
});
