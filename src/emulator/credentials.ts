import { authorizationValue } from "../wsse/authorization.ts";
import type { EmulatorAccount, KnownAccounts } from "./accounts.ts";
import { because, type Reason } from "./answer.ts";
import { digestMatches, digestMismatch } from "./digest-mismatch.ts";
import type { ReceivedRequest } from "./log.ts";
import type { AllOptions } from "./options.ts";
import type { PlannedAnswer } from "./planned-answers.ts";
import type { EmulatorRequest } from "./request.ts";
import {
  createdSeconds,
  isWhole,
  ownText,
  parseWsse,
  unusualShapes,
  wsseAuthorization,
} from "./username-token.ts";

/** How many seconds Created may be before or after the server's clock. The specification does not show it (section 5.1, rule 4). */
const windowSeconds = 300;

/** What the server accepts, remembers and answers. */
export interface Service
  extends Pick<AllOptions, "answer" | "strict" | "explain" | "allowHosts" | "control"> {
  readonly accounts: KnownAccounts;
  /** The nonces of the last accepted requests, the oldest first. A forced status uses up none. */
  readonly nonces: Set<string>;
  /** The last requests, the oldest first. */
  readonly requests: ReceivedRequest[];
  /** The answers to the next requests, in their order. */
  answers: PlannedAnswer[];
}

const mostNonces = 100_000;

/** Remembers the nonce of an accepted request, so that a request with the same one is refused. */
export function remember(nonce: string, { nonces }: Service): void {
  nonces.add(nonce);
  const [oldest = ""] = nonces;
  if (nonces.size > mostNonces) nonces.delete(oldest);
}

interface Sent {
  /** Every rule that the credentials break. */
  readonly faults: readonly Reason[];
  readonly account: EmulatorAccount | null;
  readonly notes: readonly string[];
  /** Remember it when the request is accepted; null for a token. */
  readonly nonce: string | null;
  /** The header that is accepted, and the words of the specification for it. */
  readonly greeting: readonly [header: string, message: string];
}

/** Judges credentials. The specification (section 5) has no window, replay or order: they are our own. */
export function judgeCredentials(
  headers: EmulatorRequest["headers"],
  service: Service,
  nowSeconds: number,
): Sent {
  const { "x-wsse": wsse = [], "x-auth-token": token = [], authorization = [] } = headers;
  const faults: Reason[] = [];
  const malformed = (detail: string) => faults.push(because("malformed", detail));
  if (wsse.length > 0 && token.length > 0) malformed("both X-WSSE and X-Auth-Token were sent");
  // Nobody knows which of two counts, so neither is judged.
  if (wsse.length > 1) malformed("X-WSSE was sent more than once");
  if (token.length > 1) malformed("X-Auth-Token was sent more than once");
  if (wsse.length === 0 && token.length === 0) {
    const other = authorization.length > 0 ? "; Authorization alone does not authenticate" : "";
    faults.push(because("missing", `neither X-WSSE nor X-Auth-Token was sent${other}`));
  }
  const byToken = token.length === 1 ? judgeToken(token[0] ?? "", service.accounts) : null;
  const byWsse = wsse.length === 1 ? judgeWsse(wsse[0] ?? "", authorization, service, nowSeconds) : null;
  const all = [...faults, ...(byWsse?.faults ?? []), ...(byToken?.faults ?? [])];
  return { ...(byWsse ?? byToken ?? nobody), faults: all };
}

const nobody = { faults: [], account: null, notes: [], nonce: null, greeting: ["", ""] } as const;

function judgeToken(sent: string, accounts: KnownAccounts): Sent {
  const account = accounts.withToken(sent);
  const message = "Hello, user! You are successfully authenticated with X-Auth-Token.";
  const judgement = { ...nobody, account, greeting: ["X-Auth-Token", message] } as const;
  if (account !== null) return judgement;
  if (sent === "") return { ...judgement, faults: [because("malformed", "X-Auth-Token is empty")] };
  return { ...judgement, faults: [because("token", tokenProblem(sent, accounts))] };
}

function judgeWsse(
  value: string,
  authorization: readonly string[],
  { accounts: { all, shown, withUsername }, strict, nonces }: Service,
  nowSeconds: number,
): Sent {
  const own = ownText(value);
  const read = parseWsse(value, (name) => shown(name, own));
  const { username, nonce = null, created } = read.parts;
  const sent = isWhole(read.parts) ? read.parts : null;
  const claimed = username === undefined ? [] : withUsername(username);
  // Accounts may have the same username and different secrets.
  const matching = sent === null ? undefined : claimed.find((one) => digestMatches(sent, one));
  const account = matching ?? claimed[0] ?? null;
  // An unknown username is judged by what the only account must send.
  const rules = account ?? (all.length === 1 ? all[0] : null) ?? null;
  const shapes = rules === null ? [] : unusualShapes(value, read, rules.digest);
  const faults: Reason[] = [];
  const fault = (rule: string, detail: string, change?: string) => faults.push(because(rule, detail, change));
  if (read.problems.length > 0) fault("malformed", read.problems.join("; "));
  if (username !== undefined && account === null) {
    const known = all.length === 1 ? `"${all[0]?.username}"` : `${all.length} others`;
    const who = `Username is "${shown(username, own)}"; this server knows ${known}`;
    fault("unknown user", `${who}, so the digest cannot be judged`);
  }
  if (rules?.authorization === "wsse" && !authorization.some((one) => wsseAuthorization.test(one)))
    fault("authorization", `Authorization: ${authorizationValue} was not sent beside X-WSSE`);
  // The digest first: it tells more about a client than the shapes.
  if (sent !== null && account !== null && matching === undefined) faults.push(digestMismatch(sent, account));
  if (strict && shapes.length > 0) fault("malformed", shapes.join("; "));
  const at = created === undefined ? undefined : createdSeconds(created);
  if (at === null) fault("malformed", "Created is not a real time in ISO 8601 with a time zone");
  const behind = nowSeconds - (at ?? nowSeconds);
  if (Math.abs(behind) > windowSeconds) {
    const difference = `${Math.abs(behind)} s ${behind > 0 ? "behind" : "ahead of"} this server`;
    fault("stale", `Created is ${difference}; ${windowSeconds} s are allowed`);
  }
  if (nonce !== null && nonces.has(nonce)) fault("replayed", "the Nonce has been used before");
  const message = `Hello, ${account?.username}! You are successfully authenticated on the platform.`;
  return {
    faults,
    account,
    notes: strict ? [] : shapes,
    nonce,
    greeting: ["X-WSSE", message],
  };
}

/** Describes an `X-Auth-Token` that no account has, without quoting it or any other. */
function tokenProblem(sent: string, { all, isSecret }: KnownAccounts): string {
  if (isSecret(sent)) return "is the secret; this server expects the token";
  if (/^(?:Bearer|Token)\s/i.test(sent)) return "begins with a scheme; this server expects the token alone";
  if (/^(["']).*\1$/.test(sent)) return "is in quotation marks; this server expects the token alone";
  const [only] = all;
  if (only === undefined || all.length > 1) return `is none of this server's ${all.length}`;
  return `is not this server's; it has ${sent.length} characters, this server's has ${only.token.length}`;
}
