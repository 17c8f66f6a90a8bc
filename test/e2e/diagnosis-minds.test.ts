import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { json, serve, success } from "../support/serve.ts";
import { accepts, diagnose, refuse } from "./diagnose.ts";

const minds = {
  accept: (response: ServerResponse) => json(response, 200, success),
  refuse,
  "429": (response: ServerResponse) => json(response, 429, { code: 429, message: "Locked for an hour" }),
  locked: (response: ServerResponse) => json(response, 403, { code: 403, message: "Account locked" }),
  paused: (response: ServerResponse) => json(response, 401, { message: "No" }, { "retry-after": "900" }),
  "423": (response: ServerResponse) => json(response, 423, { message: "Gone for now" }),
  "503": (response: ServerResponse) => json(response, 503, {}),
  "404": (response: ServerResponse) => json(response, 404, {}),
  reset: (response: ServerResponse) => void response.socket?.resetAndDestroy(),
};
type Mind = keyof typeof minds;

/** A server that needs `digest: base64-nonce`, but answers these requests in another way. The first one has the number 1. */
function serverWith(changes: Readonly<Record<number, Mind>>) {
  let count = 0;
  return serve((request, response) => {
    count += 1;
    minds[changes[count] ?? (accepts(request, { digest: "base64-nonce" }) ? "accept" : "refuse")](response);
  });
}

const needed = "proved digest-convention";
const stopped = "measured diagnosis-stopped";
const unclear = "possible digest-convention";

// 1 is the first request. 2 has no credentials, 3 another Created, 4 the Authorization field, 5 the right convention. 6 and 7
// are the control, and 8 and 9 leave the corrections of 3 and 4 out.
// No other answer shows anything: either the diagnosis goes on, or it ends, or what was accepted is not proved.
const atRequest = (accept: string, other: string): Readonly<Partial<Record<Mind, string>>> => ({
  accept,
  refuse: needed,
  429: other,
  503: other,
  404: other,
  reset: other,
});
const steps: Readonly<Record<number, Readonly<Partial<Record<Mind, string>>>>> = {
  2: { ...atRequest("proved no-authentication", needed), 429: stopped, 423: stopped },
  3: atRequest("proved clock", stopped),
  4: atRequest("proved authorization", stopped),
  5: atRequest(needed, stopped),
  6: atRequest("measured inconsistent-server", unclear),
  7: atRequest("measured inconsistent-server", unclear),
  8: atRequest(needed, unclear),
  9: atRequest(needed, unclear),
};

describe.each(Object.entries(steps))("a server that changes its mind at request %s", (step, expected) => {
  test.each(Object.entries(expected))("and answers with %s: %s", async (mind, conclusion) => {
    const { findings } = await diagnose((await serverWith({ [step]: mind as Mind })).url);
    const made = findings.filter(({ id }) => !["nonce-shape", "header-ignored"].includes(id));
    expect(made.map(({ id, certainty }) => `${certainty} ${id}`).join()).toBe(conclusion);
  });
});

// The second convention would be decoded-nonce, and was not tried.
test.each([
  ["429", 'unavailable (HTTP 429: "Locked for an hour")'],
  ["locked", 'rejected (HTTP 403: "Account locked")'],
  ["paused", 'rejected (HTTP 401: "No"; Retry-After is 15 minutes)'],
  ["423", 'unexpected (HTTP 423: "Gone for now")'],
] as const)("the answer %s to request 6 ends the diagnosis with the server's words", async (mind, words) => {
  const api = await serverWith({ 5: "refuse", 6: mind });
  const { findings } = await diagnose(api.url);
  expect(findings).toContainEqual(
    expect.objectContaining({
      id: "diagnosis-stopped",
      message: `diagnosis ended early: the request "digest decoded-nonce" ended as ${words}; so far refused as well: the clock, a missing Authorization field and digest base64-nonce`,
    }),
  );
  expect(api.requests).toHaveLength(6);
});

test("a server that says of every refusal that it may lock the account is diagnosed to the end", async () => {
  const api = await serve((_, response) => minds.locked(response));
  const { findings } = await diagnose(api.url);
  expect(findings).toContainEqual(expect.objectContaining({ id: "ruled-out" }));
});
