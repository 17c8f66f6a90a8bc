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
