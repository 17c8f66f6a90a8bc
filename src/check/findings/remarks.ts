import { headerValues } from "../../http/exchange.ts";
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

// A success with other header fields than specified (section 4): a gateway may have changed them.
const unusualSuccess: Rule = ({ outcome, exchange }) => {
  if (outcome.kind !== "accepted" || exchange.kind !== "response") return null;
  const { response } = exchange;
  const list = (name: string): readonly string[] =>
    headerValues(response, name)
      .flatMap((value) => value.split(","))
      .map((value) => value.trim().toLowerCase());
  const differing = [
    ...(outcome.response.contentType === "application/json" ? [] : ["Content-Type"]),
    ...(list("cache-control").includes("no-cache") ? [] : ["Cache-Control"]),
    ...(list("access-control-allow-origin").includes("*") ? [] : ["Access-Control-Allow-Origin"]),
    ...(list("allow").includes("get") && list("allow").includes("options") ? [] : ["Allow"]),
  ];
  if (differing.length === 0) return null;
  return measured(
    "unusual-headers",
    `${differing.join(", ")} ${differing.length === 1 ? "differs" : "differ"} from the API's documentation`,
    "Nothing to do for this check; a gateway may rewrite headers",
  );
};

/** Rules for remarks, which explain no failure. */
export const remarkRules: readonly Rule[] = [suffix, unusualSuccess];
