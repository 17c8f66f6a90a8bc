import { headerValue } from "../../http/exchange.ts";
import { isRefusal, responseOf } from "../outcome.ts";
import { type Cause, possible, type Rule } from "./evidence.ts";

/** What to do after a refusal that nothing explains. */
export const refusalCause: Cause = {
  headline: "the API refused this credential",
  fix: "Compare the credential with the one in the account, and check that the account is active; --diagnose finds out more",
};

const guardFields = ["cf-ray", "x-amzn-waf-action", "x-sucuri-id", "x-iinfo", "x-akamai-request-id"];
const guardServers = /^(?:cloudflare|akamaighost|awselb|sucuri|imperva|big-?ip)/i;

// A 403 that may come from a firewall in front of the API.
const blocked: Rule = ({ outcome, exchange }) => {
  if (!isRefusal(outcome) || exchange.kind !== "response" || exchange.response.status !== 403) return null;
  const { response } = exchange;
  const guarded =
    guardFields.some((name) => headerValue(response, name) !== null) ||
    guardServers.test(headerValue(response, "server") ?? "");
  const words = /\b(?:block(?:ed)?|waf|firewall|denied by|ip address|not allowed from)\b/i.test(
    responseOf(outcome)?.message ?? "",
  );
  if (!guarded && !words) return null;
  return possible(
    "blocked",
    "a firewall or an address list in front of the API may have blocked the request",
    "Ask the API's operator whether this machine's address is allowed",
  );
};

/** Possible causes of a refusal that the response shows. */
export const refusalRules: readonly Rule[] = [blocked];
