import type { SentCredential } from "../../../src/check/credential.ts";
import { measured } from "../../../src/check/result.ts";
import { flagLevel } from "../../../src/settings/run-settings.ts";
import { settingsInWords, settingsOf } from "../../settings/settings-of.ts";
import { replied } from "../../support/exchanges.ts";
import { each } from "../../support/texts.ts";
import { accepted, answered, type Case, type Cases, dated, hex40, rejected, token, wsse } from "./found.ts";

const usual = token(hex40);
const refused = (credential: SentCredential, hints: Case["hints"] = {}): Case => ({
  exchange: rejected(),
  credential,
  hints,
});
const ofFlags = settingsInWords(settingsOf([flagLevel({ username: "u", secret: "s" })]));
const hidden = { hidden: [{ by: "REFERRAL_TOKEN", place: "token in /rc, line 1" }] };
const found = { setByFoundFile: ["digest in /rc, line 1", "hash in /rc, line 2"] };
const ofTokenFlag = settingsInWords(settingsOf([flagLevel({ token: "t" })]));

const tokens: readonly string[] = [
  ...[`Bearer ${hex40}`, Buffer.from(`${hex40}\n`).toString("base64"), hex40.toUpperCase()],
  ...["x-$NAME", "op://Private/referral/token", "9f86****", "undefined", "9f86d081"],
];

/** Usernames and secrets; the second row of two is the first's neighbour, of which less can be said. */
const accounts: ReadonlyArray<readonly [username: string, secret: string]> = [
  ["me@example.com", "you@example.com"],
  ["me", "you@example.com"],
  ["me", "s3cret-of-me"],
  ["me+$ENV@example.com", "a-$NAME"],
  ["me@example.com", "\u201ca-secret\u201d"],
  ["me@example.com", "a\nb"],
  ["me@example.com", "p%40ssw%21rd"],
];

export const credentials: Cases = {
  ...each(tokens, (value) => refused(token(value), ofTokenFlag)),
  ...each(accounts, ([username, secret]) => refused(wsse({ username, secret }), ofFlags)),
  "a token inside, and 400": answered({ status: 400, body: "{}" }, { credential: token(`TOKEN=${hex40}`) }),
  "a token inside, and 404": answered({ status: 404, body: "{}" }, { credential: token(`TOKEN=${hex40}`) }),
  "a hidden value": refused(usual, hidden),
  "a hidden value, and accepted": { exchange: accepted(), hints: hidden },
  // A diagnosis says more.
  "words of the server, after a diagnosis": answered(
    { status: 401, body: '{"message":"Time frame is invalid"}' },
    { credential: wsse(), diagnosed: [measured("ruled-out", "ruled out: all", ["Compare"])] },
  ),
  "a convention of a found file": refused(wsse(), found),
  "a convention of a found file, and not refused": answered({ status: 404 }, { hints: found }),
};

/** The fields of an exchange tell the time to the second, with one second of uncertainty. */
export const clocks: Cases = {
  ...each(
    [30, 31, -30, -31],
    (seconds) => ({ exchange: rejected(dated(seconds)), credential: wsse() }),
    (seconds) => `${seconds} s ahead`,
  ),
  "400 s ahead, which explains no refusal of a token": { exchange: rejected(dated(400)) },
  "400 s ahead, accepted": { exchange: accepted(dated(400)) },
  "400 s ahead, and the server failed": {
    exchange: replied({ status: 500, headers: dated(400) }),
    credential: wsse(),
  },
};
