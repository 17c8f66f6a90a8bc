import { describe, expect, test } from "vitest";
import { requestLimit } from "../../../src/check/result.ts";
import { diagnosis, type Mind, needing, pasted } from "./means.ts";

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
