// What the requests of a diagnosis show together. These rules compare responses and send nothing.

import type { Method } from "../../settings/definition.ts";
import { type Fix, fix } from "../../settings/fix.ts";
import { durationInWords } from "../../words.ts";
import { askWhoRefuses, type Change, withTheAccounts } from "../changes.ts";
import type { Attempt } from "../check-context.ts";
import { isRefusal, pauseAskedBy, responseOf } from "../outcome.ts";
import { type Finding, measured, possible } from "../result.ts";

/** Whether two responses say the same. */
export function areAlike({ exchange: { response: one } }: Attempt, { exchange }: Attempt): boolean {
  return exchange.response !== null && one?.saysTheSame(exchange.response) === true;
}

/** Whether a request was refused: as `isRefusal` says, or with the status that refused the first one. */
export function refuses(made: Attempt, first: Attempt): boolean {
  const isAlike = responseOf(made.outcome)?.status === responseOf(first.outcome)?.status;
  return isRefusal(made.outcome) || (isAlike && first.exchange.response?.mayRefuse === true);
}

/** Whether the server stopped looking at credentials: it says so, or asks for a wait. */
export function isLockOut(made: Attempt, first: Attempt): boolean {
  const status = responseOf(made.outcome)?.status;
  if (status === 423 || status === 429) return true;
  return (
    refuses(made, first) &&
    (made.exchange.response?.withholds === true || pauseAskedBy(made.outcome) !== null)
  );
}

/** How a request ended, with the server's own words and the wait that it asks for. */
export function ending(request: string, made: Attempt): string {
  const { outcome } = made;
  const response = responseOf(outcome);
  const words = response?.message ? `: "${response.message}"` : "";
  const seconds = pauseAskedBy(outcome);
  const wait = seconds === null ? "" : `; Retry-After is ${durationInWords(seconds)}`;
  const answer = response === null ? "" : ` (HTTP ${response.status}${words}${wait})`;
  return `${request} ended as ${outcome.kind}${answer}`;
}

/** The finding where a diagnosis can show nothing, and why. */
export const nothingToTry = (why: string): Finding<Fix> =>
  measured(
    "not-diagnosed",
    `a diagnosis has nothing to try: ${why}`,
    fix`First get an answer of the API, then diagnose`,
  );

/** Two explanations: the API answers all refusals alike, which is common, or the header does not arrive. */
export const headerIgnored = possible(
  "gateway",
  "the response without credentials is the same: the API may answer all refusals alike, or may not receive the header",
  fix`If the credential is right, check whether a gateway or proxy in front of the API removes the header`,
);

/** The causes that refused changes rule out. If the header or the request may not arrive, they rule nothing out. */
export function triedInWords(refused: readonly Change[], rulesOut: boolean): string {
  const causes = new Intl.ListFormat("en-GB").format(new Set(refused.map(({ excluded }) => excluded)));
  return causes && `${rulesOut ? "ruled out" : "changes for these were refused too"}: ${causes}`;
}

// What no experiment can rule out, and whom to ask about it.
const remaining = {
  token: ["the credential itself may be wrong", ""],
  wsse: [
    "the credential itself may be wrong, or the API uses a digest convention that this tool does not know, or wants another form of Created or Nonce",
    ", how the API computes the digest, and which form of Created and Nonce it takes",
  ],
} as const satisfies Record<Method, readonly [cause: string, alsoAsk: string]>;

/** The finding where nothing was accepted. `isApi` says whether the refusals show that the API made them. */
export const nothingProved = (tried: string, isApi: boolean, method: Method): Finding<Fix> =>
  measured(
    "ruled-out",
    `${tried || "nothing was accepted"}; ${isApi ? remaining[method][0] : "nothing shows whether the API was reached"}`,
    isApi
      ? fix`Compare ${withTheAccounts[method]}, and ask whether the account is active${remaining[method][1]}`
      : askWhoRefuses,
  );

/** What to do where the server did not look at a credential any more: wait, as long as its last answer asked for. */
export function waitAfter(made: Attempt | null): Fix {
  const seconds = made && pauseAskedBy(made.outcome);
  return fix`Wait ${seconds === null ? "a while" : durationInWords(seconds)}, then try once: the API may limit failed logins`;
}

/** The finding where an answer, a pause or an interruption ended the diagnosis. */
export const stopped = (why: string, tried: string, advice = waitAfter(null)): Finding<Fix> =>
  measured("diagnosis-stopped", `diagnosis ended early: ${why}${tried && `; so far ${tried}`}`, advice);
