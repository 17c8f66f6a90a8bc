import { shownHost } from "../../http/connect.ts";
import { fix, nowSet } from "../../settings/fix.ts";
import { durationInWords } from "../duration.ts";
import { certificateExpiry } from "../shown.ts";
import { measured, type Rule } from "./evidence.ts";
import { slowStep } from "./time.ts";

// The base URL already names the endpoint.
const suffix: Rule = ({ hints }) =>
  hints.suffixGiven
    ? measured(
        "base-url-suffix",
        "the base URL already ends in /test-authentication, so it was not appended again",
        fix`Remove /test-authentication from the base URL ${nowSet("baseUrl")}; other clients append it themselves`,
      )
    : null;

// No server has these addresses: 0.0.0.0/8 and :: (RFC 1122, 3.2.1.3; RFC 4291, 2.5.2), and loopback, also written as IPv6.
const localAddress = /^(?:::ffff:)?(?:0|127)\.|^::1?$/;

// A hosts file or a DNS filter gives a name such an address. What listens there may have answered. A proxy may be on this
// machine, so its address counts only where it fails.
const leadsHere: Rule = ({ outcome, exchange, redact }) => {
  const { peer, address, tried, steps, step } = exchange.trace.connection;
  if (outcome.kind === "accepted" || (steps.proxy !== null && step !== "proxy")) return null;
  if (/(?:^|\.)localhost\.?$/i.test(peer.host)) return null;
  const reached = [address ?? "", ...tried.map((one) => one.address)];
  const local = reached.find((one) => one !== peer.host && localAddress.test(one));
  if (local === undefined) return null;
  const host = redact(peer.host);
  return measured(
    "local-address",
    `${host} leads to ${shownHost(local)}, an address of this machine: its hosts file or a DNS filter says so`,
    fix`Look for ${host} in this machine's hosts file, and ask whether a DNS filter blocks it`,
  );
};

// The handshake was repeated with a small ClientHello, and that was answered.
const largeHello: Rule = ({ exchange }) =>
  exchange.trace.connection.smallHello
    ? measured(
        "large-client-hello",
        "the usual TLS ClientHello got no answer, and one that fits into one packet did: something on the way, or the server, loses larger ones; every program with OpenSSL 3.5 or later hangs or fails there",
        fix`Ask the operator of the firewall, VPN or load balancer to let a ClientHello of several packets through`,
      )
    : null;

const warningDays = 7;

// The handshake succeeded, so nothing fails yet.
const expiringCertificate: Rule = ({ exchange, url }) => {
  const { connection, sentAt } = exchange.trace;
  const expiry = certificateExpiry(connection);
  if (expiry === null || sentAt === null) return null;
  const seconds = Math.max(0, Math.floor((expiry - sentAt) / 1000));
  if (seconds > warningDays * 86_400) return null;
  return measured(
    "certificate-expires",
    `the certificate of ${url.hostname} expires in ${durationInWords(seconds)}, on ${new Date(expiry).toUTCString()}`,
    fix`Tell the server's operator to renew the certificate: every client will refuse the connection after that`,
  );
};

/** Rules for remarks, which explain no failure, or stand beside its explanation. */
export const remarkRules: readonly Rule[] = [leadsHere, largeHello, expiringCertificate, slowStep, suffix];
