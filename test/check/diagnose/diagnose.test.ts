import { describe, expect, test } from "vitest";
import { diagnosis, type Mind, needing } from "./means.ts";

// 1 has no credentials, 2 another Created, 3 the Authorization field, 4 the right convention. 5 to 8 repeat it and the first
// request, and 9 and 10 leave the corrections of 2 and 3 out.
test("each request changes what it announces", async () => {
  const { announced, costs, variants } = await diagnosis({ answer: needing() });
  const numbered = (number: number, text: string) => `diagnosis, request ${number} of at most 24: ${text}`;
  expect(costs).toEqual([
    "diagnosis, at most 14 further requests, and 10 more if one is accepted; each may count as a failed login",
  ]);
  expect(announced).toEqual([
    numbered(1, "without credentials, to see whether the response differs"),
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

describe("the account is locked meanwhile:", () => {
  test.each([
    ["429", 'unavailable (HTTP 429: "Locked for an hour")'],
    ["423", 'unexpected (HTTP 423: "Gone for now")'],
    ["locked", 'rejected (HTTP 403: "Account locked")'],
    ["paused", 'rejected (HTTP 401: "No"; Retry-After is 15 minutes)'],
  ] as const)("%s ends it with the server's words, and names what was tried", async (mind, words) => {
    const { found, fixes, variants } = await diagnosis({ answer: needing({ 4: "refuse", 5: mind }) });
    expect(found).toEqual([
      `measured diagnosis-stopped: diagnosis ended early: the request "digest decoded-nonce" ended as ${words}; so far changes for these were refused too: a clock that is a few seconds ahead, a missing Authorization field and digest base64-nonce`,
      expect.stringMatching(/^possible header-ignored: /),
    ]);
    expect(fixes[0]).toBe("Wait a while, then try once: the API may limit failed logins");
    expect(variants).toHaveLength(5);
  });

  test.each([
    ["paused", "paused"],
    ["paused", "pausedLonger"],
  ] as const)("a wait that the first refusal asked for as well is no lock: %s, %s", async (first, other) => {
    const { ids, variants } = await diagnosis({ first, answer: () => other });
    expect([ids, variants.length]).toEqual(["measured ruled-out,possible header-ignored", 14]);
  });

  test("where the first refusal speaks of a lock, no request is made", async () => {
    const { found, fixes, asked, announced } = await diagnosis({ first: "locked", answer: () => "locked" });
    expect(found).toEqual([
      'measured diagnosis-stopped: diagnosis ended early: the first request ended as rejected (HTTP 403: "Account locked")',
    ]);
    expect(fixes).toEqual(["Wait a while, then try once: the API may limit failed logins"]);
    expect([asked, announced]).toEqual([[], []]);
  });

  test("a first answer 423 begins nothing either", async () => {
    const { ids, announced } = await diagnosis({ first: "423", answer: () => "423" });
    expect([ids, announced]).toEqual(["measured diagnosis-stopped", []]);
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
    [
      "later",
      "differently",
      3,
      [`${why}; so far ruled out: a header lost on the way and a clock that is a few seconds ahead`],
    ],
    [
      "where the header may be ignored",
      "refuse",
      3,
      [
        `${why}; so far changes for these were refused too: a clock that is a few seconds ahead`,
        expect.stringMatching(/^possible header-ignored: /),
      ],
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
