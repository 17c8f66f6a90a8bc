// Remarks that explain no failure by themselves, or stand beside its explanation: the clock, a local address, what is set.

import { fix, nowSet } from "../../settings/fix.ts";
import { hostAndPort, shownHost } from "../../system/addresses.ts";
import { durationInWords } from "../../words.ts";
import { clockAdvice } from "../changes.ts";
import type { Rule } from "../check-context.ts";
import { measured, possible } from "../result.ts";
import { setVariables, slowStep } from "./failure.ts";
import { noCommonParameters } from "./tls.ts";

// Services that check Created usually allow minutes, so a smaller difference explains no refusal.
const notableSeconds = 30;

/** The difference of the clocks, also where it cannot be the cause: the headline tells only one that can. */
const clock: Rule = ({ clock }) => {
  if (clock === null) return null;
  const seconds = Math.abs(clock.skewSeconds);
  if (seconds < notableSeconds + clock.uncertaintySeconds) return null;
  const difference = `this clock is ${durationInWords(seconds)}`;
  return clock.skewSeconds > 0
    ? measured("clock-ahead", `${difference} ahead of the server`, clockAdvice)
    : measured("clock-behind", `${difference} behind the server`, clockAdvice);
};

// No server on another machine has these addresses: 0.0.0.0/8 and :: (RFC 1122, 3.2.1.3; RFC 4291, 2.5.2), and loopback, also written as IPv6.
const localAddress = /^(?:::ffff:)?(?:0|127)\.|^::1?$/;

// A hosts file or a DNS filter gives a name such an address. What listens there may have answered. A proxy may be on this
// machine, so its address counts only where it fails.
const leadsHere: Rule = ({ outcome, exchange, baseUrl, address: given, redact }) => {
  if (outcome.kind === "accepted" || given !== null) return null;
  const { address, tried, proxy } = exchange.trace.connection;
  const failure = "failure" in outcome ? outcome.failure : null;
  if (proxy !== null && failure?.at !== "proxy") return null;
  const { host } = failure?.peer ?? hostAndPort(baseUrl);
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

// A proxy's password may hold `$NAME`, so it was sent.
const proxyVariable: Rule = ({ outcome, hints }) =>
  "failure" in outcome &&
  outcome.failure.answer?.status === 407 &&
  outcome.failure.answer.hadCredentials &&
  hints.proxyHoldsVariable &&
  possible(
    "credential-placeholder",
    "the user or password of the proxy may hold a placeholder, such as $NAME or %NAME%",
    fix`Check whether something should have replaced it ${nowSet("proxy")}`,
  );

/** Rules for remarks, which explain no failure, or stand beside its explanation. */
export const remarkRules: readonly Rule[] = [
  clock,
  setVariables,
  noCommonParameters,
  leadsHere,
  slowStep,
  proxyVariable,
];
