import { type Exchange, headerValue } from "../http/exchange.ts";
import { parseHttpDate } from "./http-date.ts";
import type { ClockSkew } from "./outcome.ts";

/**
 * This machine's clock against the server's, read off the Date field (RFC 9110, section 6.6.1) and corrected for the
 * time under way; null where there is none. Date has whole seconds, so half of one is uncertain however fast the answer.
 */
export function clockSkew(exchange: Exchange): ClockSkew | null {
  if (exchange.kind !== "reply") return null;
  const { sentAt, repliedAt } = exchange.trace;
  const date = parseHttpDate(headerValue(exchange.reply, "date"));
  if (sentAt === null || repliedAt === null || date === null) return null;
  // A cache answers with the origin's Date and tells how long ago that was (RFC 9111, section 5.1).
  const age = Number(headerValue(exchange.reply, "age") ?? "0") || 0;
  const serverTime = date + age * 1000 + 500;
  return {
    skewSeconds: Math.round(((sentAt + repliedAt) / 2 - serverTime) / 1000) + 0,
    uncertaintySeconds: Math.ceil(((repliedAt - sentAt) / 2 + 500) / 1000),
  };
}
