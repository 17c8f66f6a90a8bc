import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type AnswerParts, judged, read, replied } from "../../support/exchanges.ts";
import { explained, unredacted, wsse } from "./found.ts";

/** A response as frameworks, gateways, firewalls, filters and platforms send it, with its outcome, first finding and whom to ask. */
interface Collected extends AnswerParts {
  readonly from: string;
  readonly type: string;
  /** Whether WSSE was refused, and not a token. */
  readonly wsse?: true;
  readonly is: string;
}

const rows: readonly Collected[] = readFileSync(new URL("collected.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** Who can do something, by the words of the first advice. */
const owners: ReadonlyArray<readonly [owner: string, advice: RegExp]> = [
  ["who redirects", /if this address is a login/],
  ["network", /operator of this network|Log in to this network/],
  ["wait", /^(?:Try again|Wait(?! until the quota))/],
  ["account", /^Compare (?!this machine)/],
  ["host", /^Check the host of/],
  ["page", /^Read what the page says/],
  ["path", /^Check host and path of/],
  ["move", /^Set the base URL/],
  ["url", /^Check the base URL .*: it may lead to another service/],
  ["place", /^Check whether the account is one of/],
  ["state", /^Look at the account/],
  ["renew", /^Make a new one/],
  ["plan", /^Check the account's plan/],
  ["quota", /^Wait until the quota/],
  ["version", /^Check the version/],
  ["https", /^Write https/],
  ["clock", /^Compare this machine's clock/],
  ["length", /^Check the length of the credential/],
  ["operator", /operator/],
];

test("there are more than a hundred, and each shape stands once", () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(new Set(rows.map(({ status, body, headers }) => JSON.stringify([status, body, headers]))).size).toBe(
    rows.length,
  );
});

test.each(rows.map((row) => [row.from, row] as const))("%s", (_, { type, is, wsse: isWsse, ...parts }) => {
  const exchange = replied({ ...parts, headers: { "content-type": type, ...parts.headers } });
  const outcome = judged(exchange, 10, unredacted);
  const { headline, findings } = explained({ exchange, ...(isWsse && { credential: wsse() }) });
  const advice = findings[0]?.fix ?? "";
  const owner = owners.find(([, words]) => words.test(advice))?.[0];
  expect([outcome.kind, findings[0]?.id, owner].join(" ")).toBe(is);
  // Where words are shown, no sentence stands in them twice; where advice names the message, there is one.
  const message = read({ ...parts, headers: { "content-type": type, ...parts.headers } }).message ?? "";
  const half = message.slice(0, Math.floor(message.length / 2)).trim();
  expect(half !== "" && message === `${half} ${half}`, message).toBe(false);
  if (message === "") expect(findings.map(({ fix }) => fix).join()).not.toMatch(/Read the message/);
  expect(headline).not.toMatch(/did not check/);
  const said = findings.filter(({ id }) => id !== outcome.kind).map((finding) => finding.message);
  expect(said).toEqual([...new Set(said)]);
});
