import type { Rule } from "./evidence.ts";

/** A base URL that names the endpoint already. */
export const suffix: Rule = ({ hints }) =>
  hints.suffixGiven
    ? {
        id: "base-url-suffix",
        certainty: "measured",
        message: "the base URL already ends in /test-authentication, so it was not appended again",
        fix: "Remove /test-authentication from the base URL; other clients append it themselves",
      }
    : null;
