import { type Credentials, escapeForLog } from "./accepted-credentials.ts";
import type { Decision } from "./decide.ts";
import type { EmulatorOptions } from "./emulator-options.ts";

/** What one line of the log says besides the time. Null is written as `-`, and all texts must be escaped. */
interface LogEntry {
  readonly method?: string | null;
  readonly path?: string | null;
  readonly status?: number | null;
  readonly remark: string;
}

/** The log of an emulator: one line for each request, or for something that is not a request. */
export interface RequestLog {
  add(entry: LogEntry): void;
  /** Adds the decision on a request, unless the log leaves it out. The texts of the request need not be escaped. */
  addDecision(method: string, path: string, decision: Decision): void;
}

/** Makes a log that writes by `log`: time in UTC, method, path, status and remark, without line end. */
export function requestLog(
  { now, log, refusalsOnly }: Required<Pick<EmulatorOptions, "now" | "log" | "refusalsOnly">>,
  credentials: Credentials,
): RequestLog {
  const loggedNotes = new Set<string>();

  function add({ method, path, status, remark }: LogEntry): void {
    const time = `${new Date(now()).toISOString().slice(0, 19)}Z`;
    log([time, method ?? "-", path ?? "-", status ?? "-", remark].join(" "));
  }

  return {
    add,
    addDecision(method, path, { reaction, remark, accepted, notes }) {
      const hasNewNote = notes.some((note) => !loggedNotes.has(note));
      for (const note of notes) loggedNotes.add(note);
      if (accepted && refusalsOnly && !hasNewNote) return;
      add({
        method,
        path: escapeForLog(path, credentials),
        status: typeof reaction === "string" ? null : reaction.status,
        remark: [remark, ...notes.map((note) => `note: ${note}`)].join("; "),
      });
    },
  };
}
