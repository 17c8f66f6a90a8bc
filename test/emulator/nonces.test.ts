import { expect, test } from "vitest";
import { headerWith, nonce, now, verdict, withWsse, wsse } from "./support.ts";

test("the last 100,000 nonces are remembered", () => {
  const nonces = new Set(Array.from({ length: 100_000 }, (_, index) => `${index}`));
  const sent = (wire: string) => verdict(headerWith(wire, "2026-11-21T03:31:00+00:00"), { nonces });
  expect(sent("new")).toBe("200 accepted: X-WSSE");
  expect(["new", "1"].map(sent)).toEqual(Array(2).fill("401 replayed: the Nonce has been used before"));
  expect(sent("0")).toBe("200 accepted: X-WSSE");
});

test("a nonce is accepted once, and only an accepted request uses it", () => {
  const nonces = new Set<string>();
  const sent = (changes: object) => verdict(withWsse(wsse({ nonce, ...changes })), { nonces });
  expect(sent({ secret: "other" })).toContain("401 digest");
  expect(sent({ now: now - 301_000 })).toContain("401 stale");
  expect(sent({})).toContain("200 accepted");
  expect(sent({})).toBe("401 replayed: the Nonce has been used before");
  // A wrong digest is told first, so that nobody learns which nonces were used.
  expect(sent({ secret: "other" })).toContain("401 digest");
});
