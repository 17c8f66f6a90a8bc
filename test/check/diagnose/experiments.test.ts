import { expect, test } from "vitest";
import {
  experimentsFor,
  mostNewTexts,
  requestLimit,
  requestsOf,
  variantOf,
} from "../../../src/check/changes.ts";
import type { Variant } from "../../../src/check/check-context.ts";
import type { SentCredential } from "../../../src/check/credential.ts";
import { Secret } from "../../../src/settings/secret.ts";
import { textOf } from "../../support/pages.ts";
import { textOfCases } from "../../support/texts.ts";
import { hex40, token, wsse } from "../causes/found.ts";
import { diagnosis, needing } from "./diagnosis.ts";

const spare = new Secret("a-token");
const pasted = wsse({ secret: '"correct-horse"' });
const account = { ...pasted, digest: "base64-nonce", hash: "sha256" } as SentCredential;

/** The experiments for a credential whose clock is so many seconds ahead. */
const experiments = (credential: SentCredential, skewSeconds = 0, spareToken: Secret | null = null) =>
  experimentsFor(credential, spareToken, { skewSeconds, uncertaintySeconds: 1 });

function shown({ credential, shiftSeconds }: Variant): string {
  if (credential === null) return "no credential";
  if (credential.method === "token") return credential.token.reveal();
  const { username, secret, digest, hash, authorization } = credential;
  return [username, secret.reveal(), digest, hash, authorization, `${shiftSeconds} s`].join(" ");
}

/** What each experiment tries, rules out, and sends. */
const linesOf = (credential: SentCredential, ...more: readonly [skewSeconds?: number, spareToken?: Secret]) =>
  experiments(credential, ...more).map(({ tried, changes }) => {
    const [accepted, excluded] = (["accepted", "excluded"] as const).map((words) =>
      tried.map((change) => change[words]).join(" and "),
    );
    return `${accepted} | ${excluded} | ${shown(variantOf(credential, changes))}`;
  });

// The text is changed with `npx vitest run test/check/diagnose --update`, and read as a diff.
test("the experiments for each credential, and the requests of a whole diagnosis, are the text beside this test", async () => {
  const { announced, variants } = await diagnosis({ answer: needing() });
  const all: Readonly<Record<string, readonly string[]>> = {
    "all that can be tried, 400 s behind": linesOf(account, -400, spare),
    "an account that sends the field": linesOf({ ...wsse(), authorization: "wsse" } as SentCredential).slice(
      0,
      3,
    ),
    "a clock that is 50 hours ahead": linesOf(wsse(), 50 * 3600).slice(0, 3),
    "a token inside": linesOf(token(`%22${hex40}%22`), 400, spare),
    "no token inside": linesOf(token('"a-token"')),
    "a secret in base64": linesOf(wsse({ secret: "Y29ycmVjdC1ob3JzZQ==" })).slice(0, 3),
    "a diagnosis of an account that needs another convention": announced.map(
      (words, index) => `${words} | ${shown(variants[index] as Variant)}`,
    ),
  };
  const text = textOfCases(Object.entries(all).map(([title, lines]) => [title, lines.join("\n  ")]));
  await expect(text).toMatchFileSnapshot("texts/experiments.txt");
});

test("a swapped pair is not tried, since a secret must not go out as a username", () => {
  const swapped = wsse({ username: "correct-horse", secret: "me@example.com" });
  for (const { changes } of experiments(swapped)) {
    const { credential } = variantOf(swapped, changes);
    if (credential?.method === "wsse") expect(credential.username).toBe("correct-horse");
  }
});

test("the number of requests is within the limit whatever there is to try, with four for the proof", () => {
  expect(textOf("README.md")).toContain(`at most ${requestLimit} further requests`);
  for (const skew of [0, 2, 3, -400, 48 * 3600, 50 * 3600]) {
    for (const credential of [wsse(), pasted, token("a"), token(`"${hex40}"`)]) {
      const all = experiments(credential, skew, spare);
      const { tries, more } = requestsOf(all);
      expect(tries).toBe(all.length + Math.min(mostNewTexts, all.length - 1));
      expect(more).toBeGreaterThanOrEqual(4);
      expect(tries + more).toBeLessThanOrEqual(requestLimit);
    }
  }
});
