import { describe, expect, test } from "vitest";
import { facts, tls } from "./exchanges.ts";
import { explained, findingsIn } from "./found.ts";

describe("a certificate", () => {
  const message = (code: string, names: readonly string[] = []) =>
    findingsIn({ exchange: tls(code, { ...facts, names }) })[0]?.message;
  const whose = "the certificate of api.example.com, issued by A CA,";

  test.each([
    ["CERT_REVOKED", "", "is refused by OpenSSL (CERT_REVOKED)"],
    ["CERT_REVOKED", "certificate revoked", "is refused by OpenSSL: certificate revoked (CERT_REVOKED)"],
    ["UNSPECIFIED", "EE certificate key too weak", "has a key or a signature that is too weak"],
  ])("refused with %s (%s) %s", (code, reason, says) => {
    const [finding] = findingsIn({ exchange: tls(code, facts, reason) });
    expect(finding).toMatchObject({ id: "certificate-unfit", certainty: "measured" });
    expect(finding?.message).toContain(`${whose} ${says}`);
  });

  test("of somebody else is told by the server's own, whichever is refused, and never names --ca-cert", () => {
    const others = (code: string, isServers: boolean) =>
      findingsIn({ exchange: tls(code, { ...facts, fitsHost: false, isServers }) })[0];
    expect(others("UNABLE_TO_VERIFY_LEAF_SIGNATURE", true)?.message).toContain(
      `${whose} came alone, and is signed by a CA that is not known here, and is not for api.example.com: somebody`,
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
      findings: [
        { message: `${whose} is refused by OpenSSL: unsupported name constraint type (UNSPECIFIED)` },
      ],
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
