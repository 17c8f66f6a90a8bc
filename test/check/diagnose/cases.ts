import type { Variant } from "../../../src/check/check-context.ts";
import type { SentCredential } from "../../../src/check/credential.ts";
import { each } from "../../support/texts.ts";
import { hex40, token } from "../causes/found.ts";
import { type Mind, needing, pasted, type Situation } from "./diagnosis.ts";

type Situations = Readonly<Record<string, Situation>>;
type First = NonNullable<Situation["first"]>;

/** A server that answers the request without credentials in the first way, and all others in the second. */
const bare =
  (mind: Mind, others: Mind = "refuse") =>
  (number: number): Mind =>
    number === 1 ? mind : others;

/** Whether a request is the first one, made again. */
const isUnchanged = ({ credential, shiftSeconds }: Variant): boolean =>
  shiftSeconds === 0 &&
  credential?.method === "wsse" &&
  [credential.digest, credential.hash, credential.authorization].join() === "text-nonce,sha1,none";

const withoutCredentials = (mind: Mind): string => `${mind} without credentials`;

/** Servers that accept nothing. */
export const refused: Situations = {
  ...each(
    [
      ...(["refuse", "alikeByOther", "forbid", "differently", "otherType"] as const),
      ...(["404", "503", "busy", "fail"] as const),
    ],
    (mind) => ({ answer: bare(mind) }),
    withoutCredentials,
  ),
  ...each(
    ["refuse", "differently"] as const,
    (mind) => ({ credential: token(hex40), answer: () => mind }),
    (mind) => `a token, and ${withoutCredentials(mind)}`,
  ),
  ...each(["page", "noLength"] as const, (first) => ({ first, answer: bare("differently", first) })),
  "words of the time": {
    first: "time",
    answer: bare("refuse", "time"),
    date: "Sat, 21 Nov 2026 12:00:00 GMT",
  },
  "words of the time, and a token": {
    credential: token(hex40),
    first: "time",
    answer: bare("refuse", "time"),
  },
};

const needs =
  (is: (credential: Extract<SentCredential, { method: "wsse" }>, shiftSeconds: number) => boolean) =>
  (_: number, { credential, shiftSeconds }: Variant): Mind =>
    credential?.method === "wsse" && is(credential, shiftSeconds) ? "accept" : "refuse";
const secretIs = (text: string) => needs(({ secret }) => secret.reveal() === text);

/** Servers of which this one accepts a request, each at an address of its own; a request of another number is refused. */
const behindOneName = (accepting: number, addresses: ReadonlyArray<string | null>): Situation => ({
  answer: (number) => (number === accepting ? "accept" : "refuse"),
  connection: (number) => ({ address: addresses[number % addresses.length] ?? null }),
});

/** What an honest server needs, a proof that is cut short, and servers that do not answer alike. */
export const proved: Situations = {
  "a convention": { answer: needing() },
  "a convention, in front of a gateway": { first: "page", answer: needing({}, "page") },
  "a convention, without lengths": { first: "noLength", answer: needing({}, "noLength") },
  "the time": { answer: needs((_, shiftSeconds) => shiftSeconds < 0) },
  "the time and the field": {
    answer: needs(({ authorization }, shiftSeconds) => authorization === "wsse" && shiftSeconds < 0),
  },
  "no credentials": { answer: (_, { credential }) => (credential ? "refuse" : "accept") },
  "the secret cleaned": { credential: pasted.credential, answer: secretIs("correct-horse") },
  "the token as the secret": { spare: pasted.spare, answer: secretIs("a-token") },
  "a token cleaned": {
    credential: token(`"${hex40}"`),
    answer: (_, { credential }) =>
      credential?.method === "token" && credential.token.reveal() === hex40 ? "accept" : "refuse",
  },
  ...each(
    [
      ...([{ 5: "refuse" }, { 7: "accept" }, { 8: "interrupt" }] as const),
      { 9: "refuse", 10: "refuse", 11: "refuse" } as const,
    ],
    (changes) => ({ answer: needing(changes) }),
  ),
  // Request 17 tries the last convention, 18 to 21 repeat it and the first one, and the rest leaves out one change after the other.
  ...each(
    [
      [17, 18, 19, 24],
      [17, 18, 19, 22, 23],
    ],
    (accepted) => ({
      ...pasted,
      answer: (number) => (accepted.includes(number) ? "accept" : "refuse"),
      date: "Sat, 21 Nov 2026 11:53:50 GMT",
    }),
    (accepted) => `accepts ${accepted}, of all that there are`,
  ),
  "six servers, one of which accepts": behindOneName(
    7,
    [6, 5, 4, 3, 2, 1].map((one) => `192.0.2.${one}`),
  ),
  "one server that changes its mind": behindOneName(1, ["192.0.2.7"]),
  "two servers, of which one has no known address": behindOneName(1, ["192.0.2.8", null]),
  "two addresses of a proxy": {
    ...behindOneName(1, []),
    connection: (number) => ({ address: `192.0.2.${number % 2}`, proxy: "http://p.example:3128" }),
  },
};

/** What ends a diagnosis early. */
export const ended: Situations = {
  "other words in any language, which the first request gets too": {
    answer: (number) => (number < 3 ? "refuse" : "elsewhere"),
  },
  "other words for each change": {
    answer: (_, variant) => (variant.credential === null || isUnchanged(variant) ? "refuse" : "ownWords"),
  },
  "other words, which the first request gets too, in the middle of a proof": {
    answer: needing({ 5: "refuse", 6: "elsewhere" }),
  },
  ...each(
    ["paused", "busy"] as const,
    (mind) => ({ answer: needing({ 4: "refuse", 5: mind }) }),
    (mind) => `${mind} in the middle`,
  ),
  "a lock at first": { first: "locked", answer: () => "locked" },
  ...each([{ 1: "interrupt" }, { 1: "differently", 3: "notSent" }] as const, (changes) => ({
    answer: needing(changes),
  })),
};

/** First answers other than a refusal of the API's. */
export const firstAnswers: Situations = {
  ...each(["400", "422", "500"] as const, (first) => ({ first, answer: needing({ 1: "refuse" }, first) })),
  ...each(
    ["page", "404", "503"] as const,
    (mind) => ({ first: "400", answer: needing({ 1: mind }, "400") }),
    (mind) => `400, ${mind} without credentials`,
  ),
  ...each(
    ["refuse", "page"] as const,
    (mind) => ({ first: "400", answer: bare(mind, "400") }),
    (mind) => `400, ${mind} without credentials, and nothing is accepted`,
  ),
  ...each(
    ["400", "fail"] as const,
    (mind) => ({ first: "400", answer: bare(mind) }),
    (mind) => `400, ${mind} without credentials, and others`,
  ),
  ...each(
    ["409", "500 paused"] as const,
    (mind) => ({ first: "500", answer: needing({ 1: "refuse", 3: mind }, "500") }),
    (mind) => `500, and then ${mind}`,
  ),
  "400 in other words without credentials": { first: "400", answer: bare("400 bare") },
  "400 in the same words without credentials": { first: "400", answer: bare("400 bare at another time") },
  "400, and other refusals": { first: "400", answer: needing() },
  ...each(
    ["accept", "refuse", "fail", "cached", "notSent"] as const,
    (mind) => ({ first: "accept", answer: () => mind }),
    (mind) => `accept, ${withoutCredentials(mind)}`,
  ),
  ...each(["404", "503", "fail", "400 page", "400 cached"] as const satisfies First[], (first) => ({
    first,
    answer: () => "accept",
  })),
  "a redirect to a login": { first: "login", answer: () => "accept" },
  "a refusal that may not be diagnosed": { answer: needing(), mayDiagnose: false },
};
