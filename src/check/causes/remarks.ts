import { measured, type Rule } from "./evidence.ts";

// The base URL already names the endpoint.
const suffix: Rule = ({ hints }) =>
  hints.suffixGiven
    ? measured(
        "base-url-suffix",
        "the base URL already ends in /test-authentication, so it was not appended again",
        "Remove /test-authentication from the base URL; other clients append it themselves",
      )
    : null;

/** Rules for remarks, which explain no failure. */
export const remarkRules: readonly Rule[] = [suffix];
