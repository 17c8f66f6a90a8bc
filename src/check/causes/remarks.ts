import { fix, flag, nowSet } from "../../settings/fix.ts";
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

// curl would use this proxy. The library reads no environment, so it never says this.
const unusedProxy: Rule = ({ outcome, hints }) =>
  hints.unusedProxy !== null && (outcome.kind === "unreachable" || outcome.kind === "timeout")
    ? measured(
        "unused-proxy",
        `${hints.unusedProxy} is set, and this tool does not use it`,
        fix`If only a proxy leads to the API, name an HTTP proxy with HTTPS_PROXY or ${flag("proxy")}`,
      )
    : null;

/** Rules for remarks, which explain no failure. */
export const remarkRules: readonly Rule[] = [suffix, unusedProxy];
