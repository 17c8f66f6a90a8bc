import { describe, expect, test } from "vitest";
import type { Credential } from "../../../src/check/credential.ts";
import { requestLimit } from "../../../src/check/diagnose/request-limit.ts";
import type { Variant } from "../../../src/check/request.ts";
import { Secret } from "../../../src/settings/secret.ts";
import { hex40, token, wsse } from "../causes/found.ts";
import { diagnosis, type Mind } from "./means.ts";

/** A server that needs `digest: base64-nonce` alone, but answers these requests in another way. */
const needing =
  (changes: Readonly<Record<number, Mind>> = {}, refusal: Mind = "refuse") =>
  (number: number, { credential }: Variant): Mind =>
    changes[number] ??
    (credential?.method === "wsse" && `${credential.digest} ${credential.hash}` === "base64-nonce sha1"
      ? "accept"
      : refusal);

// 1 has no credentials, 2 another Created, 3 the Authorization field, 4 the right convention. 5 and 6 are the control, and 7
// and 8 leave the corrections of 2 and 3 out.
test("each request changes what it announces", async () => {
  const { announced, variants } = await diagnosis({ answer: needing() });
  const numbered = (number: number, text: string) => `diagnosis, request ${number} of at most 24: ${text}`;
  expect(announced).toEqual([
    numbered(
      1,
      "without credentials, to see whether the response differs; each request may count as a failed login",
    ),
    numbered(2, "Created 3 s earlier"),
    numbered(3, 'with the field Authorization: WSSE profile="UsernameToken"'),
    numbered(4, "digest base64-nonce"),
    numbered(5, "control 1 of 2, the first request again"),
    numbered(6, "control 2 of 2, the first request again"),
    numbered(7, "the same without Created 3 s earlier"),
    numbered(8, "the same without `authorization: wsse`"),
  ]);
  const shown = variants.map(({ credential, shiftSeconds }) =>
    credential?.method === "wsse"
      ? `${credential.digest} ${credential.authorization} ${shiftSeconds}`
      : credential,
  );
  expect(shown).toEqual([
    null,
    "text-nonce none -3",
    "text-nonce wsse -3",
    "base64-nonce wsse -3",
    "text-nonce none 0",
    "text-nonce none 0",
    "base64-nonce wsse 0",
    "base64-nonce none 0",
  ]);
});

const needed = "proved digest-convention";
const stopped = "measured diagnosis-stopped";
const unclear = "possible digest-convention";

// No other answer shows anything: either the diagnosis goes on, or it ends, or what was accepted is not proved.
const atRequest = (accept: string, other: string, lock = other): Readonly<Partial<Record<Mind, string>>> => ({
  accept,
  refuse: needed,
  404: other,
  503: other,
  fail: other,
  423: lock,
  429: lock,
  locked: lock,
  paused: lock,
  interrupt: lock,
});

describe.each([
  [1, atRequest("proved no-authentication", needed, stopped)],
  [2, atRequest("proved clock", stopped)],
  [3, atRequest("proved authorization", stopped)],
  [4, { ...atRequest(needed, stopped), refuse: "measured ruled-out" }],
  [5, atRequest("measured inconsistent-server", unclear)],
  [6, atRequest("measured inconsistent-server", unclear)],
  [7, atRequest(needed, unclear)],
  [8, atRequest(needed, unclear)],
] as const)("a server that changes its mind at request %i", (number, expected) => {
  test.each(Object.entries(expected))("and answers with %s: %s", async (mind, conclusion) => {
    // Without credentials it answers in another way, so that the header arrives.
    const { ids } = await diagnosis({ answer: needing({ 1: "differently", [number]: mind as Mind }) });
    expect(ids.replace(",possible header-ignored", "")).toBe(conclusion);
  });
});

const lost = "a header lost on the way";
const end = "a missing Authorization field and the other digest conventions and hashes";
const wrong = "the credential itself may be wrong";
const compare =
  "Compare the credential (now set by the default and the default) with what the account shows, and ask whether the account is active";

describe("where nothing is accepted, and the response without credentials", () => {
  const alike = [
    `measured ruled-out: refused as well: the clock, ${end}; ${wrong}`,
    "possible header-ignored: the response without credentials is the same: the API may answer all refusals alike, or may not receive the header",
  ];
  const arrived = [`measured ruled-out: ruled out: ${lost}, the clock, ${end}; ${wrong}`];
  const unknown = [`measured ruled-out: ruled out: the clock, ${end}; ${wrong}`];
  test.each<[string, Mind, readonly string[]]>([
    ["is the same", "refuse", alike],
    ["is the same but for a field", "alikeByOther", alike],
    ["has another status", "forbid", arrived],
    ["has another body", "differently", arrived],
    ["has another type", "otherType", arrived],
    ["is not the API's", "404", arrived],
    ["is a server's failure", "503", unknown],
    ["is a server's failure with a wait, which is no lock", "busy", unknown],
    ["does not come", "fail", unknown],
  ])("%s", async (_, bare, expected) => {
    const { found, fixes, outcome, variants } = await diagnosis({
      answer: (number) => (number === 1 ? bare : "refuse"),
    });
    expect(found).toEqual(expected);
    expect(fixes[0]).toBe(compare);
    expect(outcome.kind).toBe("rejected");
    // Without credentials, 3 s earlier, the field and 11 conventions.
    expect(variants).toHaveLength(14);
  });
});

test.each<[Mind, string]>([
  ["refuse", `nothing was accepted; ${wrong}`],
  ["differently", `ruled out: ${lost}; ${wrong}`],
  ["503", `nothing was accepted; ${wrong}`],
])("a token without mistakes has one experiment: %s", async (bare, message) => {
  const { found, announced } = await diagnosis({ credential: token(hex40), answer: () => bare });
  expect(found[0]).toBe(`measured ruled-out: ${message}`);
  expect(announced).toEqual([
    expect.stringMatching(/^diagnosis, request 1 of at most 3: without credentials/),
  ]);
});

test.each<["page" | "noLength"]>([["page"], ["noLength"]])(
  "after a refusal that the API may not have made (%s), only an acceptance shows anything",
  async (first) => {
    const { found, fixes } = await diagnosis({
      first,
      answer: (number) => (number === 1 ? "differently" : first),
    });
    expect(found).toEqual([
      `measured ruled-out: refused as well: ${lost}, the clock, ${end}; nothing shows whether the API was reached`,
    ]);
    expect(fixes[0]).toMatch(/, and ask the operator of the gateway/);
    expect((await diagnosis({ first, answer: needing({}, first) })).ids).toBe(needed);
  },
);

const quoted = wsse({ secret: '"correct-horse"' });
const tokenAlone = { token: new Secret("a-token") };
const hasSecret =
  (secret: string) =>
  (_: number, { credential }: Variant): Mind =>
    credential?.method === "wsse" && credential.secret.reveal() === secret ? "accept" : "refuse";

test.each<[string, Credential, (number: number, variant: Variant) => Mind, string, string]>([
  [
    "the time",
    wsse(),
    (_, { credential, shiftSeconds }) => (credential && shiftSeconds < 0 ? "accept" : "refuse"),
    "clock: accepted with Created 3 s earlier: only the time was wrong; the first request was refused twice more (4 further requests)",
    "Set this machine's clock by NTP, for example with: timedatectl set-ntp true",
  ],
  [
    "the time and the field",
    wsse(),
    (_, { credential, shiftSeconds }) =>
      credential?.method === "wsse" && credential.authorization === "wsse" && shiftSeconds < 0
        ? "accept"
        : "refuse",
    "authorization: accepted with `authorization: wsse` and Created 3 s earlier; the first request was refused twice more (7 further requests)",
    "Use --authorization wsse, or set REFERRAL_AUTHORIZATION=wsse (not set now). Also set this machine's clock by NTP",
  ],
  [
    "no credentials",
    wsse(),
    (_, { credential }) => (credential ? "refuse" : "accept"),
    "no-authentication: accepted without credentials: the server does not check them; the first request was refused twice more (3 further requests)",
    "Check the base URL (now set by the default): this endpoint may be a stand-in, or have its authentication switched off",
  ],
  [
    "the secret cleaned",
    quoted,
    hasSecret("correct-horse"),
    "credential-cleaned: accepted with the secret without quotation marks around it; the first request was refused twice more (6 further requests)",
    "Set the secret without quotation marks around it (now set by the default)",
  ],
  [
    "the token as the secret",
    wsse(),
    hasSecret("a-token"),
    "token-is-secret: accepted with the token as the secret; the first request was refused twice more (6 further requests)",
    "Set the secret (now set by the default) to the token (now set by the default)",
  ],
  [
    "a token cleaned",
    token('"a-token"'),
    (_, { credential }) =>
      credential?.method === "token" && credential.token.reveal() === "a-token" ? "accept" : "refuse",
    "credential-cleaned: accepted with the token without quotation marks around it; the first request was refused twice more (4 further requests)",
    "Set the token without quotation marks around it (now set by the default)",
  ],
])("a server that needs %s", async (_, credential, answer, finding, fix) => {
  const { found, fixes } = await diagnosis({ credential, answer, spare: tokenAlone });
  expect([found, fixes]).toEqual([[`proved ${finding}`], [fix]]);
});

test("a clock that differs is corrected by the difference, and then by 3 s more", async () => {
  // The made-up responses come at 12:00:00.510 by this clock.
  const { found, announced } = await diagnosis({
    answer: (_, { shiftSeconds }) => (shiftSeconds === -373 ? "accept" : "refuse"),
    date: "Sat, 21 Nov 2026 11:53:50 GMT",
  });
  expect(announced[1]).toMatch(/: Created 6 minutes 10 seconds earlier$/);
  const message = "accepted with Created 6 minutes 13 seconds earlier: only the time was wrong; ";
  expect(found).toEqual([expect.stringContaining(`proved clock: ${message}`)]);
});

describe("what is not proved says why", () => {
  const words = 'ended as unavailable (HTTP 429: "Locked for an hour")';
  test.each<[string, Readonly<Record<number, Mind>>, string]>([
    [
      "the control is limited",
      { 5: "429" },
      `accepted with \`digest: base64-nonce\` and \`authorization: wsse\` and Created 3 s earlier, but this is not proved: the request "control 1 of 2, the first request again" ${words}`,
    ],
    [
      "the control is interrupted",
      { 6: "interrupt" },
      "accepted with `digest: base64-nonce` and `authorization: wsse` and Created 3 s earlier, but this is not proved: the run was interrupted",
    ],
    [
      "the search is limited",
      { 7: "429" },
      `accepted with \`digest: base64-nonce\` and \`authorization: wsse\` and Created 3 s earlier; which of these are needed is not known: the request "the same without Created 3 s earlier" ${words}`,
    ],
    [
      "the search is interrupted later",
      { 8: "interrupt" },
      "accepted with `digest: base64-nonce` and `authorization: wsse`; which of these are needed is not known: the run was interrupted",
    ],
    [
      "the time alone, and the control fails",
      { 2: "accept", 3: "fail" },
      'accepted with Created 3 s earlier: only the time was wrong, but this is not proved: the request "control 1 of 2, the first request again" ended as unreachable',
    ],
  ])("%s", async (_, changes, message) => {
    const { found } = await diagnosis({ answer: needing(changes) });
    expect(found).toEqual([expect.stringMatching(/^possible /)]);
    expect(found[0]).toContain(`: ${message}`);
  });

  test("a first request that is accepted when it is made again is the server's inconsistency", async () => {
    const { found, fixes, variants } = await diagnosis({ answer: needing({ 5: "accept" }) });
    expect(found).toEqual([
      expect.stringMatching(/^measured inconsistent-server: the first request was refused, and accepted/),
    ]);
    expect(fixes).toEqual([expect.stringMatching(/^Check again in a few minutes/)]);
    expect(variants).toHaveLength(5);
  });
});

describe("all requests used up", () => {
  // Request 17 tries the last convention, 18 and 19 are the control, and the rest leaves out one change after the other.
  test.each([
    [
      [17, 21],
      /`hash: sha512` and Created .* earlier; the first request was refused twice more \(24 further requests\)$/,
    ],
    [
      [17, 21, 24],
      /; the first request was refused twice more \(24 further requests\); 24 requests do not show whether all of this is needed$/,
    ],
  ])("by a server that accepts %j", async (accepted, message) => {
    const { found, announced } = await diagnosis({
      credential: quoted,
      answer: (number) => (accepted.includes(number) ? "accept" : "refuse"),
      spare: tokenAlone,
      date: "Sat, 21 Nov 2026 11:53:50 GMT",
    });
    expect(found).toEqual([expect.stringMatching(message)]);
    expect(found[0]).toMatch(/^proved digest-convention: /);
    expect(announced).toHaveLength(requestLimit);
    for (const text of announced) expect(text).toContain(` of at most ${requestLimit}: `);
  });
});

describe("the account is locked meanwhile:", () => {
  test.each([
    ["429", 'unavailable (HTTP 429: "Locked for an hour")'],
    ["423", 'unexpected (HTTP 423: "Gone for now")'],
    ["locked", 'rejected (HTTP 403: "Account locked")'],
    ["paused", 'rejected (HTTP 401: "No"; Retry-After is 15 minutes)'],
  ] as const)("%s ends it with the server's words, and names what was tried", async (mind, words) => {
    const { found, fixes, variants } = await diagnosis({ answer: needing({ 4: "refuse", 5: mind }) });
    expect(found).toEqual([
      `measured diagnosis-stopped: diagnosis ended early: the request "digest decoded-nonce" ended as ${words}; so far refused as well: the clock, a missing Authorization field and digest base64-nonce`,
      expect.stringMatching(/^possible header-ignored: /),
    ]);
    expect(fixes[0]).toBe("Wait a while and run it again: the API may limit failed logins");
    expect(variants).toHaveLength(5);
  });

  test.each(["paused", "locked"] as const)(
    "what the first refusal said as well is no lock: %s",
    async (first) => {
      const { ids, variants } = await diagnosis({ first, answer: () => first });
      expect([ids, variants.length]).toEqual(["measured ruled-out,possible header-ignored", 14]);
    },
  );

  test("nor is a longer Retry-After", async () => {
    const { ids } = await diagnosis({ first: "paused", answer: () => "pausedLonger" });
    expect(ids).toBe("measured ruled-out,possible header-ignored");
  });

  test("after a refusal with a Retry-After, words about a lock are one", async () => {
    const { ids } = await diagnosis({
      first: "paused",
      answer: (number) => (number === 2 ? "locked" : "paused"),
    });
    expect(ids).toBe("measured diagnosis-stopped,possible header-ignored");
  });
});

describe("an interruption keeps what was found:", () => {
  const why = "measured diagnosis-stopped: diagnosis ended early: the run was interrupted";
  test.each([
    ["at the first request", "differently", 1, [why]],
    ["later", "differently", 3, [`${why}; so far ruled out: ${lost} and the clock`]],
    [
      "where the header may be ignored",
      "refuse",
      3,
      [`${why}; so far refused as well: the clock`, expect.stringMatching(/^possible header-ignored: /)],
    ],
  ] as const)("%s", async (_, bare, at, expected) => {
    const { found, fixes } = await diagnosis({ answer: needing({ 1: bare, [at]: "interrupt" }) });
    expect(found).toEqual(expected);
    expect(fixes[0]).toBe("Run it again to finish the diagnosis");
  });

  test("while the spare token is read, before any request", async () => {
    const { found, fixes, announced } = await diagnosis({ answer: needing(), spare: null });
    expect([found, fixes, announced]).toEqual([[why], ["Run it again to finish the diagnosis"], []]);
  });
});

test.each<[string, (number: number, variant: Variant) => Mind, string]>([
  ["something is proved", needing(), needed],
  ["nothing is accepted", () => "refuse", "measured ruled-out,possible header-ignored"],
  ["it ends early", needing({ 2: "429" }), `${stopped},possible header-ignored`],
])("a spare token that cannot be read is a remark where %s", async (_, answer, ids) => {
  const run = await diagnosis({ answer, spare: { problem: "the file is missing" } });
  expect(run.ids).toBe(`${ids},measured spare-token`);
  expect(run.found.at(-1)).toBe(
    "measured spare-token: the token was not tried as the secret: the file is missing",
  );
  expect(run.fixes.at(-1)).toBe("Correct the token (now set by the default), or leave it out");
});

describe("after an acceptance", () => {
  test.each<[Mind, object]>([
    ["accept", { kind: "unexpected", reason: { kind: "no-authentication" }, response: { status: 200 } }],
    ["refuse", { kind: "accepted" }],
    ["429", { kind: "accepted" }],
    ["fail", { kind: "accepted" }],
    ["cached", { kind: "accepted" }],
    ["interrupt", { kind: "accepted" }],
  ])("it asks once without credentials: %s", async (bare, outcome) => {
    const run = await diagnosis({ first: "accept", answer: () => bare });
    expect(run.outcome).toMatchObject(outcome);
    expect(run).toMatchObject({
      asked: ["once"],
      announced: [
        "diagnosis, request 1 of at most 1: without credentials, to see whether the server checks them; it may count as a failed login",
      ],
      variants: [{ credential: null, shiftSeconds: 0 }],
      found: [],
    });
  });
});

test.each<Exclude<Mind, "interrupt">>(["404", "503", "fail", "429", "alikeByOther"])(
  "after %s there is nothing to try, and nobody is asked",
  async (first) => {
    const { asked, announced, found, fixes } = await diagnosis({ first, answer: () => "accept" });
    expect([asked, announced]).toEqual([[], []]);
    expect(found).toEqual([
      "measured not-diagnosed: a diagnosis has nothing to try: only a refusal (401 or 403) can depend on the credential",
    ]);
    expect(fixes).toEqual(["First get an answer of the API, then diagnose"]);
  },
);

test("a refusal that may not be diagnosed stays without findings, and the spare token is not read", async () => {
  const { asked, announced, found, outcome } = await diagnosis({ answer: needing(), mayDiagnose: false });
  expect([asked, announced, found, outcome.kind]).toEqual([["mayDiagnose"], [], [], "rejected"]);
});
