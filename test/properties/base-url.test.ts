import fc from "fast-check";
import { expect, test } from "vitest";
import { pathBelow } from "../../src/http/exchange.ts";
import { parseBaseUrl } from "../../src/settings/urls.ts";
import { foreignText } from "./arbitraries.ts";
import { numRuns } from "./runs.ts";

const suffix = "/test-authentication";

const hosts = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.constantFrom("localhost", "127.0.0.1", "[::1]", "API.Example.COM", "xn--mnchen-3ya.example"),
);
const segments = fc
  .string({ unit: fc.constantFrom(..."abcXYZ019-._~!$&'()*+,;=:".split(""), "%2F", "%20"), maxLength: 6 })
  // `$NAME` is a placeholder.
  .filter((segment) => !/^\.{1,2}$|\$[a-z_][\w]/i.test(segment));
const good = fc
  .tuple(
    fc.constantFrom("https://", "http://", "HTTPS://"),
    hosts,
    fc.oneof(
      fc.constant(""),
      fc.integer({ min: 1, max: 65_535 }).map((port) => `:${port}`),
    ),
    fc.array(segments, { maxLength: 5 }).map((parts) => parts.map((part) => `/${part}`).join("")),
    fc.constantFrom("", "/", "//", suffix, `${suffix}/`),
  )
  .map((parts) => parts.join(""));

const tricks = fc.constantFrom(
  ..."?#\\@ :/%".split(""),
  ...["//", "..", "/../", "/./", "%2e%2e", "\t", "\n", "user:pw@", "ftp:", "https://", "http:", "[", "]"],
);
const encodedText = foreignText.map((text) => encodeURIComponent(text.replace(/\p{Cs}/gu, "")));
/** Well-formed URLs with an insertion at any place, and arbitrary texts. */
const bad = fc.oneof(
  fc.tuple(good, tricks, fc.nat(80)).map(([url, trick, place]) => {
    const at = place % (url.length + 1);
    return url.slice(0, at) + trick + url.slice(at);
  }),
  foreignText,
  foreignText.map((text) => `https://${text}`),
  // Not fc.webUrl, which makes a table of all of Unicode.
  fc
    .tuple(hosts, encodedText, fc.constantFrom("", "?", "#"), encodedText)
    .map(([host, path, sign, rest]) => `https://${host}/${path}${sign}${rest}`),
);

test("a well-formed base URL is accepted, any other is refused or as good; origin and path are kept, and nothing throws", () => {
  const texts = fc.oneof(
    good.map((text) => ({ text, isGood: true })),
    bad.map((text) => ({ text, isGood: false })),
  );
  fc.assert(
    fc.property(texts, ({ text, isGood }) => {
      const baseUrl = parseBaseUrl(text);
      if ("problem" in baseUrl) {
        expect(isGood).toBe(false);
        expect([baseUrl.problem, baseUrl.hint]).not.toContain("");
        return;
      }
      const { url } = baseUrl;
      expect(url).toMatchObject({ search: "", hash: "", username: "", password: "" });
      // Nothing is left of a user, a query or a fragment, not even its sign.
      expect(url.href).toMatch(/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/);
      // What was written is what is requested, but for slashes at its end: origin and path, read off the text by the grammar of RFC 3986 alone.
      const [, scheme = "", authority = "", path = ""] =
        /^(https?:)\/\/([^/?#@]+)([^?#]*)$/i.exec(text) ?? [];
      expect(url.origin).toBe(new URL(`${scheme}//${authority}`).origin);
      const kept = path.replace(/\/+$/, "");
      const below = kept.endsWith(suffix) ? kept.slice(0, -suffix.length).replace(/\/+$/, "") : kept;
      expect(url.pathname).toBe(below || "/");
      expect(pathBelow(url, suffix)).toBe(below + suffix);
    }),
    { numRuns: 2 * numRuns },
  );
});
