import { describe, expect, test } from "vitest";
import { requestLimit } from "../../../src/check/diagnose/request-limit.ts";
import { diagnosis, type Mind, needing, pasted } from "./means.ts";

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
      ...pasted,
      answer: (number) => (accepted.includes(number) ? "accept" : "refuse"),
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

  test.each([
    ["paused", "paused"],
    ["paused", "pausedLonger"],
    ["locked", "locked"],
  ] as const)("what the first refusal said as well is no lock: %s, %s", async (first, other) => {
    const { ids, variants } = await diagnosis({ first, answer: () => other });
    expect([ids, variants.length]).toEqual(["measured ruled-out,possible header-ignored", 14]);
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
    ["later", "differently", 3, [`${why}; so far ruled out: a header lost on the way and the clock`]],
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
