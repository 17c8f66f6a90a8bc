import fc from "fast-check";
import { expect, test } from "vitest";
import { endpointOf } from "../../src/settings/base-url.ts";
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
  .filter((segment) => !/^\.{1,2}$/.test(segment));
const paths = fc.array(segments, { maxLength: 5 }).map((parts) => parts.map((part) => `/${part}`).join(""));
const good = fc
  .tuple(
    fc.constantFrom("https://", "http://", "HTTPS://"),
    hosts,
    fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: null }),
    paths,
    fc.constantFrom("", "/", "//", suffix, `${suffix}/`),
  )
  .map(
    ([scheme, host, port, path, end]) => `${scheme}${host}${port === null ? "" : `:${port}`}${path}${end}`,
  );

const tricks = fc.constantFrom(
  ..."?#\\@ :/%".split(""),
  ...["//", "..", "/../", "/./", "%2e%2e", "\t", "\n", "user:pw@", "ftp:", "https://", "http:", "[", "]"],
);
/** Well-formed URLs with an insertion at any place, and arbitrary texts. */
const bad = fc.oneof(
  fc
    .tuple(good, tricks, fc.nat(80))
    .map(
      ([url, trick, at]) => url.slice(0, at % (url.length + 1)) + trick + url.slice(at % (url.length + 1)),
    ),
  foreignText,
  foreignText.map((text) => `https://${text}`),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
);

function holds(text: string): void {
  const endpoint = endpointOf(text);
  if ("problem" in endpoint) {
    expect(endpoint.problem).not.toBe("");
    expect(endpoint.hint).not.toBe("");
    return;
  }
  const { url } = endpoint;
  expect(url).toMatchObject({ search: "", hash: "", username: "", password: "" });
  expect(url.href).not.toMatch(/[?#@]$/);
  expect(["http:", "https:"]).toContain(url.protocol);
  // What was written is what is requested: origin and path, read off the text by the grammar of RFC 3986 alone.
  const [, scheme = "", authority = "", path = ""] = /^(https?:)\/\/([^/?#]*)([^?#]*)$/i.exec(text) ?? [];
  expect(authority).not.toBe("");
  expect(authority).not.toContain("@");
  expect(new URL(`${scheme}//${authority}`).origin).toBe(url.origin);
  const kept = path.replace(/\/+$/, "");
  expect(url.pathname).toBe(kept.endsWith(suffix) ? kept : kept + suffix);
  expect(endpoint.suffixGiven).toBe(kept.endsWith(suffix));
}

test("a well-formed base URL is accepted; origin and path are kept, and the endpoint appended once", () => {
  fc.assert(
    fc.property(good, (text) => {
      expect(endpointOf(text), text).not.toHaveProperty("problem");
      holds(text);
    }),
    { numRuns },
  );
});

test("any other text is refused with a problem and a hint, or keeps origin and path; nothing throws", () => {
  fc.assert(fc.property(bad, holds), { numRuns });
});

test.each([
  "https:///user:pass@api.example.com/v1",
  "https:////api.example.com/v1",
  "https:///",
  "https://user@api.example.com",
  "https://api.example.com/v1/%2E%2e/admin",
])("%s is refused: its host is not where the text says", (text) => {
  expect(endpointOf(text)).toHaveProperty("problem");
});

test("port 0 is refused: nothing listens there, and another port would be asked", () => {
  expect(endpointOf("https://api.example.com:0/v1")).toHaveProperty("problem");
});
