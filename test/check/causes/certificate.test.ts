import { describe, expect, test } from "vitest";
import { facts, tls } from "./exchanges.ts";
import { explained, findingsIn } from "./found.ts";

describe("a certificate", () => {
  const message = (code: string, names: readonly string[] = []) =>
    findingsIn({ exchange: tls(code, { ...facts, names }) })[0]?.message;
  const whose = "the certificate of api.example.com, issued by A CA,";

  // Those that OpenSSL can be made to give are in test/faults/tls-causes.test.ts.
  test.each([
    ["ERROR_IN_CERT_NOT_AFTER_FIELD", "has a date that cannot be read"],
    ["UNABLE_TO_DECRYPT_CERT_SIGNATURE", "has a signature that its issuer has not made"],
    ["CERT_REJECTED", "belongs to a chain whose CA is not trusted for servers"],
    ["CERT_REVOKED", "was revoked by its issuer"],
    ["CERT_CHAIN_TOO_LONG", "has too many certificates above it"],
    ["INVALID_CA", "is not meant for servers (key usage or extended key usage)"],
    ["HOSTNAME_MISMATCH", "is for api.example.com"],
  ])("refused with %s %s", (code, says) => {
    expect(message(code)).toBe(`${whose} ${says}`);
  });

  test.each(["UNABLE_TO_GET_CRL", "CRL_HAS_EXPIRED", "OUT_OF_MEM"])(
    "refused with %s, for which there is no sentence, gets a neutral one with the code",
    (code) => expect(message(code)).toBe(`${whose} is refused by OpenSSL: ${code}`),
  );

  test.each([true, false])(
    "that has expired names --ca-cert only above the server's own: %s",
    (isServers) => {
      const [expired] = findingsIn({ exchange: tls("CERT_HAS_EXPIRED", { ...facts, isServers }) });
      expect(expired?.fix.includes("--ca-cert")).toBe(!isServers);
    },
  );

  test("of somebody else is told by the server's own, whichever is refused, and never names --ca-cert", () => {
    const others = (code: string, isServers: boolean) =>
      findingsIn({ exchange: tls(code, { ...facts, fitsHost: false, isServers }) })[0];
    expect(others("UNABLE_TO_VERIFY_LEAF_SIGNATURE", true)?.message).toContain(
      `${whose} is signed by a CA that is not known here, and is not for api.example.com: somebody`,
    );
    const above = others("SELF_SIGNED_CERT_IN_CHAIN", false);
    expect(above?.id).toBe("certificate-of-others");
    expect(above?.message).toContain("and the server's own is not for api.example.com: somebody");
    expect(above?.fix).not.toContain("--ca-cert");
  });

  test("refused without a code is told by the words of OpenSSL, in the headline as well", () => {
    const exchange = tls("UNSPECIFIED", facts, "unsupported name constraint type");
    expect(explained({ exchange })).toMatchObject({
      headline:
        "no trusted TLS connection (UNSPECIFIED: unsupported name constraint type) to api.example.com (192.0.2.7) port 443",
      findings: [{ message: `${whose} is refused by OpenSSL: unsupported name constraint type` }],
    });
  });

  test("of other hosts names three of them, or its subject if it names none", () => {
    const names = ["DNS:a.example", "IP Address:192.0.2.1", "x-DNS:c.example", "DNS:d.example"];
    expect(message("ERR_TLS_CERT_ALTNAME_INVALID", names)).toBe(
      `${whose} is for a.example, 192.0.2.1, x-DNS:c.example`,
    );
    expect(message("ERR_TLS_CERT_ALTNAME_INVALID")).toBe(`${whose} is for api.example.com`);
  });
});
