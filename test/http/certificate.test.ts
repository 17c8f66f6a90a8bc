import type { PeerCertificate } from "node:tls";
import { expect, test } from "vitest";
import { factsOf } from "../../src/http/tls.ts";

const [past, future] = ["Jan  1 00:00:00 2020 GMT", "Jan  1 00:00:00 2120 GMT"];

/** A certificate with this subject, valid now. */
function certificate(name: string, rest: object = {}): PeerCertificate {
  const valid = { valid_from: past, valid_to: future };
  return { subject: { CN: name }, issuer: { CN: "issuer" }, ...valid, ...rest } as unknown as PeerCertificate;
}

const expired = { valid_to: past };
const early = { valid_from: future };

test.each([
  ["CERT_HAS_EXPIRED", {}, expired, {}, "middle"],
  ["CERT_HAS_EXPIRED", expired, expired, {}, "own"],
  ["CERT_HAS_EXPIRED", {}, {}, {}, "own"],
  ["CERT_NOT_YET_VALID", {}, {}, early, "root"],
  ["CERT_NOT_YET_VALID", {}, {}, {}, "own"],
  ["SELF_SIGNED_CERT_IN_CHAIN", {}, {}, {}, "root"],
  ["UNABLE_TO_GET_ISSUER_CERT", {}, {}, {}, "root"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", {}, {}, {}, "root"],
  ["INVALID_PURPOSE", {}, expired, {}, "own"],
])("%s of %j below %j and %j is about the %s certificate", (code, own, middle, root, subject) => {
  const chain = [certificate("own", own), certificate("middle", middle), certificate("root", root)] as const;
  expect(factsOf(code, chain, true)).toMatchObject({ subject, isServers: subject === "own" });
});

test.each([
  ["Jan  1 00:00:00 2020 GMT", "2020-01-01T00:00:00.000Z"],
  ["Bad time value", "Bad time value"],
])("the date %s is told as %s", (date, told) => {
  const chain = [certificate("own", { valid_from: date, valid_to: date })] as const;
  expect(factsOf("CERT_HAS_EXPIRED", chain, true)).toMatchObject({ validFrom: told, validTo: told });
});
