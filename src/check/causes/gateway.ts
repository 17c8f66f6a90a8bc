import { type Fix, fix, nowSet } from "../../settings/fix.ts";
import { contentOf } from "../judge/body.ts";
import { type Gateway, gatewayOf } from "../judge/gateway.ts";
import type { Finding } from "../result.ts";
import { type Cause, measured, type Rule } from "./evidence.ts";

function madeBy({ name, mark, about }: Gateway): Finding<Fix> {
  return measured(
    "gateway",
    `${name} made this response itself: it has ${mark}`,
    fix`Check the base URL ${nowSet("baseUrl")}, and ask the API's operator about ${about} of ${name}`,
  );
}

/** A refusal that a gateway marks as its own. */
export const gatewayCause = (gateway: Gateway, status: number | null): Cause => ({
  headline: `${gateway.name} refused this request (${status}), not the API: this proves nothing about the credential`,
  ...madeBy(gateway),
});

/** Names a gateway in other outcomes: it also answers itself for a wrong path, above a limit, or without its API. */
export const gatewayRemark: Rule = ({ outcome, exchange, redact }) => {
  if (exchange.kind !== "response" || !["unexpected", "unavailable"].includes(outcome.kind)) return null;
  if (outcome.kind === "unexpected" && outcome.reason.kind === "gateway") return null;
  const gateway = gatewayOf(exchange.response, contentOf(exchange.response, redact));
  return gateway && madeBy(gateway);
};
