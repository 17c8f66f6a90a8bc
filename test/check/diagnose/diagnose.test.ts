import { describe, expect, test } from "vitest";
import { diagnosis, type Mind, needing } from "./diagnosis.ts";

const needed = "proved digest-convention";
const stopped = "measured diagnosis-stopped";
const unclear = "possible digest-convention";
const inconsistent = "measured inconsistent-server";

// texts/experiments.txt has the ten requests: 1 to 4 are experiments, 5 to 8 repeat the last and the first, and 9 and 10 leave changes out.
// No other answer shows anything: either the diagnosis goes on, or it ends, or what was accepted is not proved.
const atRequest = (accept: string, other: string, end = other): Readonly<Partial<Record<Mind, string>>> => {
  const lock = end === stopped ? `${stopped},possible account-locked` : end;
  return {
    accept,
    refuse: needed,
    404: other,
    503: other,
    fail: other,
    423: lock,
    429: lock,
    locked: lock,
    paused: lock,
    interrupt: end,
  };
};

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
    expect(ids.replace(",possible gateway", "")).toBe(conclusion);
  });
});
