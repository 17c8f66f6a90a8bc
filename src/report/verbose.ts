// What `--verbose` shows of an exchange.

import type { ExchangeRecord } from "../check/observer.ts";
import { shownHost } from "../system/addresses.ts";
import { wrapped } from "./layout.ts";

const exchangeColumn = 4;

const timeLine = (ms: number, text: string, columns: number): string =>
  `* ${ms.toFixed().padStart(6)} ms  ${wrapped(text, { columns }, 13)}\n`;

/** A line for each step with its time. Before the step that connected comes a line for each other address that was tried. */
function stepLines(
  { address, port, proxy, tried, steps }: ExchangeRecord["connection"],
  tls: ExchangeRecord["tls"],
  columns: number,
): readonly string[] {
  const place = `${address === null ? "failed at" : shownHost(address)} port ${port}`;
  const details: Readonly<Record<string, string>> = {
    connect: place,
    proxy: `${proxy} at ${place}`,
    tls: tls === null ? "" : `${tls.version}${tls.isResumed ? ", resumed" : ""}`,
  };
  return Object.entries(steps).flatMap(([step, ms]) => {
    if (ms === null) return [];
    const attempts = step === "connect" || step === "proxy" ? tried : [];
    return [
      ...attempts.map((one) =>
        timeLine(one.ms, `${shownHost(one.address)} ${one.code ?? "did not answer"}`, columns),
      ),
      timeLine(ms, `${step} ${details[step] ?? ""}`.trimEnd(), columns),
    ];
  });
}

/** The request (`>`), the response (`<`), and each step with its milliseconds (`*`), wrapped at `columns`; ends with a newline. */
export function exchangeLog(
  { url, sent, response, brokenHead, connection, tls, durationMs }: ExchangeRecord,
  columns: number,
): string {
  const fields = (some: ExchangeRecord["sent"]): readonly string[] =>
    some.map(({ name, value }) => `${name}: ${value}`);
  const lines = (mark: string, texts: readonly string[]): string =>
    texts.map((text) => `${mark} ${wrapped(text, { columns }, exchangeColumn)}\n`).join("");
  const received =
    response === null
      ? brokenHead
      : [
          `HTTP ${response.status} ${response.reason}`.trimEnd(),
          ...fields(response.headers),
          ...(response.body === "" ? [] : ["", response.body]),
        ];
  return [
    lines(">", [`GET ${url}`, ...fields(sent)]),
    lines("<", received),
    ...stepLines(connection, tls, columns),
    timeLine(durationMs, "over", columns),
  ].join("");
}
