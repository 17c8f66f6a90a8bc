import type { PeerCertificate } from "node:tls";
import { expect, test } from "vitest";
import { factsOf } from "../../src/http/tls.ts";

// test/faults/tls-causes.test.ts shows which certificate of a real chain each code is about.
test.each([
  ["Jan  1 00:00:00 2020 GMT", "2020-01-01T00:00:00.000Z"],
  ["Bad time value", "Bad time value"],
])("the date %s of a certificate is told as %s", (date, told) => {
  const certificate = { subject: {}, issuer: {}, valid_from: date, valid_to: date };
  const own = { fitsHost: true, cameAlone: true };
  const trust = { givenBy: () => null, onlyStored: null };
  const facts = factsOf("CERT_HAS_EXPIRED", [certificate as unknown as PeerCertificate], own, trust);
  expect(facts).toMatchObject({ subject: "no name", validFrom: told, validTo: told });
});
