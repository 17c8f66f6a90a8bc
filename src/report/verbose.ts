import { escapeText } from "./escape.ts";

interface Field {
  readonly name: string;
  readonly value: string;
}

/** One exchange without secrets. */
export interface ShownExchange {
  readonly url: string;
  readonly sent: readonly Field[];
  readonly status: number | null;
  readonly received: readonly Field[];
  readonly timeline: ReadonlyArray<{ readonly step: string; readonly at: number }>;
  readonly durationMs: number;
}

/** The request (`>`), the response (`<`) and the time of each step (`*`, in milliseconds); ends in a line end. */
export function exchangeLog({ url, sent, status, received, timeline, durationMs }: ShownExchange): string {
  const field = (mark: string) => (one: Field) =>
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
