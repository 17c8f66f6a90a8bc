import { expect, test } from "vitest";
import type { Step } from "../../../src/http/failure.ts";
import type { TriedAddress } from "../../../src/http/record.ts";
import { failed, proxyFailure } from "../../support/exchanges.ts";
import { explained } from "./found.ts";

const unnamed = "the proxy p.example:3128 (set by the default)";
const named = "the proxy p.example:3128 (192.0.2.9, set by the default)";
const check = "Check the host and the port of the proxy (set by the default)";
const tried = (address: string, code: string): readonly TriedAddress[] => [{ address, code, ms: 1 }];

// test/faults/proxy-causes.test.ts has what proxies answer.
test.each<[step: Step, code: string, message: string, fix: string, at?: readonly TriedAddress[]]>([
  [
    "lookup",
    "ENOTFOUND",
    `${unnamed} does not exist: this machine's DNS knows no such name (ENOTFOUND)`,
    "Check the spelling of the host of the proxy (set by the default), and whether you need a VPN to reach it",
  ],
  [
    "lookup",
    "ENODATA",
    `${unnamed} exists in DNS, but has no address (ENODATA)`,
    "Check the host of the proxy",
  ],
  ["lookup", "EAI_AGAIN", `DNS gave no answer for ${unnamed} (EAI_AGAIN)`, "Look up another name"],
  [
    "connect",
    "ECONNREFUSED",
    `${named} refused the connection (ECONNREFUSED)`,
    `${check}: nothing listens there, or a firewall rejects the connection`,
    tried("192.0.2.9", "ECONNREFUSED"),
  ],
  [
    "connect",
    "ENETUNREACH",
    `${unnamed} has only IPv6 addresses ([2001:db8::9]), and this machine has no IPv6 route there (ENETUNREACH)`,
    "Check whether this machine's network has IPv6, and whether you need a VPN",
    tried("2001:db8::9", "ENETUNREACH"),
  ],
  [
    "lookup",
    "ERR_ACCESS_DENIED",
    `${unnamed} could not be looked up: the permissions of this Node.js forbid it the network (ERR_ACCESS_DENIED)`,
    "Start Node.js with --allow-net",
  ],
  [
    "connect",
    "EMFILE",
    `no connection to ${unnamed}: this process may open no more files and connections (EMFILE)`,
    "Lower --concurrency",
    tried("192.0.2.9", "EMFILE"),
  ],
  [
    "tls",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    `${named} answered, but does not speak TLS (ERR_SSL_WRONG_VERSION_NUMBER)`,
    "Write http:// in the address of the proxy (set by the default)",
  ],
  [
    "tls",
    "ECONNRESET",
    `${named} ended the connection in the TLS handshake (ECONNRESET)`,
    "Check the port of the proxy (set by the default); write http:// in its address if it does not",
  ],
  [
    "tls",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    `there is no trusted TLS connection to ${named} itself (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    "Give the certificate of the CA of the proxy (set by the default) with --ca-cert",
  ],
  [
    "tls",
    "CERT_HAS_EXPIRED",
    `there is no trusted TLS connection to ${named} itself (CERT_HAS_EXPIRED)`,
    "Check the host of the proxy (set by the default), and tell the proxy's operator this code",
  ],
  [
    "response",
    "EOF",
    `${named} ended the connection and did not answer CONNECT (EOF)`,
    `${check}, and ask its operator whether it allows api.example.com port 443`,
  ],
])("a proxy that fails at %s with %s: %s", (step, code, message, fix, at = []) => {
  const exchange = failed(proxyFailure({ step, code }), { tried: at });
  const { headline, findings } = explained({ exchange });
  expect(headline).toBe(message);
  expect(findings).toMatchObject([{ id: "proxy-unreachable", certainty: "measured", message }]);
  expect(findings[0]?.fix.slice(0, fix.length)).toBe(fix);
  expect(findings[0]?.fix).not.toContain("a proxy");
  expect(findings[0]?.fix.includes("--ca-cert")).toBe(code === "DEPTH_ZERO_SELF_SIGNED_CERT");
});

test.each([
  ["ECONNRESET", "proxy-target", "and the connection ended before anything came through (ECONNRESET)"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "not-a-proxy", "but no TLS came through it"],
])("a tunnel that fails with %s is the proxy's: %s", (code, id, says) => {
  const exchange = failed(proxyFailure({ step: "proxy", code, received: "part" }, { status: 200 }));
  const { headline, findings } = explained({ exchange });
  const message = expect.stringContaining(`${named} answered CONNECT with 200, ${says}`);
  expect(headline).toEqual(message);
  expect(findings).toMatchObject([{ id, certainty: "measured", message }]);
});

test("an IPv6 address of a proxy stands in brackets", () => {
  const exchange = failed(proxyFailure({ peer: { host: "::1", port: 3128 } }, { status: 403 }));
  expect(explained({ exchange }).headline).toMatch(/^the proxy \[::1\]:3128 .* answered CONNECT with 403$/);
});
