import type { HttpResponse } from "../../http/exchange.ts";
import { type Content, isJsonObject } from "./body.ts";
import { apiSchemes, type Challenger } from "./challenge.ts";

/** A 401 or 403, and what was read from it. */
interface Refusal {
  readonly response: HttpResponse;
  readonly content: Content;
  readonly challenger: Challenger;
}

/** One kind of evidence that the API itself refused, in words, and whether a response holds it. */
interface ApiEvidence {
  readonly words: string;
  isIn(refusal: Refusal): boolean;
}

/** All kinds of it. The judgement needs one of them, and a report names them where there is none. */
export const apiEvidence: readonly ApiEvidence[] = [
  {
    words: "a body that is declared empty",
    // Without a length, an attacker or a failure may have cut the body off. One that is too long is not read.
    isIn: ({ response: { bodyEnd, truncated }, content }) =>
      content.kind === "empty" && bodyEnd !== "connection" && !truncated,
  },
  {
    words: "a JSON object",
    isIn: ({ response, content }) => isJsonObject(content) && !response.truncated,
  },
  {
    words: `a challenge of ${apiSchemes.slice(0, -1).join(", ")} or ${apiSchemes.at(-1)}`,
    isIn: ({ challenger }) => challenger.kind === "api",
  },
];
