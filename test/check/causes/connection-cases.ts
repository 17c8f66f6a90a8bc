import type { RuleId } from "../../../src/check/result.ts";
import { expired, replied } from "../../support/exchanges.ts";
import { accepted, certificate, connectedAs, facts, handshake, proxied, stepsOf } from "./exchanges.ts";
import type { CauseCase } from "./found.ts";

const internal = handshake("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR");

const expiring = (certificateExpiresAt: string) => connectedAs(accepted(), { certificateExpiresAt });

/** A row for each finding about the way to the server. */
export const connectionCauses = {
  "proxy-unreachable": [
    proxied(null, "ECONNRESET"),
    proxied(407),
    "(192.0.2.9, set by the default) ended the connection and did not answer CONNECT (ECONNRESET)",
  ],
  "proxy-target": [proxied(503), proxied(403), "with 503: it could not reach api.example.com port 443"],
  "proxy-refused": [proxied(407), proxied(null, "ECONNREFUSED"), "it asks for credentials of its own"],
  "not-a-proxy": [proxied(405), proxied(403), "it is a web server and no proxy, or it allows no https"],
  "local-address": [
    connectedAs(replied({ status: 404 }), { address: "127.0.0.1" }),
    connectedAs(accepted(), { address: "127.0.0.1" }),
    "api.example.com leads to 127.0.0.1, an address of this machine",
  ],
  "slow-step": [
    { exchange: expired({ step: "response" }, { steps: stepsOf({ lookup: 9_900 }) }) },
    connectedAs(accepted(), { steps: stepsOf({ lookup: 9_900 }) }),
    "the time went to: name lookup 9.9 s",
  ],
  "lost-packets": [
    handshake("ECONNRESET", "nothing"),
    handshake("ECONNRESET", "alert"),
    "a device on the way may lose large packets",
  ],
  "certificate-expired": [
    certificate("CERT_HAS_EXPIRED"),
    certificate("CERT_NOT_YET_VALID"),
    "the certificate of api.example.com, issued by A CA, expired on 2026-01-01T00:00:00.000Z",
  ],
  "certificate-expires": [
    expiring("2026-11-28T12:00:01.000Z"),
    expiring("2026-11-28T12:00:02.000Z"),
    "the certificate of api.example.com expires in 7 days, on 2026-11-28T12:00:01.000Z",
  ],
  "certificate-not-yet-valid": [
    certificate("CERT_NOT_YET_VALID"),
    certificate("CERT_HAS_EXPIRED"),
    "is not valid before 2025-01-01T00:00:00.000Z",
  ],
  "certificate-unfit": [
    certificate("INVALID_PURPOSE"),
    certificate("INVALID_PURPOSE", null),
    "is refused by OpenSSL (INVALID_PURPOSE)",
  ],
  "certificate-host": [
    certificate("ERR_TLS_CERT_ALTNAME_INVALID"),
    certificate("CERT_HAS_EXPIRED"),
    "issued by A CA, is for api.example.com",
  ],
  "certificate-self-signed": [
    certificate("DEPTH_ZERO_SELF_SIGNED_CERT"),
    certificate("DEPTH_ZERO_SELF_SIGNED_CERT", null),
    "is signed by itself",
  ],
  "certificate-unknown-ca": [
    certificate("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
    certificate("ECONNRESET", null),
    "came alone, and is signed by a CA that is not known here",
  ],
  "certificate-of-others": [
    certificate("DEPTH_ZERO_SELF_SIGNED_CERT", { ...facts, fitsHost: false }),
    certificate("DEPTH_ZERO_SELF_SIGNED_CERT"),
    "is signed by itself, and is not for api.example.com: somebody else answers",
  ],
  "tls-parameters": [
    handshake("ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "alert"),
    handshake("ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "part"),
    "the server accepted no TLS version, cipher or group that this tool offers",
  ],
  "client-certificate": [
    handshake("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"),
    handshake("ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "alert"),
    "the server wants a client certificate, and this tool sends none",
  ],
  "http-version": [
    handshake("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"),
    internal,
    "may speak HTTP/2 alone",
  ],
  "tls-version": [handshake("ERR_SSL_UNSUPPORTED_PROTOCOL"), internal, "neither TLS 1.2 nor TLS 1.3"],
  "unknown-server-name": [
    handshake("ERR_SSL_TLSV1_UNRECOGNIZED_NAME"),
    internal,
    "the server has no certificate for the name api.example.com",
  ],
  "not-tls": [
    handshake("ERR_SSL_WRONG_VERSION_NUMBER"),
    handshake("ERR_SSL_NO_PROTOCOLS_AVAILABLE"),
    "port 443 answered, but does not speak TLS",
  ],
} as const satisfies Partial<Record<RuleId, CauseCase>>;
