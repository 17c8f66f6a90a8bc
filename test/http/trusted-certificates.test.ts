import * as tls from "node:tls";
import { expect, test } from "vitest";
import { TlsCache } from "../../src/http/trusted-certificates.ts";

/** Whether Node can read certificates of this system. */
const hasSystem = (tls.getCACertificates?.("system") ?? []).length > 0;

test("two routes share trust and TLS sessions only if their extra certificates are the same", () => {
  const cache = new TlsCache();
  const lists = [[], ["a"], ["b"], ["ab"], ["a", "b"], ["b", "a"]];
  const trusts = lists.map((list) => cache.trusting(list));
  expect(new Set(trusts).size).toBe(lists.length);
  expect(new Set(trusts.map(({ sessions }) => sessions)).size).toBe(lists.length);
  expect(lists.map((list) => cache.trusting([...list]))).toEqual(trusts);
  for (const [index, list] of lists.entries()) expect(cache.trusting([...list])).toBe(trusts[index]);
});

test("two runs share nothing", () => {
  expect(new TlsCache().trusting([])).not.toBe(new TlsCache().trusting([]));
});

test("a trust is widened once: a failure with the wider one is final", () => {
  const trust = new TlsCache().trusting([]);
  const first = trust.contextFor(false);
  expect(trust.contextFor(false)).toBe(first);
  const widened = trust.widen(first);
  expect(widened).toBe(hasSystem);
  expect(trust.contextFor(false) !== first).toBe(widened);
  const second = trust.contextFor(false);
  expect(trust.widen(second)).toBe(false);
  expect(trust.contextFor(false)).toBe(second);
  // Another connection of the run failed with the narrower trust: it may try again.
  expect(trust.widen(first)).toBe(widened);
});
