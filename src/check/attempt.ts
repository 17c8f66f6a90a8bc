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

// To read a body of so many bytes can take a millisecond, and the longest one five or ten.
const longBody = 16 * 1024;
let lastTurn = Promise.resolve();

/**
 * Waits for a turn of the event loop of its own. A signal waits for the end of a turn, and to read 96 long bodies that arrived in one
 * takes most of a second. The timer is imported: fake timers of a test replace the global one, and would hold the check for ever.
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
  // undici would add the first two itself, and --verbose would not show them.
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
