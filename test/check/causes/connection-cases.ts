import type { RuleId } from "../../../src/check/outcome.ts";
import { failed } from "../../support/exchanges.ts";
import { type CauseCase, handshake, proxied, tls, unknownHost } from "./exchanges.ts";

/** The causes of a missing response. */
export const connectionCases = {
  "proxy-unreachable": {
    shows: proxied(null, "ECONNREFUSED"),
    near: proxied(407),
    says: "the proxy p.example:3128 (set by the default) cannot be reached or broke the connection (ECONNREFUSED)",
  },
  "misspelt-host": {
    shows: { exchange: unknownHost, hints: { otherHosts: ["api.exmple.com", "api.example.com"] } },
    near: { exchange: unknownHost, hints: { otherHosts: ["api.exmple.com", "other.example.com"] } },
    says: "api.exmple.com differs in one letter from api.example.com, which is set too",
  },
  "certificate-expired": {
    shows: { exchange: tls("CERT_HAS_EXPIRED") },
    near: { exchange: tls("CERT_NOT_YET_VALID") },
    says: "the certificate of api.example.com, issued by A CA, expired on Jan  1 2026",
  },
  "certificate-not-yet-valid": {
    shows: { exchange: tls("CERT_NOT_YET_VALID") },
    near: { exchange: tls("CERT_HAS_EXPIRED") },
    says: "the certificate of api.example.com, issued by A CA, is not valid before Jan  1 2025",
  },
  "certificate-unfit": {
    shows: { exchange: tls("INVALID_PURPOSE") },
    near: { exchange: tls("INVALID_PURPOSE", null) },
    says: "the certificate of api.example.com, issued by A CA, is not meant for servers (key usage or extended key usage)",
  },
  "client-certificate": {
    shows: handshake("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"),
    near: handshake("ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE"),
    says: "the server wants a client certificate, and this tool sends none",
  },
  "http-version": {
    shows: handshake("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"),
    near: handshake("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"),
    says: "the server refuses HTTP/1.1; it may speak HTTP/2 alone",
  },
  "tls-version": {
    shows: handshake("ERR_SSL_UNSUPPORTED_PROTOCOL"),
    near: handshake("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"),
    says: "the server speaks neither TLS 1.2 nor TLS 1.3",
  },
  "unknown-server-name": {
    shows: handshake("ERR_SSL_TLSV1_UNRECOGNIZED_NAME"),
    near: handshake("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"),
    says: "the server has no certificate for the name api.example.com",
  },
  "certificate-host": {
    shows: { exchange: tls("ERR_TLS_CERT_ALTNAME_INVALID") },
    near: { exchange: tls("CERT_HAS_EXPIRED") },
    says: "the certificate of api.example.com, issued by A CA, is for api.example.com",
  },
  "certificate-self-signed": {
    shows: { exchange: tls("DEPTH_ZERO_SELF_SIGNED_CERT") },
    near: { exchange: tls("DEPTH_ZERO_SELF_SIGNED_CERT", null) },
    says: "the certificate of api.example.com, issued by A CA, is signed by itself",
  },
  "certificate-unknown-ca": {
    shows: { exchange: tls("UNABLE_TO_VERIFY_LEAF_SIGNATURE") },
    near: { exchange: tls("ECONNRESET", null) },
    says: "the certificate of api.example.com, issued by A CA, is signed by a CA that is not known here",
  },
  "not-tls": {
    shows: handshake("ERR_SSL_WRONG_VERSION_NUMBER"),
    near: handshake("ERR_SSL_NO_PROTOCOLS_AVAILABLE"),
    says: "port 443 answered, but does not speak TLS",
  },
  "not-a-proxy": {
    shows: proxied(405),
    near: proxied(403),
    says: "the proxy p.example:3128 (set by the default) answered CONNECT with 405: it is a web server and no proxy, or it allows no https",
  },
  "proxy-target": {
    shows: proxied(503),
    near: proxied(403),
    says: "the proxy p.example:3128 (set by the default) answered CONNECT with 503: it could not reach api.example.com port 443",
  },
  "proxy-refused": {
    shows: proxied(407),
    near: proxied(null, "ECONNREFUSED"),
    says: "the proxy p.example:3128 (set by the default) answered CONNECT with 407: it asks for credentials of its own",
  },
  "https-expected": {
    shows: {
      exchange: failed({ kind: "closed", code: "EOF", received: "nothing" }),
      url: "http://api.example.com/v1/test-authentication",
    },
    near: { exchange: failed({ kind: "closed", code: "EOF", received: "nothing" }) },
    says: "port 80 may expect https",
  },
} as const satisfies Partial<Record<RuleId, CauseCase>>;
