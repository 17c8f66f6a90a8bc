import { type Exchange, headerValue, headerValues } from "../http/exchange.ts";
import { parseHttpDate } from "./http-date.ts";
import type { ClockSkew } from "./outcome.ts";

/** The greatest difference that --diagnose corrects, in seconds: no header is ever signed for a time further away. */
export const maxCorrectionSeconds = 48 * 3600;

/**
 * This machine's clock against the server's, read off the Date field (RFC 9110, section 6.6.1) and corrected for the
 * time under way; null where there is none. Date has whole seconds, so half of one is uncertain however fast the answer.
 * An answer with an Age other than 0 comes from a cache and tells the time of somebody else (RFC 9111, section 5.1).
 */
export function clockSkew(exchange: Exchange): ClockSkew | null {
  if (exchange.kind !== "response") return null;
  const { sentAt, respondedAt: repliedAt } = exchange.trace;
  const date = parseHttpDate(headerValue(exchange.response, "date"));
  if (sentAt === null || repliedAt === null || date === null) return null;
  if (!headerValues(exchange.response, "age").every((age) => /^0+$/.test(age.trim()))) return null;
  const serverTime = date + 500;
  return {
    skewSeconds: Math.round(((sentAt + repliedAt) / 2 - serverTime) / 1000) + 0,
    uncertaintySeconds: Math.ceil(((repliedAt - sentAt) / 2 + 500) / 1000),
  };
}
