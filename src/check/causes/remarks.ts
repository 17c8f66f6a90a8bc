import { fix, nowSet } from "../../settings/fix.ts";
import { measured, type Rule } from "./evidence.ts";

// The base URL already names the endpoint.
const suffix: Rule = ({ hints }) =>
  hints.suffixGiven
    ? measured(
        "base-url-suffix",
        "the base URL already ends in /test-authentication, so it was not appended again",
        fix`Remove /test-authentication from the base URL ${nowSet("baseUrl")}; other clients append it themselves`,
      )
    : null;

/** Rules for remarks, which explain no failure. */
export const remarkRules: readonly Rule[] = [suffix];
