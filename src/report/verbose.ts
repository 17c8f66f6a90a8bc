import type { ExchangeRecord } from "../check/observer.ts";
import { escapeText } from "./escape.ts";

/** The request (`>`), the response (`<`) and the time of each step (`*`, in milliseconds); ends in a line end. */
export function exchangeLog({ url, sent, status, received, timeline, durationMs }: ExchangeRecord): string {
  const field = (mark: string) => (one: { readonly name: string; readonly value: string }) =>
    `${mark} ${escapeText(one.name, 100)}: ${escapeText(one.value)}`;
  const steps = [...timeline, { step: "over", at: durationMs }];
  return [
    `> GET ${escapeText(url)}`,
    ...sent.map(field(">")),
    ...(status === null ? [] : [`< HTTP ${status}`, ...received.map(field("<"))]),
    ...steps.map(({ step, at }) => `* ${at.toFixed(1).padStart(8)} ms  ${escapeText(step)}`),
    "",
  ].join("\n");
}
