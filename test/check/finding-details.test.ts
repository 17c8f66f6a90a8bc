import { describe, expect, test } from "vitest";
import { failed, proxyFailure, replied } from "../support/exchanges.ts";
import { accepted, dated, rejected, tls } from "./causes/exchanges.ts";
import { type Case, findingsIn, found, hex40, token, wsse } from "./found.ts";

describe("a clock", () => {
  const clock = (secondsAhead: number, more: Partial<Case> = {}) => {
    const wanted = { exchange: rejected(dated(secondsAhead)), ...more };
    return found("clock-ahead", wanted) ?? found("clock-behind", wanted);
  };

  // The fields of the exchange tell the time to the second, with one second of uncertainty.
  test.each([
    [30, false],
    [31, true],
    [-30, false],
    [-31, true],
  ])("that is %i s ahead is worth a word from 30 s and the uncertainty on: %s", (seconds, expected) => {
    expect(clock(seconds) !== undefined).toBe(expected);
  });

  test.each([
    [3_600, "1 hour", ": perhaps a wrong time zone"],
    [7_200, "2 hours", ": perhaps a wrong time zone"],
    [3_660, "1 hour 1 minute", ": perhaps a wrong time zone"],
    [3_662, "1 hour 1 minute", ""],
    [5_400, "1 hour 30 minutes", ""],
    [400, "6 minutes 40 seconds", ""],
    [59, "59 s", ""],
    [26 * 3600, "1 day 2 hours", ": perhaps a wrong time zone"],
    [27 * 3600, "1 day 3 hours", ""],
    [48 * 3600, "2 days", ""],
    [49 * 3600, "2 days 1 hour", ", too much for a diagnosis to try: it corrects at most 48 hours"],
  ])("%i s ahead reads as %s, and whole hours of a time zone suggest one", (seconds, words, remark) => {
    expect(clock(seconds)?.message).toBe(`this clock is ${words} ahead of the server${remark}`);
    expect(clock(-seconds)?.message).toBe(`this clock is ${words} behind the server${remark}`);
    expect(clock(seconds)?.fix.includes("time zone")).toBe(remark.includes("time zone"));
  });

  test("is the reason to try again only after a WSSE header was refused", () => {
    const again = (more: Partial<Case>) => clock(400, more)?.fix.endsWith(", then try again");
    expect(again({ credential: wsse() })).toBe(true);
    expect(again({ credential: token(hex40) })).toBe(false);
    expect(again({ credential: wsse(), exchange: accepted(dated(400)) })).toBe(false);
  });
});

describe("a credential", () => {
  test.each([
    ["token", token("a b")],
    ["secret", wsse({ secret: "a b" })],
  ])("with white space is called the %s", (name, credential) => {
    const finding = found("white-space", { exchange: rejected(), credential });
    expect(finding?.message).toContain(`the ${name} contains`);
    expect(finding?.fix).toContain(`the ${name} again`);
  });

  test.each([`${hex40}0`, `0${hex40}`, hex40.slice(1), hex40.replace("0", "g")])(
    "%j has not the shape of a token",
    (value) => {
      expect(found("token-shape", { exchange: rejected(), credential: token(value) })).toBeDefined();
      const credential = wsse({ secret: value });
      expect(found("secret-looks-like-token", { exchange: rejected(), credential })).toBeUndefined();
    },
  );

  test("of one character is counted in the singular", () => {
    const finding = found("token-shape", { exchange: rejected(), credential: token("x") });
    expect(finding?.message).toBe("the token has 1 character; the documented form has 40 hexadecimal ones");
  });

  test.each([
    ["token-shape", token("a b")],
    ["token-shape", token(`"${hex40}"`)],
    ["token-shape", token("$TOKEN")],
    ["username-shape", wsse({ username: "me", secret: "you@example.com" })],
  ] as const)("gets no finding %s where a mistake explains the shape", (id, credential) => {
    const ids = findingsIn({ exchange: rejected(), credential }).map((finding) => finding.id);
    expect(ids).not.toContain(id);
    expect(ids).not.toEqual([]);
  });

  test("has the shape of a token in capitals too, and is then no token of another shape", () => {
    const credential = token(hex40.toUpperCase());
    expect(found("token-shape", { exchange: rejected(), credential })).toBeUndefined();
    const account = wsse({ secret: hex40.toUpperCase() });
    expect(found("secret-looks-like-token", { exchange: rejected(), credential: account })).toBeDefined();
    expect(found("token-shape", { exchange: rejected(), credential: account })).toBeUndefined();
    expect(found("username-shape", { exchange: rejected(), credential })).toBeUndefined();
  });

  test.each(["me", "me@", "@example.com", "me@example.com x", "x me@example.com", "a@b@c"])(
    "has a username that is no e-mail address: %s",
    (username) => {
      expect(found("username-shape", { exchange: rejected(), credential: wsse({ username }) })).toBeDefined();
    },
  );
});

describe("a paste mistake", () => {
  const form = `the form of a variable or placeholder, such as $NAME, \${{ … }}, %NAME% or <NAME>`;
  const placeOf = (name: string) => `--${name}`;

  test.each([
    [
      wsse({ username: "$A", secret: "$B" }),
      "placeholder",
      `the username and the secret have ${form}`,
      "Check why nothing replaced the placeholder (now set by --username and --secret); a shell replaces nothing in single quotes",
    ],
    [
      wsse({ secret: "'s3cret'" }),
      "quoted",
      "the secret has quotation marks around it",
      "Set the secret without quotation marks around it (now set by --secret)",
    ],
    [
      wsse({ username: "'me'", secret: "'s3cret'" }),
      "quoted",
      "the username and the secret have quotation marks around them",
      "Set the username and the secret without quotation marks around them (now set by --username and --secret)",
    ],
    [
      wsse({ username: "me", secret: "you@example.com" }),
      "swapped",
      "the secret is an e-mail address and the username is not, as if they were swapped",
      "Exchange the username (now set by --username) and the secret (now set by --secret)",
    ],
  ] as const)("of %j (%s) reads: %s", (credential, kind, message, fix) => {
    const id = kind === "swapped" ? "username-secret-swapped" : (`credential-${kind}` as const);
    expect(found(id, { exchange: rejected(), credential, hints: { placeOf } })).toMatchObject({
      message,
      fix,
    });
  });
});

test.each([
  ["https://api.example.com/v1", "port 443 answered"],
  ["https://api.example.com:8443/v1", "port 8443 answered"],
])("a port that does not speak TLS is named: %s", (url, message) => {
  const exchange = tls("ERR_SSL_WRONG_VERSION_NUMBER", null);
  expect(found("not-tls", { exchange, url })?.message).toContain(message);
});

test.each([
  [504, "proxy-target"],
  [404, "not-a-proxy"],
  [302, "proxy-refused"],
] as const)("a proxy that answers CONNECT with %i: %s", (status, id) => {
  expect(findingsIn({ exchange: failed(proxyFailure({ status })) })[0]?.id).toBe(id);
});

test.each([
  ["HTTP/2 instead of HTTP/1.1", "Ask the server's operator to allow HTTP/1.1"],
  ["TLS instead of HTTP/1.1", "Write https:// in the base URL"],
])("a server that speaks %s", (problem, fix) => {
  const [finding] = findingsIn({
    exchange: { kind: "malformed", problem, trace: replied({}).trace },
  });
  expect(finding?.fix).toContain(fix);
});
