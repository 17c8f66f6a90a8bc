import type { Attempt, Variant } from "../../../src/check/check-context.ts";
import type { SentCredential } from "../../../src/check/credential.ts";
import { type DiagnosisSender, diagnosed } from "../../../src/check/diagnose/diagnose.ts";
import { recordOf } from "../../../src/check/observer.ts";
import { clockSkew } from "../../../src/check/read/dates.ts";
import { readExchange } from "../../../src/check/read/response.ts";
import { interruption } from "../../../src/check/sender.ts";
import type { Exchange } from "../../../src/http/exchange.ts";
import type { ConnectionRecord } from "../../../src/http/record.ts";
import { Secret } from "../../../src/settings/secret.ts";
import { type AnswerParts, failed, judged, ofApi, replied } from "../../support/exchanges.ts";
import { success } from "../../support/serve.ts";
import { noAdvice, unredacted, wsse } from "../causes/found.ts";

const json = (status: number, body: object, headers: AnswerParts["headers"] = {}): AnswerParts => ({
  status,
  headers,
  body: JSON.stringify(body),
});

/** How a made-up server answers; null if the run is interrupted before it does. */
export const minds = {
  accept: json(200, success),
  refuse: json(401, { code: 401, message: "No" }),
  differently: json(401, { code: 401, message: "None" }),
  forbid: json(403, { code: 401, message: "No" }),
  otherType: json(401, { code: 401, message: "No" }, { "content-type": "text/plain" }),
  alikeByOther: json(401, { code: 401, message: "No" }, { "www-authenticate": "Negotiate" }),
  page: { status: 403, headers: { "content-type": "text/html" }, body: "<html><title>Login</title></html>" },
  noLength: { status: 401, bodyEnd: "connection" },
  "400": json(400, { message: "Bad digest" }),
  "400 bare": json(400, { message: "No credentials" }),
  "400 bare at another time": json(400, { message: "Bad digest", at: "12:00:01" }),
  time: json(401, { code: 401, message: "Time frame is invalid" }),
  "400 page": {
    status: 400,
    headers: { "content-type": "text/html" },
    body: "<html><title>No</title></html>",
  },
  "400 cached": json(400, {}, { age: "1" }),
  "404": json(404, {}),
  login: { status: 302, headers: { location: "/login?one" } },
  "409": json(409, {}),
  "422": json(422, { message: "Bad digest" }),
  "423": json(423, { message: "Gone for now" }),
  "429": json(429, { code: 429, message: "Locked for an hour" }),
  "500": json(500, { message: "Bad digest" }),
  "500 paused": json(500, {}, { "retry-after": "900" }),
  "503": json(503, {}),
  busy: json(503, { message: "Too many requests" }, { "retry-after": "900" }),
  locked: json(403, { code: 403, message: "Account locked" }),
  paused: json(401, { message: "No" }, { "retry-after": "900" }),
  elsewhere: json(401, { code: 401, message: "Konto gesperrt" }),
  ownWords: "ownWords",
  cached: json(200, success, { age: "1" }),
  fail: "fail",
  notSent: null,
  interrupt: null,
} as const satisfies Record<string, AnswerParts | "fail" | "ownWords" | null>;
/** The name of such an answer. */
export type Mind = keyof typeof minds;

function attempted(exchange: Exchange): Attempt {
  const outcome = judged(exchange, 10, unredacted);
  const read = readExchange(exchange, unredacted, ofApi);
  const record = () => recordOf({ sent: [], exchange }, new URL("https://a"), unredacted);
  return { exchange: read, outcome, clock: clockSkew(read), redact: unredacted, record };
}

const inLetters = (number: number): string => "x".repeat(number);

type Answered = Exclude<Mind, "notSent" | "interrupt">;

function attempt(
  mind: Answered,
  date: string | null,
  made: Partial<ConnectionRecord>,
  number: number,
): Attempt {
  const found: AnswerParts | "fail" | "ownWords" = minds[mind];
  // Each answer has a word of its own.
  const parts = found === "ownWords" ? json(401, { code: 401, message: inLetters(number) }) : found;
  const exchange =
    parts === "fail"
      ? failed({ step: "lookup", code: "ENOTFOUND" })
      : replied({ ...parts, headers: { ...(date === null ? {} : { date }), ...parts.headers } });
  const { trace } = exchange;
  return attempted({ ...exchange, trace: { ...trace, connection: { ...trace.connection, ...made } } });
}

/** A diagnosis, and the server that it finds. */
export interface Situation {
  readonly credential?: SentCredential;
  /** The answer to the first request, which is no part of the diagnosis. */
  readonly first?: Answered;
  /** The answer to a request of the diagnosis. The first of them has the number 1. */
  readonly answer: (number: number, variant: Variant) => Mind;
  readonly spare?: Secret;
  readonly mayDiagnose?: boolean;
  /** The random number that is drawn. */
  readonly drawn?: number;
  /** The Date field of each response. */
  readonly date?: string;
  /** What is unusual about the connection of a request. The first request, which is no part of the diagnosis, has the number 0. */
  readonly connection?: (number: number) => Partial<ConnectionRecord>;
}

/** Runs a diagnosis without sockets, and returns what it did and found, findings and fixes as the report shows them. */
export async function diagnosis({
  credential = wsse(),
  first = "refuse",
  answer,
  spare,
  mayDiagnose = true,
  date,
  drawn = 0,
  connection = () => ({}),
}: Situation) {
  const asked: string[] = [];
  const announced: string[] = [];
  const costs: string[] = [];
  const variants: Variant[] = [];
  const answered: Mind[] = [];
  const sender: DiagnosisSender = {
    random: () => drawn,
    async send(variant, why) {
      announced.push(why);
      variants.push(variant);
      const mind = answer(variants.length, variant);
      answered.push(mind);
      if (mind === "interrupt") return interruption;
      if (mind === "notSent") return { message: "the server asked for a pause", hint: "Check again later" };
      return attempt(mind, date ?? null, connection(variants.length), variants.length);
    },
    async spareToken() {
      asked.push("spareToken");
      return spare ?? null;
    },
    async announceCost(cost) {
      costs.push(cost);
    },
    async mayDiagnose() {
      asked.push("mayDiagnose");
      return mayDiagnose;
    },
    async acceptsAnybody(cost, why) {
      asked.push("acceptsAnybody");
      await sender.announceCost(cost);
      const made = await sender.send({ credential: null, shiftSeconds: 0 }, why);
      return "outcome" in made && made.outcome.kind === "accepted";
    },
  };
  const { outcome, diagnosed: findings } = await diagnosed(
    credential,
    attempt(first, date ?? null, connection(0), 0),
    sender,
  );
  return {
    asked,
    announced,
    costs,
    variants,
    answered,
    outcome,
    found: findings.map(({ id, certainty, message }) => `${certainty} ${id}: ${message}`),
    ids: findings.map(({ id, certainty }) => `${certainty} ${id}`).join(),
    fixes: findings.map(({ fix }) => noAdvice.inWords(fix)),
  };
}

/** An account whose secret has quotation marks, and a token beside it. */
export const pasted = {
  credential: wsse({ secret: '"correct-horse"' }),
  spare: new Secret("a-token"),
};

/** A server that needs `digest: base64-nonce` alone, but answers these requests in another way. */
export const needing =
  (changes: Readonly<Record<number, Mind>> = {}, refusal: Mind = "refuse") =>
  (number: number, { credential }: Variant): Mind =>
    changes[number] ??
    (credential?.method === "wsse" && `${credential.digest} ${credential.hash}` === "base64-nonce sha1"
      ? "accept"
      : refusal);
