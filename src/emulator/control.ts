import { InputError, wrongSettings } from "../errors.ts";
import { because, type Judgement, judged } from "./answer.ts";
import { readAnswers } from "./planned-answers.ts";
import { type EmulatorRequest, sourceError } from "./request.ts";
import type { Service } from "./service.ts";

/** The longest body of a request that steers the emulator. */
export const longestControlBody = 1024 * 1024;

/** The value of a body in JSON. Throws InputError for any other. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    // V8's message may quote the body, and has the position of most mistakes only.
    const [at = ""] = / at position \d{1,7}/.exec(String(error)) ?? [];
    const problem = body.length === 0 ? "is empty" : `is not JSON in UTF-8${at}`;
    throw wrongSettings(`The body ${problem}`, 'Send a list like [{ "status": 503 }, {}]');
  }
}

const root = "/__emulator/";
const health = `${root}health`;

/** What a method does. A text that it returns is the JSON of the answer. */
type Handler = (service: Service, body: Buffer) => unknown;

const handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  [health]: { GET: () => '{"status":"ok"}' },
  [`${root}answers`]: {
    GET: ({ answers }) => JSON.stringify(answers),
    PUT(service, body) {
      service.answers = readAnswers(jsonOf(body), service.accounts);
    },
    DELETE(service) {
      service.answers = [];
    },
  },
  [`${root}requests`]: {
    GET: ({ requests }) => JSON.stringify(requests),
    DELETE({ requests }) {
      requests.length = 0;
    },
  },
};

/** Whether a path is for the emulator itself. */
export function isControl(path: string, { control }: Service): boolean {
  return path === health || (control && Object.hasOwn(handlers, path));
}

/** What to tell of a path that is not answered: the paths that tests use, or how to open it. Empty if it is none of tests. */
export function meantByPath(path: string, { control }: Service): string {
  if (!`${path}/`.startsWith(root)) return "";
  const paths = Object.hasOwn(handlers, path) ? "" : `; tests use ${Object.keys(handlers).join(", ")}`;
  return control ? paths : `${paths}; --control (control) opens ${paths === "" ? "this path" : "them"}`;
}

/** Does what a request to such a path asks for. No judgement holds a secret. */
export function control(request: EmulatorRequest, body: Buffer | "too-large", service: Service): Judgement {
  const source = sourceError(request, service.allowHosts, service.accounts.shown);
  if (source !== null) return source;
  const methods = handlers[request.path] ?? {};
  // RFC 9110, section 9.3.2. Node sends no body; `wget --spider` asks so.
  const handle = methods[request.method === "HEAD" ? "GET" : request.method];
  if (handle === undefined) {
    const Allow = Object.keys(methods).join(", ");
    return judged(405, [because("method", `this path has ${Allow}`)], { instead: { headers: { Allow } } });
  }
  if (body === "too-large") return judged(413, [because("body", `more than ${longestControlBody} bytes`)]);
  try {
    const json = handle(service, body);
    const headers = { "Content-Type": "application/json", "Cache-Control": "no-cache" };
    const instead = typeof json === "string" ? { headers, body: json } : {};
    return judged(instead.body === undefined ? 204 : 200, [because("control")], { instead });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return judged(400, [because(error.message, error.hint)]);
  }
}
