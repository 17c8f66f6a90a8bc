// Judges a request: whether it may be answered, whom it is from, which planned answer it gets; and the paths by which tests
// steer.

import { InputError, wrongSettings } from "../errors.ts";
import type { EmulatorAccount } from "./accounts.ts";
import { because, combined, type Judgement, jsonFields, judged } from "./answer.ts";
import { judgeCredentials, remember, type Sent, type Service } from "./credentials.ts";
import { type PlannedAnswer, readAnswers, replacementOf } from "./planned-answers.ts";
import {
  type EmulatorRequest,
  endpointPath,
  isAllowedPage,
  sourceError,
  steering,
  withoutBasePath,
} from "./request.ts";

/** Takes the planned answer to the next request of this account. */
function takeAnswer({ accounts, answers, answer }: Service, account: EmulatorAccount | null): PlannedAnswer {
  const place = accounts.placeOf(account);
  const index = answers.findIndex((one) => one.account === undefined || one.account === place);
  const next = answers[index];
  if (next === undefined) return answer === null ? {} : { status: answer };
  const { times = 1, ...same } = next;
  if (times > 1) answers[index] = { ...same, times: times - 1 };
  else answers.splice(index, 1);
  return next;
}

/** The most bytes of a body that are kept. */
export const mostBodyBytes = 1024 * 1024;

/** Judges a request. It is synchronous, so no two requests get the same planned answer or nonce. `body` is null if it is too large. */
export function judgeRequest(
  request: EmulatorRequest,
  body: Buffer | null,
  service: Service,
  nowSeconds: number,
): Judgement {
  const { accounts, allowHosts } = service;
  const source = sourceError(request, service, accounts.shown);
  // A wrong name hides nothing else; what a page of others sends is not looked at.
  if (source?.status === 421) {
    const { faults } = judgeCredentials(request, service, nowSeconds);
    return { ...source, reasons: [...source.reasons, ...faults] };
  }
  if (source !== null) return source;
  const judgement = judgeOwn(request, body, service, nowSeconds);
  if (!isAllowedPage(request, allowHosts)) return judgement;
  // A page reads no answer without it, whatever the status.
  const headers = combined({ "Access-Control-Allow-Origin": "*" }, judgement.instead.headers ?? {});
  return { ...judgement, instead: { ...judgement.instead, headers } };
}

/**
 * What a browser asks before it sends the request of a page (Fetch, section 4.8); empty if it asks nothing. The API's own answer to
 * OPTIONS is not shown, so this one allows whatever is asked for.
 */
function preflight({ method, headers }: EmulatorRequest): Readonly<Record<string, string>> {
  const [wanted] = headers["access-control-request-method"] ?? [];
  if (method !== "OPTIONS" || headers.origin === undefined || wanted === undefined) return {};
  const names = headers["access-control-request-headers"]?.join(",") ?? "";
  const isPrivate = headers["access-control-request-private-network"] !== undefined;
  return {
    "Access-Control-Allow-Methods": "GET, OPTIONS",
    "Access-Control-Allow-Headers": /^[\w ,-]+$/.test(names) ? names : "X-WSSE, X-Auth-Token, Authorization",
    ...(isPrivate && { "Access-Control-Allow-Private-Network": "true" }),
  };
}

/** Judges a request of a client of ours. */
function judgeOwn(
  request: EmulatorRequest,
  body: Buffer | null,
  service: Service,
  nowSeconds: number,
): Judgement {
  const { basePath } = service;
  const { method } = request;
  const path = withoutBasePath(request.path, basePath);
  if (body === null) return judged(413, [because("body", `more than ${mostBodyBytes} bytes`)]);
  if (isControl(request.path, service)) return control(path, method, body, service);
  const headers = preflight(request);
  // It takes no planned answer: that is for the request that follows.
  if (path === endpointPath && Object.keys(headers).length > 0)
    return judged(204, [because("options", "a page asks before its request")], {
      accepted: true,
      instead: { headers },
    });
  const sent = judgeCredentials(request, service, nowSeconds);
  const { account, nonce } = sent;
  const bodyNote = method === "GET" && body.length > 0 ? ["GET has a body, which nothing reads"] : [];
  const notes = [...sent.notes, ...bodyNote];
  // A browser asks with OPTIONS before it sends credentials.
  const faults = method === "OPTIONS" ? [] : sent.faults;
  // Planned answers are for every method of the one path.
  const planned = path === endpointPath ? takeAnswer(service, account) : {};
  const { name, instead } = replacementOf(planned);
  const forced = name === "" ? [] : [because("forced", name)];
  const isForced = instead.status !== undefined;
  const found = isForced
    ? judged(instead.status, faults)
    : deserved(path, method, { ...sent, faults }, basePath);
  if (nonce !== null && found.accepted && method === "GET") remember(nonce, service);
  const reasons = isForced ? [...forced, ...found.reasons] : [...found.reasons, ...forced];
  return { ...found, account, notes, reasons, instead: { ...found.instead, ...instead } };
}

const ownBase = (basePath: string): string =>
  basePath === ""
    ? "compare the path above: the client adds it to the base URL, which needs no path here (--base-path gives it one)"
    : `compare the path above, each slash too: the client adds ${endpointPath} to the base URL, which ends in ${basePath} here`;
const byGet = "send GET without a body: -d of curl makes a POST of it, and -I a HEAD";

/** Refuses every path and method but those of the specification (section 4), and faulty credentials. */
function deserved(
  path: string,
  method: string,
  { faults, account, nonce }: Sent,
  basePath: string,
): Judgement {
  const ofMethod = ["GET", "OPTIONS"].includes(method)
    ? []
    : [because("method", "only GET and OPTIONS are offered", byGet)];
  if (path !== endpointPath) {
    const known = path.startsWith(steering) ? "; --control (control) opens others" : "";
    const ofPath = because("path", `only ${basePath}${endpointPath} exists${known}`, ownBase(basePath));
    return judged(404, [ofPath, ...ofMethod, ...faults]);
  }
  if (method === "OPTIONS") return judged(204, [because("options")], { accepted: true });
  if (ofMethod.length > 0) return judged(405, [...ofMethod, ...faults]);
  if (faults.length === 0 && account !== null) {
    const [header, name, place] =
      nonce === null
        ? ["X-Auth-Token", "user", "with X-Auth-Token"]
        : ["X-WSSE", account.username, "on the platform"];
    const message = `Hello, ${name}! You are successfully authenticated ${place}.`;
    return judged(200, [because("accepted", header)], { accepted: true, message });
  }
  // That no credentials came is no secret, and it shows a client that its header does not arrive.
  const isMissing = faults[0]?.rule === "missing";
  return judged(401, faults, { message: isMissing ? "No credentials were sent" : null });
}

/** The value of a body in JSON. Throws InputError for any other. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    // Take the position alone: V8's message may quote the body. It has no position for some mistakes.
    const [at = ""] = / at position \d{1,7}/.exec(String(error)) ?? [];
    const problem = body.length === 0 ? "is empty" : `is not JSON in UTF-8${at}`;
    throw wrongSettings(`The body ${problem}`, 'Send a list like [{ "status": 503 }, {}]');
  }
}

const health = `${steering}health`;

/** What each method of a path does. A text that it returns is the JSON of the answer. */
const handlers: Readonly<
  Record<string, Readonly<Record<string, (service: Service, body: Buffer) => unknown>>>
> = {
  [health]: { GET: () => '{"status":"ok"}' },
  [`${steering}answers`]: {
    GET: ({ answers }) => JSON.stringify(answers),
    PUT(service, body) {
      service.answers = readAnswers(jsonOf(body), service.accounts);
    },
    DELETE(service) {
      service.answers = [];
    },
  },
  [`${steering}requests`]: {
    GET: ({ requests }) => JSON.stringify(requests),
    DELETE({ requests }) {
      requests.length = 0;
    },
  },
};

/** Whether a path is for the emulator itself. */
export function isControl(path: string, { control, basePath }: Service): boolean {
  const own = withoutBasePath(path, basePath);
  return own === health || (control && own.startsWith(steering));
}

/** Does what a request to a path of the emulator itself asks for. No judgement holds a secret. */
function control(path: string, method: string, body: Buffer, service: Service): Judgement {
  const methods = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
  if (methods === undefined)
    return judged(404, [because("path", `tests use ${Object.keys(handlers).join(", ")}`)]);
  // `wget --spider` sends HEAD, which gets what GET gets (RFC 9110, section 9.3.2). Node sends no body.
  const handle = methods[method === "HEAD" ? "GET" : method];
  if (handle === undefined) {
    const Allow = Object.keys(methods).join(", ");
    return judged(405, [because("method", `this path has ${Allow}`)], { instead: { headers: { Allow } } });
  }
  try {
    const json = handle(service, body);
    if (typeof json !== "string") return judged(204, [because("control")]);
    return judged(200, [because("control")], { instead: { headers: jsonFields, body: json } });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return judged(400, [because(error.message, error.hint)]);
  }
}
