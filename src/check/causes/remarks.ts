import { hostAndPort } from "../../http/record.ts";
import { fix } from "../../settings/fix.ts";
import { shownHost } from "../../system/addresses.ts";
import { clockAdvice, maxCorrectionSeconds } from "../changes.ts";
import { durationInWords, measured, possible } from "../result.ts";
import { baseUrl, type Evidence, mayBeRefused, type Rule } from "./evidence.ts";
import { slowStep } from "./failure.ts";

// Services that check Created usually allow minutes, so a smaller difference explains no refusal.
const notableSeconds = 30;
// Time zones reach from UTC-12 to UTC+14.
const widestHours = 26;

const clock: Rule = ({ clock, credential }) => {
  if (clock === null || Math.abs(clock.skewSeconds) < notableSeconds + clock.uncertaintySeconds) return null;
  const ahead = clock.skewSeconds > 0;
  const seconds = Math.abs(clock.skewSeconds);
  const hours = Math.round(seconds / 3600);
  const zone = hours >= 1 && hours <= widestHours && Math.abs(seconds - hours * 3600) <= 60;
  const suggestion = zone
    ? ": perhaps a wrong time zone"
    : credential.method === "wsse" && seconds > maxCorrectionSeconds
      ? ", too much for a diagnosis to try: it corrects at most 48 hours"
      : "";
  const advice = zone ? fix`Check this machine's time zone. ${clockAdvice}` : clockAdvice;
  return measured(
    ahead ? "clock-ahead" : "clock-behind",
    `this clock is ${durationInWords(seconds)} ${ahead ? "ahead of" : "behind"} the server${suggestion}`,
    advice,
  );
};

/** A wrong clock can explain a refusal of WSSE, whose header holds the time. */
const explains = (evidence: Evidence): boolean =>
  evidence.credential.method === "wsse" && mayBeRefused(evidence);

/** A clock difference that may be the cause. */
export const clockCause: Rule = (evidence) => explains(evidence) && clock(evidence);

/** A clock difference that explains nothing here. */
export const clockRemark: Rule = (evidence) => !explains(evidence) && clock(evidence);

const suffix: Rule = ({ hints }) =>
  hints.suffixGiven
    ? measured(
        "base-url-suffix",
        "the base URL already ends in /test-authentication, so it was not appended again",
        fix`Remove /test-authentication from ${baseUrl}; other clients append it themselves`,
      )
    : null;

// No server on another machine has these addresses: 0.0.0.0/8 and :: (RFC 1122, 3.2.1.3; RFC 4291, 2.5.2), and loopback, also written as IPv6.
const localAddress = /^(?:::ffff:)?(?:0|127)\.|^::1?$/;

// A hosts file or a DNS filter gives a name such an address. What listens there may have answered. A proxy may be on this
// machine, so its address counts only where it fails.
const leadsHere: Rule = ({ outcome, exchange, url, redact }) => {
  if (outcome.kind === "accepted") return null;
  const { address, tried, proxy } = exchange.trace.connection;
  const failure = "failure" in outcome ? outcome.failure : null;
  if (proxy !== null && failure?.at !== "proxy") return null;
  const { host } = failure?.peer ?? hostAndPort(url);
  if (/(?:^|\.)localhost\.?$/i.test(host)) return null;
  const reached = [address ?? "", ...tried.map((one) => one.address)];
  const local = reached.find((one) => one !== host && localAddress.test(one));
  if (local === undefined) return null;
  const name = redact(host);
  return measured(
    "local-address",
    `${name} leads to ${shownHost(local)}, an address of this machine: its hosts file or a DNS filter says so`,
    fix`Look for ${name} in this machine's hosts file, and ask whether a DNS filter blocks it`,
  );
};

// The ClientHello of OpenSSL 3.5 takes more than one packet.
const lostPackets: Rule = ({ outcome }) =>
  "failure" in outcome &&
  ["tls", "proxy"].includes(outcome.failure.step) &&
  outcome.failure.received === "nothing" &&
  possible(
    "lost-packets",
    "nothing came back in the TLS handshake: a device on the way may lose large packets",
    fix`Ask the operator of the firewall, VPN or load balancer to let a ClientHello of several packets through`,
  );

const warningDays = 7;

// The handshake succeeded, so nothing fails yet.
const expiringCertificate: Rule = ({ exchange, url, redact }) => {
  const { connection, sentAt } = exchange.trace;
  const { certificateExpiresAt: expiry } = connection;
  if (expiry === null || sentAt === null) return null;
  const seconds = Math.max(0, Math.floor((Date.parse(expiry) - sentAt) / 1000));
  if (seconds > warningDays * 86_400) return null;
  return measured(
    "certificate-expires",
    `the certificate of ${redact(url.hostname)} expires in ${durationInWords(seconds)}, on ${expiry}`,
    fix`Tell the server's operator to renew the certificate: every client will refuse the connection after that`,
  );
};

/** Rules for remarks, which explain no failure, or stand beside its explanation. */
export const remarkRules: readonly Rule[] = [leadsHere, lostPackets, expiringCertificate, slowStep, suffix];
