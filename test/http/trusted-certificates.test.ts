import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import * as tls from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  BoundedCache,
  certificatesInFirst,
  onlyCertificates,
  systemCertificates,
  TlsCache,
} from "../../src/http/trusted-certificates.ts";
import { authorityCertificate as good, success, trusted } from "../faults/authority.ts";
import { identity } from "../faults/certificates.ts";
import { securing } from "../faults/peers.ts";
import { folderWith } from "../support/folder.ts";
import { secureExchange } from "./exchange-with.ts";

/** Whether Node can read certificates of this system. */
const hasSystem = (tls.getCACertificates?.("system") ?? []).length > 0;

test("values are kept up to the limit; the one that was added first goes first", () => {
  const sessions = new BoundedCache<number>(3);
  for (const [index, key] of ["a", "b", "c", "d"].entries()) sessions.set(key, index);
  expect(["a", "b", "c", "d"].map((key) => sessions.get(key))).toEqual([undefined, 1, 2, 3]);
  sessions.set("c", 4);
  expect(["b", "c", "d"].map((key) => sessions.get(key))).toEqual([1, 4, 3]);
});

test("two routes share trust and TLS sessions only if their extra certificates are the same", () => {
  const cache = new TlsCache();
  const lists = [[], ["a"], ["b"], ["ab"], ["a", "b"], ["b", "a"]];
  const trusts = lists.map((list) => cache.trusting(list));
  expect(new Set(trusts).size).toBe(lists.length);
  expect(new Set(trusts.map(({ sessions }) => sessions)).size).toBe(lists.length);
  expect(lists.map((list) => cache.trusting([...list]))).toEqual(trusts);
  for (const [index, list] of lists.entries()) expect(cache.trusting([...list])).toBe(trusts[index]);
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
const other = identity({ commonName: "Other" });
test.each([
  ["the first file that there is", ["none", "a", "b"], [good.trim()]],
  ["the next one, if the first holds no certificate", ["empty", "folder", "large", "b"], [bad, pem("b")]],
  ["none, if no file holds any", ["none", "empty"], []],
  ["none, without places", [], []],
  [
    "what stands around a certificate left out",
    ["c"],
    [bad, good.trim(), "-----BEGIN CERTIFICATE-----\ncut"],
  ],
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
  ["Node lists them", (kind: string) => [kind], ["system"]],
  ["Node 20 cannot: those of a distribution's file", null, expect.any(Array)],
])("the system's certificates: %s", (_, list, found) => {
  expect(systemCertificates(list as never)).toEqual(found);
});

describe("SSL_CERT_FILE", () => {
  const named = (content: string): string => {
    const file = join(folderWith({ "only.pem": content }), "only.pem");
    vi.stubEnv("SSL_CERT_FILE", file);
    onTestFinished(() => void vi.unstubAllEnvs());
    return file;
  };

  test.each([
    ["Node lists them", (kind: string) => [kind], [good.trim(), "extra"]],
    ["Node 20 cannot", null, [good.trim(), "-----BEGIN CERTIFICATE-----\nb\n-----END CERTIFICATE-----"]],
  ])("counts beside what NODE_EXTRA_CA_CERTS adds: %s", (_, list, found) => {
    vi.stubEnv("NODE_EXTRA_CA_CERTS", join(folderWith({ x: pem("b") }), "x"));
    expect(onlyCertificates(named(good), list as never)).toEqual(found);
  });

  test("replaces all other roots at once, or after the certificates that are given did not suffice", () => {
    named(good);
    const without = new TlsCache().trusting([]);
    const first = without.context();
    expect([without.widen(first), without.onlyStored]).toEqual([false, 1]);
    const trust = new TlsCache().trusting([pem("a")]);
    expect(trust.widen(trust.context())).toBe(true);
    expect(trust.widen(trust.context())).toBe(false);
  });

  test.each([
    [false, "response"],
    [true, "failed"],
  ])("set, %s: a server whose CA Node has among its own roots gives a %s", async (isSet, kind) => {
    const roots = tls.getCACertificates("default");
    tls.setDefaultCACertificates([good]);
    onTestFinished(() => tls.setDefaultCACertificates(roots));
    if (isSet) named(other.cert);
    const api = await securing(trusted, success);
    expect(await secureExchange(api.url, { extraCertificates: [] })).toMatchObject({ kind });
  });

  test.each([
    ["names a file without certificates", "", 0],
    ["is empty", null, null],
  ])("%s", (_, content, count) => {
    if (content === null) vi.stubEnv("SSL_CERT_FILE", "");
    else named(content);
    expect(new TlsCache().trusting([]).onlyStored).toBe(count);
  });

  test("and what gave a certificate is known", () => {
    named(other.cert);
    const trust = new TlsCache().trusting([pem("AAAA"), good]);
    const givenBy = (cert: string) => trust.givenBy({ raw: new X509Certificate(cert).raw });
    expect([givenBy(good), givenBy(other.cert)]).toEqual(["extraCertificates", null]);
    trust.widen(trust.context());
    expect([givenBy(good), givenBy(other.cert), givenBy(trusted.cert)]).toEqual([
      "extraCertificates",
      "SSL_CERT_FILE",
      null,
    ]);
  });
});
