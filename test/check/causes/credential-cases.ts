import type { SentCredential } from "../../../src/check/credential.ts";
import { measured } from "../../../src/check/result.ts";
import { settingsInWords } from "../../../src/settings/advice.ts";
import { flagLevel } from "../../../src/settings/run-settings.ts";
import { settingsOf } from "../../settings/settings-of.ts";
import { replied } from "../../support/exchanges.ts";
import { each } from "../../support/texts.ts";
import { accepted, answered, type Cases, dated, rejected } from "./exchanges.ts";
import { type Case, hex40, token, wsse } from "./found.ts";

const usual = token(hex40);
const refused = (credential: SentCredential, hints: Case["hints"] = {}): Case => ({
  exchange: rejected(),
  credential,
  hints,
});
const ofFlags = settingsInWords(settingsOf([flagLevel({ username: "u", secret: "s" })]));
const cut = { cutByComment: ["token"] } as const;
const hidden = { hidden: [{ by: "REFERRAL_TOKEN", place: "token in /rc, line 1" }] };
const found = { setByFoundFile: ["digest in /rc, line 1", "hash in /rc, line 2"] };
const ofTokenFlag = settingsInWords(settingsOf([flagLevel({ token: "t" })]));

const tokens: readonly string[] = [
  ...["$TOKEN", "TOKEN", `"${hex40}"`, `Bearer ${hex40}`, `TOKEN=${hex40}`, "two words", "two-words", "x"],
  ...[
    "3.48E+39",
    "3,48E+39",
    "4e+039",
    "3.48",
    "op://Private/referral/token",
    "projects/p/secrets/t/versions/1",
  ],
  ...[
    Buffer.from(hex40).toString("base64"),
    "[MASKED]",
    "undefined",
    "YOUR_API_KEY",
    "./token.txt",
    '{"a":"b","c":1}',
  ],
  ...[
    "ENC[AES256_GCM,data:x]",
    "me@example.com",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x9",
    `ghp_${hex40}`,
    hex40 + hex40,
  ],
  ...[hex40.slice(0, 39), "no-hexadecimal-digits-but-40-characters-"],
  // Those of other services, and neighbours, which are none.
  ...[
    `gho_${hex40}`,
    "xoxb-12-34-ab",
    "sk-proj-1a2b3c",
    "sk_live_1a2b3c",
    "rk_live_1a2b3c",
    "AKIAIOSFODNN7EXAMPLE",
  ],
  ...[
    "hvs.1a2b3c",
    "hvb.1a2b3c",
    `dop_v1_${hex40}`,
    "npm_1a2b3c",
    "SG.1a2b3c",
    `x-ghp_${hex40}`,
    "AKIAIO-1a2b3c",
  ],
  ...["xoxz-12-34-ab", "zk-proj-1a2b3c", "skxlive_1a2b3c", "hvx.1a2b3c", `dox_v1_${hex40}`],
  ...[
    "x.eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x9",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x9!",
    `${hex40}-x`,
    `${hex40.slice(0, 32)}-of-mine`,
  ],
  ...["System.Security.SecureString"],
  ...["((token))", "%env.TOKEN%", "(token)"],
  ...["vault://secret/x#y", "https://a.example/x", "x-$NAME", "a$b", "x%NAME%y"],
  ...[`${hex40}0`, `0${hex40}`, hex40.slice(1), hex40.replace("0", "g"), hex40.toUpperCase(), "a\\nb"],
];

/** Usernames and secrets; the second row of two is the first's neighbour, of which less can be said. */
const accounts: ReadonlyArray<readonly [username: string, secret: string]> = [
  ["me@example.com", "short"],
  ["me@example.com", "you@example.com"],
  ["me", "you@example.com"],
  ["me", "s3cret-of-me"],
  ["$A", "$B"],
  ["me@example.com", "'s3cret-of-me'"],
  ["'me'", "'s3cret-of-me'"],
  ["me@example.com", "a b-secret"],
  ["me@example.com", "a\u2013b-secret"],
  ["me@example.com", "a\u00a0b-secret"],
  ["me@example.com", "a-\u200bsecret"],
  ["me@example.com", "\u201ca-secret\u201d"],
  ["me@example.com", "a-s\u00fccret"],
  ["me+$ENV@example.com", "a-secret"],
  ["me@example.com", "me@example.com"],
  ["me@example.com", "process.env.SECRET"],
  ["me@example.com", "Error: no such item"],
  ["me%40example.com", "a-secret"],
  ["Me <me@example.com>", "a-secret"],
  ["me@example.com", "$2y$10$BWKz2wI45JQOS6NBXNXY2."],
  ["me@example.com", Buffer.from("s3cret-of-mine").toString("base64")],
  ["me@example.com", "(sensitive value)"],
  ["me@example.com", "Passw0rd\\!"],
  ["me@example.com", "k9x=Tq7hPz"],
  ["me@example.com", "k9x: Tq7hPz"],
  ["me@example.com", "SECRET=Tq7hPz"],
  ["me@example.com", "me@example.com:Tq7hPz"],
  ["me@example.com", "you@example.com:Tq7hPz"],
  ["me@example.com", "-----BEGIN PRIVATE KEY-----"],
];

export const credentials: Cases = {
  ...each(tokens, (value) => refused(token(value), ofTokenFlag)),
  ...each(accounts, ([username, secret]) => refused(wsse({ username, secret }), ofFlags)),
  "accepted, in quotation marks": { exchange: accepted(), credential: token(`"${hex40}"`) },
  "accepted, and short": { exchange: accepted(), credential: token("a-short-one") },
  "400 to a name before the token": answered(
    { status: 400, body: "{}" },
    { credential: token(`TOKEN=${hex40}`) },
  ),
  "404 to a name before the token": answered(
    { status: 404, body: "{}" },
    { credential: token(`TOKEN=${hex40}`) },
  ),
  "a token to try": refused(wsse(), { hasSpareToken: true }),
  "a part like a variable, and accepted": { exchange: accepted(), credential: token("x-$NAME") },
  "a part like a variable, and 404": answered({ status: 404, body: "{}" }, { credential: token("x-$NAME") }),
  "cut by a comment": refused(usual, cut),
  "cut by a comment, and no evidence of the API": answered({ status: 401, body: "No" }, { hints: cut }),
  "cut by a comment, and accepted": { exchange: accepted(), hints: cut },
  "a hidden value": refused(usual, hidden),
  "a hidden value, and accepted": { exchange: accepted(), hints: hidden },
  ...each(
    [
      "Time frame is invalid",
      "Created is too far in the past",
      "Previously used nonce detected",
      "Try next time",
      ...[
        "Nonces are for one use: seen",
        "Nonce was already seen",
        "Nonce reuse",
        "A duplicate of this nonce",
      ],
      "Invalid digest",
    ],
    (message) => answered({ status: 401, body: JSON.stringify({ message }) }, { credential: wsse() }),
  ),
  ...each(
    [
      "Missing X-Auth-Token header",
      "No API key found in request",
      "Missing Authorization header",
      "token_expired",
      ...["Missing the mandatory header", "The X-Auth-Token header is missing", "No X-Auth-Token: none"],
      ...["A testing key", "A sandbox credential", "A live API key", "A test of a key"],
      ...[
        "This credential has expired",
        "A revoked API key",
        "An expired key",
        "A key of an expired account",
      ],
    ],
    (message) => answered({ status: 401, body: JSON.stringify({ message }) }),
  ),
  // A diagnosis tries them, and says more.
  ...each(
    ["Missing X-Auth-Token header", "Time frame is invalid", "Account suspended"],
    (message) =>
      answered(
        { status: 401, body: JSON.stringify({ message }) },
        { credential: wsse(), diagnosed: [measured("ruled-out", "ruled out: all", ["Compare"])] },
      ),
    (message) => `${message}, after a diagnosis`,
  ),
  // Words of the credential with another status. The last ones are about something else.
  ...each(
    [
      ...[
        "Not authorized",
        "not authorised",
        "Invalid login",
        "A bad user",
        "Wrong API key",
        "No credential",
      ],
      ...["credential invalid", "Credentials are not valid", "Digest is not valid", "Login has failed"],
      ...["Invalid size of a key", "The key of the size is invalid", "Not logged"],
    ],
    (message) => answered({ status: 400, body: JSON.stringify({ message }) }),
    (message) => `400 ${message}`,
  ),
  "words of time, to a token": answered({ status: 401, body: '{"message":"Time frame is invalid"}' }),
  "words of time, with another status": answered(
    { status: 400, body: '{"message":"Time frame is invalid"}' },
    { credential: wsse() },
  ),
  "a convention of a found file": refused(wsse(), found),
  "a convention of a found file, and not refused": answered({ status: 404 }, { hints: found }),
};

/** The fields of an exchange tell the time to the second, with one second of uncertainty. */
export const clocks: Cases = {
  ...each(
    [30, 31, 400, 49 * 3600, -30, -31, -400],
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
