import type { PeerCertificate } from "node:tls";
import { expect, test } from "vitest";
import { factsOf } from "../../src/http/certificate.ts";

const [past, future] = ["Jan  1 00:00:00 2020 GMT", "Jan  1 00:00:00 2120 GMT"];
const clientOnly = ["1.3.6.1.5.5.7.3.2"];

/** A certificate with this subject, valid now and without a purpose. Of those above the server's own, each is a CA. */
function certificate(name: string, rest: object = {}): PeerCertificate {
  const ca = name !== "own";
  const valid = { valid_from: past, valid_to: future };
  return {
    subject: { CN: name },
    issuer: { CN: "issuer" },
    ca,
    ...valid,
    ...rest,
  } as unknown as PeerCertificate;
}

const expired = { valid_to: past };
const early = { valid_from: future };
const unfit = { ext_key_usage: clientOnly };
const server = { ext_key_usage: ["1.3.6.1.5.5.7.3.1", ...clientOnly] };
const noCa = { ca: false };

test.each([
  ["CERT_HAS_EXPIRED", {}, expired, {}, "middle"],
  ["CERT_HAS_EXPIRED", expired, expired, {}, "own"],
  ["CERT_HAS_EXPIRED", {}, {}, {}, "own"],
  ["CERT_NOT_YET_VALID", {}, {}, early, "root"],
  ["CERT_NOT_YET_VALID", {}, {}, {}, "own"],
  // An issuer that is no CA is refused before a purpose is looked at.
  ["INVALID_PURPOSE", unfit, noCa, {}, "middle"],
  ["INVALID_PURPOSE", {}, unfit, noCa, "root"],
  ["INVALID_PURPOSE", unfit, unfit, {}, "own"],
  ["INVALID_PURPOSE", server, unfit, {}, "middle"],
  ["INVALID_PURPOSE", server, {}, {}, "own"],
  ["INVALID_CA", unfit, {}, noCa, "root"],
  ["SELF_SIGNED_CERT_IN_CHAIN", {}, {}, {}, "root"],
  ["UNABLE_TO_GET_ISSUER_CERT", {}, {}, {}, "root"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", {}, {}, {}, "root"],
  ["HOSTNAME_MISMATCH", {}, expired, unfit, "own"],
])("%s of %j below %j and %j is about the %s certificate", (code, own, middle, root, subject) => {
  const chain = [certificate("own", own), certificate("middle", middle), certificate("root", root)] as const;
  expect(factsOf(code, chain, true)).toMatchObject({ subject, isServers: subject === "own" });
});
