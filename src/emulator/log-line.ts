/** What the log says of one request. `now` is in milliseconds since the epoch, a null is shown as `-`. */
export interface LogEntry {
  readonly now: number;
  readonly method: string | null;
  readonly path: string | null;
  readonly status: number | null;
  readonly remark: string;
}

/** One line without its end: time in UTC to the second (ISO 8601), method, path, status, remark. All of it must be escaped before. */
export function logLine({ now, method, path, status, remark }: LogEntry): string {
  const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
  return [time, method ?? "-", path ?? "-", status ?? "-", remark].join(" ");
}
