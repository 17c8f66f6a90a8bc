import type { ConnectionRecord } from "../http/record.ts";
import type { Redactor } from "../redaction/redact.ts";
import { endpointPath } from "../settings/urls.ts";

// Of these fields of a failure, the texts are this program's own and the system's.
const ownFields: readonly string[] = ["step", "at", "code", "received"];

/** A transport failure without secrets. The host comes from a setting, and other texts from the server or the proxy. */
export function shownFailure<Part extends object>(failure: Part, redact: Redactor): Part {
  const shown = { ...failure } as Record<string, unknown>;
  for (const [name, value] of Object.entries(failure)) {
    if (typeof value === "string" && !ownFields.includes(name)) shown[name] = redact(value);
    else if (Array.isArray(value)) shown[name] = value.map(redact);
    else if (typeof value === "object" && value !== null) shown[name] = shownFailure(value, redact);
  }
  return shown as Part;
}

/** The URL of a request without secrets. The scheme and `/test-authentication` are never secret, so they stay. */
export function shownUrl({ protocol, host, pathname }: URL, redact: Redactor): string {
  return `${protocol}//${redact(host + pathname.slice(0, -endpointPath.length))}${endpointPath}`;
}

/** A connection without secrets. */
export function shownConnection(connection: ConnectionRecord, redact: Redactor): ConnectionRecord {
  const { proxy } = connection;
  return proxy === null ? connection : { ...connection, proxy: proxy.replace(/(?<=:\/\/).+/, redact) };
}
