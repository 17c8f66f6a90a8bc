import { describe, expect, test } from "vitest";
import { requestLimit } from "../../../src/check/diagnose/request-limit.ts";
import { diagnosis, type Mind, needing, pasted } from "./means.ts";

// 1 has no credentials, 2 another Created, 3 the Authorization field, 4 the right convention. 5 to 8 repeat it and the first
// request, and 9 and 10 leave the corrections of 2 and 3 out.
test("each request changes what it announces", async () => {
  const { announced, variants } = await diagnosis({ answer: needing() });
  const numbered = (number: number, text: string) => `diagnosis, request ${number} of at most 24: ${text}`;
  expect(announced).toEqual([
    numbered(
      1,
      "without credentials, to see whether the response differs; at most 14 further requests, and 10 more if one is accepted; each may count as a failed login",
    ),
    numbered(2, "Created 3 s earlier"),
    numbered(3, 'with the field Authorization: WSSE profile="UsernameToken"'),
    numbered(4, "digest base64-nonce"),
    numbered(5, "the accepted request again, 1 of 2"),
    numbered(6, "the accepted request again, 2 of 2"),
    numbered(7, "the first request again, 1 of 2"),
    numbered(8, "the first request again, 2 of 2"),
    numbered(9, "the same without Created 3 s earlier"),
    numbered(10, "the same without `authorization: wsse`"),
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
    "base64-nonce wsse -3",
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
const inconsistent = "measured inconsistent-server";

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
  [1, atRequest(inconsistent, needed, stopped)],
  [2, atRequest(inconsistent, stopped)],
  [3, atRequest(inconsistent, stopped)],
  [4, { ...atRequest(needed, stopped), refuse: "measured ruled-out" }],
  [5, { ...atRequest(needed, unclear), refuse: inconsistent }],
  [6, { ...atRequest(needed, unclear), refuse: inconsistent }],
  [7, atRequest(inconsistent, unclear)],
  [8, atRequest(inconsistent, unclear)],
  [9, atRequest(needed, needed)],
  [10, atRequest(needed, needed)],
] as const)("a server that changes its mind at request %i", (number, expected) => {
  test.each(Object.entries(expected))("and answers with %s: %s", async (mind, conclusion) => {
    // Without credentials it answers in another way, so that the header arrives.
    const { ids } = await diagnosis({ answer: needing({ 1: "differently", [number]: mind as Mind }) });
    expect(ids.replace(",possible header-ignored", "")).toBe(conclusion);
  });
});

const whole = "accepted with `digest: base64-nonce` and `authorization: wsse` and Created 3 s earlier";
const again = "; the accepted request and the first one got the same answers twice more";

describe("what is not proved, or not known, says why", () => {
  const words = 'ended as unavailable (HTTP 429: "Locked for an hour")';
  const unproved = ", but this is not proved";
  const unknown = "; which of these are needed is not known";
  test.each<[string, Readonly<Record<number, Mind>>, string]>([
    [
      "the accepted request is limited when it is made again",
      { 5: "429" },
      `possible digest-convention: ${whole}${unproved}: the request "the accepted request again, 1 of 2" ${words}`,
    ],
    [
      "the first request is limited",
      { 7: "429" },
      `possible digest-convention: ${whole}${unproved}: the request "the first request again, 1 of 2" ${words}`,
    ],
    [
      "the first request is interrupted",
      { 8: "interrupt" },
      `possible digest-convention: ${whole}${unproved}: the run was interrupted`,
    ],
    [
      "the search is limited",
      { 9: "429" },
      `proved digest-convention: ${whole}${again} (9 further requests)${unknown}: the request "the same without Created 3 s earlier" ${words}`,
    ],
    [
      "the search is interrupted later",
      { 10: "interrupt" },
      `proved digest-convention: ${whole}${again} (10 further requests)${unknown}: the run was interrupted`,
    ],
    [
      "the server refuses everything from the search on",
      { 9: "refuse", 10: "refuse", 11: "refuse" },
      `proved digest-convention: ${whole}${again} (11 further requests)${unknown}: the request "what seems to be needed, again" ended as rejected (HTTP 401: "No")`,
    ],
    [
      "the time alone, and the first request fails",
      { 2: "accept", 3: "accept", 4: "accept", 5: "fail" },
      `possible clock: accepted with Created 3 s earlier: only the time was wrong${unproved}: the request "the first request again, 1 of 2" ended as unreachable`,
    ],
  ])("%s", async (_, changes, finding) => {
    const { found } = await diagnosis({ answer: needing(changes) });
    expect(found).toEqual([finding]);
  });

  test.each<[string, number, Mind, string]>([
    ["the accepted request is refused", 5, "refuse", "the accepted request was accepted, and refused"],
    ["the first request is accepted", 7, "accept", "the first request was refused, and accepted"],
  ])("%s when it is made again: the server is inconsistent", async (_, at, mind, message) => {
    const { found, fixes, variants } = await diagnosis({ answer: needing({ [at]: mind }) });
    expect(found).toEqual([
      `measured inconsistent-server: ${message} when it was made again: perhaps several servers answer by this name, or a change of the account is still spreading`,
    ]);
    expect(fixes).toEqual([expect.stringMatching(/^Check again in a few minutes/)]);
    expect(variants).toHaveLength(at);
  });
});

describe("all requests used up", () => {
  // Request 17 tries the last convention, 18 to 21 repeat it and the first one, and the rest leaves out one change after the other.
  test.each([
    [
      [17, 18, 19, 24],
      /`hash: sha512` and `authorization: wsse` and Created .* got the same answers twice more \(24 further requests\)$/,
    ],
    [
      [17, 18, 19, 22, 23],
      /`authorization: wsse` and Created .* got the same answers twice more \(24 further requests\); 24 requests do not show whether all of this is needed$/,
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
