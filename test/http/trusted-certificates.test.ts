import { join } from "node:path";
import * as tls from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { certificatesInFirst, systemCertificates, TlsCache } from "../../src/http/trusted-certificates.ts";
import { authorityCertificate as good } from "../faults/authority.ts";
import { folderWith } from "../support/folder.ts";

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
  const first = trust.context();
  expect(trust.context()).toBe(first);
  const widened = trust.widen(first);
  expect(widened).toBe(hasSystem);
  expect(trust.context() !== first).toBe(widened);
  const second = trust.context();
  expect(trust.widen(second)).toBe(false);
  expect(trust.context()).toBe(second);
  // Another connection of the run failed with the narrower trust: it may try again.
  expect(trust.widen(first)).toBe(widened);
});

const pem = (content: string) => `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----`;
const bad = pem("AAAA");
test.each([
  ["the first file that there is", ["none", "a", "b"], [good.trim()]],
  ["the next one, if the first holds no certificate", ["empty", "folder", "large", "b"], [bad, pem("b")]],
  ["none, if no file holds any", ["none", "empty"], []],
  ["none, without places", [], []],
  ["what stands around a certificate left out", ["c"], [bad, good.trim()]],
])("the bundle of the system: %s", (_, names, found) => {
  const folder = folderWith({
    a: good,
    b: `${bad}${pem("b")}`,
    c: `# a remark\n${bad}\nrest\n${good}-----BEGIN CERTIFICATE-----\ncut`,
    empty: "",
    large: good.repeat(9e6 / good.length),
    "folder/x": "",
  });
  expect(certificatesInFirst(names.map((name) => join(folder, name)))).toEqual(found);
});

test.each([
  ["Node lists them", () => ["listed"], ["listed"]],
  ["Node 20 cannot: those of SSL_CERT_FILE", null, [good.trim()]],
])("the system's certificates, with nothing handed in: %s", (_, list, found) => {
  vi.stubEnv("SSL_CERT_FILE", join(folderWith({ "system.pem": good }), "system.pem"));
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(systemCertificates(list as never)).toEqual(found);
});
