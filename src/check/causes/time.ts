import type { Step } from "../../http/failure.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import type { Outcome } from "../outcome.ts";
import { type Cause, type Evidence, measured, type Rule } from "./evidence.ts";
import { apiPeer, proxyPeer } from "./peer.ts";
import { checkDns, checkWay, triedAddresses } from "./reach.ts";

const checkNetwork = fix`Check this machine's network: it is slow or loses packets`;

/** The words for each step in a list of times, and what to do if it completed and took long. */
const slow: Readonly<Record<Step, readonly [name: string, advice: Fix]>> = {
  lookup: ["name lookup", checkDns],
  connect: ["connection", checkNetwork],
  proxy: ["proxy", fix`Ask the operator of the proxy why it takes so long to open a connection`],
  tls: ["TLS handshake", checkNetwork],
  request: ["request", checkNetwork],
  response: [
    "wait for the response",
    fix`Raise ${flag("timeout")} ${nowSet("timeout")} if it stays so; the server is slow or overloaded`,
  ],
};

const inSeconds = (ms: number): string => `${Number((ms / 1000).toFixed(ms < 100 ? 3 : 1))} s`;

/** The steps that were begun, and their times. */
function timesOf({ exchange }: Evidence): ReadonlyArray<readonly [Step, number]> {
  const steps = Object.entries(exchange.trace.connection.steps) as ReadonlyArray<[Step, number | null]>;
  return steps.flatMap(([step, ms]) => (ms === null ? [] : [[step, ms] as const]));
}

/** The step that took longest. The handshake in a tunnel through which nothing comes is the proxy's. */
function longestOf(evidence: Evidence): Step {
  const { proxyStep } = evidence.exchange.trace.connection;
  const [[longest] = ["lookup"] as const] = timesOf(evidence).toSorted(([, one], [, other]) => other - one);
  return longest === "tls" && proxyStep === "proxy" ? "proxy" : longest;
}

/** What was under way when the deadline passed in this step, and what to do about it. */
function unfinished(step: Step, evidence: Evidence): readonly [words: string, advice: Fix] {
  const { proxyStep, tried, received } = evidence.exchange.trace.connection;
  const isProxy = step === "proxy";
  const api = apiPeer(evidence);
  const peer = isProxy ? proxyPeer(evidence) : api;
  const { inFull, setting } = peer;
  const itsWay = `whether it allows and reaches ${api.at(null)}`;
  switch (isProxy ? proxyStep : step) {
    case "lookup":
      return [`DNS gave no answer for ${peer.name}`, checkDns];
    case "connect":
      return [triedAddresses(peer, tried), checkWay(peer)];
    case "tls":
      if (received !== "nothing")
        return [
          `the TLS handshake with ${inFull} did not finish: only a part of it came`,
          fix`${checkNetwork}, such as those that are too large for a VPN (MTU)`,
        ];
      return [
        `${inFull} accepted the connection and sent nothing in the TLS handshake`,
        isProxy
          ? fix`Check the port of ${setting}; write http:// in its address if it does not speak TLS`
          : fix`Check the port of ${setting}, and whether a firewall or a device that inspects TLS swallows the handshake`,
      ];
    case "proxy":
      return [
        `${inFull} opened the way to ${api.at(null)}, and nothing came through it`,
        fix`Check the port of ${api.setting}, and ask the operator of ${setting} ${itsWay}`,
      ];
    case "request":
      return [`the request to ${inFull} could not be sent`, checkNetwork];
    default:
      if (isProxy)
        return [
          `${inFull} did not answer CONNECT`,
          fix`Check the host and the port of ${setting}, and ask its operator ${itsWay}`,
        ];
      return [
        evidence.exchange.trace.respondedAt === null
          ? `the request was sent, but ${inFull} did not answer in time`
          : `the response of ${inFull} did not end`,
        fix`Try again, or raise ${flag("timeout")} ${nowSet("timeout")}; the server is slow or overloaded`,
      ];
  }
}

function adviceOn(longest: Step, evidence: Evidence): Fix {
  const { outcome } = evidence;
  const isUnfinished = outcome.kind === "timeout" && outcome.step === longest;
  return isUnfinished ? unfinished(longest, evidence)[1] : slow[longest][1];
}

/** Why a deadline passed. */
export function timeoutCause(
  { step, seconds }: Extract<Outcome, { kind: "timeout" }>,
  evidence: Evidence,
): Cause {
  const longest = longestOf(evidence);
  const [words] = unfinished(step, evidence);
  const what = longest === step ? words : `the ${slow[longest][0]} took longest; then ${words}`;
  return { headline: `no complete response within ${seconds} s: ${what}`, fix: adviceOn(longest, evidence) };
}

/** Where the time of a deadline went. */
export const slowStep: Rule = (evidence) => {
  if (evidence.outcome.kind !== "timeout") return null;
  const times = timesOf(evidence).map(([step, time]) => `${slow[step][0]} ${inSeconds(time)}`);
  return measured(
    "slow-step",
    `the time went to: ${times.join(", ")}`,
    adviceOn(longestOf(evidence), evidence),
  );
};
