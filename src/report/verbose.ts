import type { ExchangeRecord } from "../check/observer.ts";
import { escapeText, wrapped } from "./escape.ts";

const textColumn = 4;

/**
 * The request (`>`), the response with the beginning of its body (`<`), and the time of each step (`*`, in milliseconds).
 * The lines have no more than these columns and end in a line end.
 */
export function exchangeLog(
  { url, sent, response, timeline, durationMs }: ExchangeRecord,
  columns: number,
): string {
  const fields = (some: ExchangeRecord["sent"]): readonly string[] =>
    some.map(({ name, value }) => `${name}: ${value}`);
  const lines = (mark: string, texts: readonly string[]): string =>
    texts.map((text) => `${mark} ${wrapped(text, { columns }, textColumn)}\n`).join("");
  const received =
    response === null
      ? []
      : [
          `HTTP ${response.status} ${response.reason}`.trimEnd(),
          ...fields(response.headers),
          ...(response.body === "" ? [] : ["", response.body]),
        ];
  const steps = [...timeline, { reached: "over", at: durationMs }];
  return [
    lines(">", [`GET ${url}`, ...fields(sent)]),
    lines("<", received),
    ...steps.map(({ reached, at }) => `* ${at.toFixed(1).padStart(8)} ms  ${escapeText(reached)}\n`),
  ].join("");
}
