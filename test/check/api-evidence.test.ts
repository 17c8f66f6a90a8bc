import { expect, test } from "vitest";
import { apiEvidence } from "../../src/check/api-evidence.ts";
import { judge } from "../../src/check/judge.ts";
import { type AnswerParts, replied } from "../support/exchanges.ts";
import { findingsIn, unredacted } from "./found.ts";

/** Refusals that hold each kind of evidence and no other, by its words. */
const examples: Readonly<Record<string, readonly AnswerParts[]>> = {
  "a body that is declared empty": [{}, { bodyEnd: "chunked" }],
  "a JSON object": [{ body: "{}" }, { body: "{}", bodyEnd: "connection" }],
  "a challenge of WSSE, UsernameToken, Token or X-Auth-Token": [
    "WSSE",
    'UsernameToken realm="x"',
    "token",
    "X-AUTH-TOKEN",
  ].map((challenge) => ({ body: "No", headers: { "www-authenticate": challenge } })),
};

test.each(apiEvidence.map(({ words }) => words))("%s is evidence of the API", (words) => {
  expect(examples[words]).toBeDefined();
  for (const parts of examples[words] ?? []) {
    for (const status of [401, 403]) {
      expect(judge(replied({ ...parts, status }), 10, unredacted).kind).toBe("rejected");
    }
  }
});

test.each<readonly [AnswerParts]>([[{ body: "No" }], [{ body: "[]" }], [{ body: "<html>" }]])(
  "a refusal without evidence, %j, names all that would be, and has none of it",
  (parts) => {
    const [finding] = findingsIn({ exchange: replied({ ...parts, status: 403 }) });
    const [has, wanted = ""] = finding?.message.split("; evidence would be ") ?? [];
    expect(wanted.split(", or ")).toEqual(Object.keys(examples));
    expect(Object.keys(examples)).not.toContain(has?.replace("the response has ", ""));
  },
);
