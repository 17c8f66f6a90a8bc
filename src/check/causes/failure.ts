// Why there is no response: a transport failure or a deadline, by its step; and what is set on this machine that may have to do
// with it.

import type { Failure, Step } from "../../http/failure.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import { durationInWords } from "../../words.ts";
import type { Cause, Evidence, Rule } from "../check-context.ts";
import { type Outcome, stepOf } from "../outcome.ts";
import { measured } from "../result.ts";
import { type FailureRow, failedAt } from "./peer.ts";
import { answerCause, tunnelCause } from "./proxy.ts";
import { checkDns, checkNetwork, connectCause, lookupCause } from "./reach.ts";
import { tlsCause } from "./tls.ts";

const again = fix`Try again; if it keeps happening`;

const requestCause: FailureRow = ({ failure: { code }, peer }) =>
  code === null
    ? { headline: `the request to ${peer.inFull} could not be sent`, fix: checkNetwork }
    : {
        headline: `the connection to ${peer.inFull} ended before the request was sent (${code})`,
        fix: fix`${again}, ask the server's operator why it ends connections at once`,
      };

const responseCause: FailureRow = ({ failure: { code, received, body }, peer }) => {
  // A longer number may be a part of a secret, and is no length.
  const came =
    body !== null && /^\d{1,9}$/.test(body.announced) ? `: ${body.came} of ${body.announced} bytes came` : "";
  if (code === null)
    return {
      headline:
        received === "part"
          ? `the response of ${peer.inFull} did not end${came}`
          : received === "head"
            ? `the request was sent, and ${peer.inFull} began to answer, but the head of its response did not end`
            : `the request was sent, but ${peer.inFull} did not answer in time`,
      fix: fix`Try again, or raise ${flag("timeoutSeconds")} ${nowSet("timeoutSeconds")}: the server is slow`,
    };
  const place =
    received === "part"
      ? "in the middle of the response"
      : received === "head"
        ? "before the head of the response was complete"
        : "before the response";
  return {
    headline: `the connection to ${peer.inFull} ended ${place} (${code})${came}`,
    fix:
      body !== null && body.came > 0
        ? fix`${again}, ask the API's operator whether Content-Length is right; else something between this machine and the API closes connections`
        : fix`${again}, ask the API's operator why it ends connections; something between this machine and the API may end them too`,
  };
};

/** Why a step failed, or did not end before the deadline. The response of a proxy is its answer to CONNECT. */
const rows: Readonly<Record<Step, FailureRow>> = {
  lookup: lookupCause,
  connect: connectCause,
  proxy: tunnelCause,
  tls: tlsCause,
  request: requestCause,
  response: (failed) => (failed.failure.at === "proxy" ? answerCause : responseCause)(failed),
};

const causeOfStep = (failure: Failure, evidence: Evidence): Cause =>
  rows[failure.step](failedAt(failure, evidence));

/** Why there is no response. What fails at a proxy has a finding of its own. */
export function failureCause(failure: Failure, evidence: Evidence): Cause {
  const cause = causeOfStep(failure, evidence);
  const isNamed = cause.id !== undefined && failure.step !== "tls";
  return failure.at === "api" || isNamed ? cause : { ...cause, id: "proxy-unreachable" };
}

/** The words for each step in a list of times, and what to do if it completed and took long. */
const slow: Readonly<Record<Step, readonly [name: string, advice: Fix]>> = {
  lookup: ["name lookup", checkDns],
  connect: ["connection", checkNetwork],
  proxy: ["proxy", fix`Ask the operator of the proxy why it takes so long to open a connection`],
  tls: ["TLS handshake", checkNetwork],
  request: ["request", checkNetwork],
  response: [
    "response",
    fix`Raise ${flag("timeoutSeconds")} ${nowSet("timeoutSeconds")} if it stays so: the server is slow`,
  ],
};

function timesOf({ exchange }: Evidence): ReadonlyArray<readonly [Step, number]> {
  const steps = Object.entries(exchange.trace.connection.steps) as ReadonlyArray<[Step, number | null]>;
  return steps.flatMap(([step, ms]) => (ms === null ? [] : [[step, ms] as const]));
}

/** Why a deadline passed: the step under way, and the one that took most of the time. */
export function timeoutCause(
  { failure, seconds }: Extract<Outcome, { kind: "timeout" }>,
  evidence: Evidence,
): Cause {
  const { headline: words, fix: advice } = causeOfStep(failure, evidence);
  const [[first] = ["lookup"] as const] = timesOf(evidence).toSorted(([, one], [, other]) => other - one);
  // A handshake of which nothing came through the tunnel took the time of the proxy.
  const longest = failure.step === "proxy" && first === "tls" ? "proxy" : first;
  const [what, todo] =
    longest === stepOf(failure)
      ? [words, advice]
      : [`the ${slow[longest][0]} took longest; then ${words}`, slow[longest][1]];
  return { headline: `no complete response within ${durationInWords(seconds)}: ${what}`, fix: todo };
}

/** Where the time of a deadline went. */
export const slowStep: Rule = (evidence) => {
  const { outcome } = evidence;
  if (outcome.kind !== "timeout") return null;
  const times = timesOf(evidence).map(
    ([step, time]) =>
      `${slow[step][0]} ${durationInWords(Number((time / 1000).toFixed(time < 100 ? 3 : 1)))}`,
  );
  return measured("slow-step", `the time went to: ${times.join(", ")}`, timeoutCause(outcome, evidence).fix);
};

/**
 * Which variables for proxies and certificates are set, and whether each counts. Two sentences about the same thing could contradict
 * each other, so they are one list. Before and after TLS no certificate matters.
 */
export const setVariables: Rule = ({ outcome, hints, exchange }) => {
  if (!("failure" in outcome)) return null;
  const { certificate, step } = outcome.failure;
  const set = hints.networkVariables(step === "tls" ? { stored: certificate?.onlyStored ?? null } : null);
  if (set.length === 0) return null;
  const advice =
    certificate !== null
      ? fix`If the CA's certificate is in a file that is not used, give that file with ${flag("extraCertificates")}`
      : exchange.trace.connection.proxy === null
        ? fix`If only a proxy leads to the API, name an HTTP proxy with HTTPS_PROXY or ${flag("proxy")}`
        : fix`If the API is reached without a proxy, leave the proxy out, or name the API's host in NO_PROXY`;
  return measured("other-settings", set.join("; "), advice);
};
