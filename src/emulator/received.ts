import { masked } from "../redaction/redact.ts";
import { wsseHeader } from "../wsse/header.ts";
import type { KnownAccounts } from "./accounts.ts";
import { wsseAuthorization } from "./authenticate.ts";
import { onlyPath } from "./decide.ts";
import { type Answer, type Decision, type ReceivedRequest, reasonText } from "./decision.ts";
import type { EmulatorRequest } from "./requests.ts";
import { isWhole, parseWsse } from "./username-token.ts";

const credentialFields = /^(?:(?:proxy-)?authorization|cookie|x-auth-token)$/;

/** The value of an X-WSSE header without its digest. If the header cannot be read, all of it could be the digest. */
function withoutDigest(value: string): string {
  const { parts, problems } = parseWsse(value);
  return problems.length === 0 && isWhole(parts) ? wsseHeader({ ...parts, passwordDigest: masked }) : masked;
}

function shownField(name: string, value: string, { redact }: KnownAccounts): string {
  if (name === "x-wsse") return redact(withoutDigest(value));
  if (name === "authorization" && wsseAuthorization.test(value)) return value;
  return credentialFields.test(name) ? masked : redact(value);
}

/** What to tell of a request, or of bytes that are none, that was answered at this time. */
export function receivedRequest(
  { method, path, headers = {} }: Partial<EmulatorRequest>,
  { reasons, accepted, account, notes }: Decision,
  { status, end }: Answer,
  accounts: KnownAccounts,
  time: number,
): ReceivedRequest {
  // As one text, which takes less memory than many fields.
  const fields = JSON.stringify(Object.entries(headers));
  return {
    time,
    method: method ?? null,
    // A token such as `test` would mask a part of the one path.
    path: path === undefined ? null : path === onlyPath ? path : accounts.shown(path),
    // Made when somebody asks for them: searching them for secrets takes time.
    get headers() {
      const sent: [string, string[]][] = JSON.parse(fields);
      return Object.fromEntries(
        sent.map(([name, values]) => [
          accounts.redact(name),
          values.map((value) => shownField(name, value, accounts)).join(", "),
        ]),
      );
    },
    status: end === undefined ? status : null,
    accepted,
    account: account === null ? null : accounts.placeOf(account),
    reasons,
    notes,
  };
}

/** The line of the log: time in UTC, method, path, status, every reason and every note. */
export function logLine({ time, method, path, status, reasons, notes }: ReceivedRequest): string {
  const at = `${new Date(time).toISOString().slice(0, 19)}Z`;
  const remark = [reasonText(reasons), ...notes.map((note) => `note: ${note}`)].join("; ");
  return [at, method ?? "-", path ?? "-", status ?? "-", remark].join(" ");
}
