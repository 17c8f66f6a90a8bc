import { headerValues } from "../../http/exchange.ts";
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

// A success with other header fields than specified (section 4): a gateway may have changed them.
const unusualSuccess: Rule = ({ outcome, exchange }) => {
  if (outcome.kind !== "accepted" || exchange.kind !== "response") return null;
  const { response } = exchange;
  const holds = (name: string, wanted: string): boolean =>
    headerValues(response, name).some((value) =>
      value.split(",").some((part) => part.trim().toLowerCase() === wanted),
    );
  const differing: string[] = [];
  if (outcome.response.contentType !== "application/json") differing.push("Content-Type");
  if (!holds("cache-control", "no-cache")) differing.push("Cache-Control");
  if (!holds("access-control-allow-origin", "*")) differing.push("Access-Control-Allow-Origin");
  if (!holds("allow", "get") || !holds("allow", "options")) differing.push("Allow");
  if (differing.length === 0) return null;
  return measured(
    "unusual-headers",
    `${differing.join(", ")} ${differing.length === 1 ? "differs" : "differ"} from the API's documentation`,
    fix`Nothing to do for this check; a gateway may rewrite headers`,
  );
};

/** Rules for remarks, which explain no failure. */
export const remarkRules: readonly Rule[] = [suffix, unusualSuccess];
