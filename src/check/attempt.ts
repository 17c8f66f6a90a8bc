// Makes one request of a check and reads what comes back. When and how often is decided in sender.ts.

import { setImmediate } from "node:timers";
import { type Route, send } from "../http/send.ts";
import { longestText } from "../redaction/escape.ts";
import type { Redactor } from "../redaction/redact.ts";
import { endpointPath } from "../settings/urls.ts";
import type { Attempt, CheckContext, Variant } from "./check-context.ts";
import { credentialFields, type SentField } from "./credential.ts";
import { judge } from "./judge.ts";
import { recordOf } from "./observer.ts";
import { clockSkew } from "./read/dates.ts";
import { readExchange } from "./read/response.ts";

// Reading a body of this many bytes can take a millisecond, and the longest one five or ten.
const longBody = 16 * 1024;
let lastTurn = Promise.resolve();

/**
 * Resolves in a turn of the event loop of its own. Many long bodies can arrive in one turn, and SIGTERM would wait until all of
 * them are read, which with 96 of them takes most of a second: then the run is over, and its code is not that of the signal.
 * It imports its timer: fake timers of a test replace the global one, and would hold the check for ever.
 */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}

/**
 * Sends one request as the specification shows it (section 4). `known` masks secrets, and digests of earlier requests: a response may
 * repeat them.
 */
export async function makeAttempt(
  target: Route,
  { credential, shiftSeconds }: Variant,
  known: Redactor,
  context: CheckContext,
): Promise<Attempt> {
  const { now, randomBytes } = context;
  const shifted = { now: () => now() + shiftSeconds * 1000, randomBytes };
  // The HTTP client would add the host and `connection: close` itself, and nobody would see them.
  const sent: readonly SentField[] = [
    { name: "host", value: target.baseUrl.host },
    { name: "connection", value: "close" },
    { name: "accept", value: "application/json" },
    { name: "content-type", value: "application/json" },
    { name: "accept-encoding", value: "identity" },
    { name: "user-agent", value: "referral-auth" },
    ...(credential === null ? [] : credentialFields(credential, shifted)),
  ];
  const headers = Object.fromEntries(sent.map(({ name, value }) => [name, value]));
  const raw = await send(target, { path: endpointPath, headers }, context);
  if (raw.kind === "response" && raw.response.body.length > longBody) {
    await ownTurn();
    context.interrupted.throwIfAborted();
  }
  // For this response and later ones: the digest stays valid for a while.
  const digests = credential?.method === "wsse" ? sent.flatMap(({ secret }) => secret ?? []) : [];
  const redact = known.and(digests, longestText);
  const exchange = readExchange(raw, redact, target.baseUrl);
  return {
    exchange,
    outcome: judge(exchange, target.timeoutSeconds, redact),
    clock: clockSkew(exchange),
    redact,
    record: () => recordOf({ sent, exchange: raw }, target.baseUrl, redact),
  };
}
