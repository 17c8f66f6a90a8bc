// Reads a response once. Behind this file nothing has the raw response, and no text holds a secret.

import {
  type BodyEnd,
  type Exchange,
  type Failure,
  type HttpResponse,
  headerValue,
  headerValues,
  pathBelow,
  type Trace,
} from "../../http/exchange.ts";
import { cut } from "../../redaction/cut.ts";
import { longestText } from "../../redaction/escape.ts";
import { masked, type Redactor, unlessSecret } from "../../redaction/redact.ts";
import { endpointPath, withoutEndSlashes } from "../../settings/urls.ts";
import type { ClockSkew } from "../result.ts";
import { type Body, bodyOf, messageIn, titleOf, wordsIn } from "./body.ts";
import { type BrokenResponse, readBroken } from "./broken.ts";
import { challengerIn } from "./challenge.ts";
import { pauseIn, serverTime } from "./dates.ts";
import { cacheMark, type Gateway, gatewayOf } from "./gateway.ts";

/** The fields in which services number a request, the most common first. */
export const requestIdFields: readonly string[] = [
  "x-request-id",
  "x-correlation-id",
  "request-id",
  "x-amzn-requestid",
  "cf-ray",
];

// The only words of a server that are read: they stop experiments, each of which may count as a failed login. Words in other
// languages are shown, and whoever reads them decides.
const mayTellOfLock = /(?<!b|c|un|dead)lock(?:ed|[-_ ]?out)|too[-_ ]?many/i;

// A product and its version; a list of proxies is longer.
const longestName = 60;

const kindsInWords = {
  empty: "an empty body",
  "json-object": "a JSON object",
  json: "JSON that is not an object",
  "not-json": "a body that is not JSON",
} as const;

/**
 * The first part in which a redirect differs from the request's URL. `slash`: its path has one more at its end; `http`: it leads from
 * https:// to http:// of the same address; `query`: in nothing but what follows the path.
 */
function differenceOf(
  target: URL,
  url: URL,
): "protocol" | "host" | "https" | "http" | "port" | "slash" | "path" | "query" {
  if (!["http:", "https:"].includes(target.protocol)) return "protocol";
  if (target.hostname !== url.hostname) return "host";
  if (target.protocol !== url.protocol && target.protocol === "https:") return "https";
  if (target.protocol !== url.protocol) return "http";
  if (target.origin !== url.origin) return "port";
  if (target.pathname === url.pathname) return "query";
  return target.pathname === `${url.pathname}/` ? "slash" : "path";
}

/**
 * What may be known of a response. It is read once. Every text was searched for secrets, in all of its field or body, before
 * a part of it was taken. Nothing gives the response itself.
 */
export class ReadResponse {
  readonly status: number;
  readonly bodyEnd: BodyEnd;
  /** Whether the body was longer than its limit. */
  readonly truncated: boolean;
  readonly content: Body["kind"];
  /** The server's time, from the Date field: milliseconds since the epoch; null without a single readable one. */
  readonly date: number | null;
  /** The field which shows that a cache made the response for another request. */
  readonly cacheMark: string | null;
  /** The first of the server's own words. */
  readonly message: string | null;
  readonly #response: HttpResponse;
  readonly #respondedAt: number | null;
  /** All that is shown shares one budget of decoding. What decides does not: an outcome must not depend on it. */
  readonly #redact: Redactor;
  readonly #redactNumber: Redactor;
  readonly #body: Body;
  #title: string | null | undefined;
  #found: readonly string[] | undefined;

  constructor(response: HttpResponse, { respondedAt }: Pick<Trace, "respondedAt">, known: Redactor) {
    const redact = known.forResponse();
    this.#response = response;
    this.#respondedAt = respondedAt;
    this.#redact = redact;
    this.#redactNumber = known;
    this.status = response.status;
    this.bodyEnd = response.bodyEnd;
    this.truncated = response.truncated;
    this.#body = bodyOf(response.body, this.#mediaType);
    this.content = this.#body.kind;
    this.date = serverTime(response, respondedAt);
    const mark = cacheMark(response);
    this.cacheMark = mark && redact(mark);
    this.message = messageIn(this.#body, response.status, redact);
  }

  /** All values of a header field; null without one. */
  header(name: string): string | null {
    const values = headerValues(this.#response, name.toLowerCase());
    return values.length === 0 ? null : this.#redact(values.join(", "));
  }

  get #mediaType(): string | null {
    return headerValue(this.#response, "content-type")?.split(";", 1)[0]?.trim().toLowerCase() || null;
  }

  /** The media type without parameters, in lower case. */
  get contentType(): string | null {
    const type = this.#mediaType;
    if (type === null || type === "application/json") return type;
    return unlessSecret(type, headerValue(this.#response, "content-type") ?? "", this.#redact);
  }

  /** The specified field `code` (section 2): null without a whole number, "hidden" for one that may not be shown. */
  get code(): number | "hidden" | null {
    const { code } = this.#body.object;
    return Number.isInteger(code) ? (this.#shownNumber(code as number) ?? "hidden") : null;
  }

  get hasMessage(): boolean {
    const { message } = this.#body.object;
    return typeof message === "string" && message !== "";
  }

  /** The server's own words: several rules ask. */
  get #words(): readonly string[] {
    this.#found ??= wordsIn(this.#body);
    return this.#found;
  }

  /** Whether another response has the same status, media type, code and words. A time or an id in its words shows nothing. */
  saysTheSame(other: ReadResponse): boolean {
    const said = (one: ReadResponse): string => {
      const words = one.#words.map((text) => text.split(/\s+/).filter((token) => !/\d/.test(token)));
      return JSON.stringify([one.status, one.#mediaType, one.code, words]);
    };
    return said(this) === said(other);
  }

  /** Whether any of the server's words, or a code such as account_locked, may tell of a lock. */
  get saysLocked(): boolean {
    return this.#words.some((words) => mayTellOfLock.test(words));
  }

  get title(): string | null {
    this.#title ??= this.content === "web-page" ? titleOf(this.#body, this.#redact) : null;
    return this.#title;
  }

  /** The body in words, as a part of a sentence. */
  get contentInWords(): string {
    const { content, title } = this;
    if (content === "web-page") return title === null ? "a web page" : `a web page titled "${title}"`;
    return kindsInWords[content];
  }

  get requestId(): string | null {
    const ids = requestIdFields.map((name) => headerValue(this.#response, name)?.trim() ?? "");
    return cut(this.#redact.known(ids.find((id) => id !== "") ?? ""), longestText) || null;
  }

  get retryAfterSeconds(): number | null {
    const seconds = pauseIn(this.#response, this.#respondedAt);
    const sent = headerValue(this.#response, "retry-after") ?? "";
    return typeof seconds === "number" ? this.#shownNumber(seconds, sent) : null;
  }

  /** Whether there is a Retry-After that cannot be read. */
  get hasUnreadablePause(): boolean {
    return pauseIn(this.#response, this.#respondedAt) === "unreadable";
  }

  /** How the programs that answered call themselves, such as "Server: Cowboy, Via: 1.1 vegur"; null if they do not. */
  get answeredBy(): string | null {
    const names = ["Server", "Via"].map((name) => [name, this.header(name)?.slice(0, longestName)]);
    const said = names.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
    return said.length === 0 ? null : said.join(", ");
  }

  get gateway(): Gateway | null {
    return gatewayOf(this.#response, this.#body.object);
  }

  get challenger(): ReturnType<typeof challengerIn> {
    const fields = headerValues(this.#response, "www-authenticate");
    const challenger = challengerIn(fields);
    if (challenger.kind !== "other") return challenger;
    return { kind: "other", scheme: unlessSecret(challenger.scheme, fields.join("\n"), this.#redact) };
  }

  /** The first coding of the body that was not asked for, in lower case. A list may span several fields. */
  get foreignCoding(): string | null {
    for (const name of ["content-encoding", "transfer-encoding"])
      for (const field of headerValues(this.#response, name)) {
        const codings = field.split(",").map((coding) => coding.trim().toLowerCase());
        const found = codings.find((coding) => !["", "identity", "chunked"].includes(coding));
        if (found !== undefined) return unlessSecret(found, field, this.#redact);
      }
    return null;
  }

  // Only its host, if it names one, and its path count, so the request's own URL is not needed.
  get #target(): URL | null {
    const location = headerValue(this.#response, "location");
    return location !== null && URL.canParse(location, "https://api.invalid")
      ? new URL(location, "https://api.invalid")
      : null;
  }

  /** Whether a redirect leads to an endpoint of this name, as when the API has moved, and not to a page. */
  get leadsToEndpoint(): boolean {
    return this.#target !== null && withoutEndSlashes(this.#target.pathname).endsWith(endpointPath);
  }

  /** Whether another response redirects with the same status to the same place, whatever its query says. */
  redirectsTheSame(other: ReadResponse): boolean {
    const place = (one: ReadResponse): string =>
      [one.status, one.#target?.origin, one.#target?.pathname].join(" ");
    return place(this) === place(other);
  }

  /** Where a redirect of the request below this base URL leads. Its query can repeat the credential, so it is never shown. */
  redirectOf(baseUrl: URL): {
    readonly differs: ReturnType<typeof differenceOf>;
    readonly origin: string;
    readonly path: string;
    /** The base URL whose endpoint this is; null if it is another address. */
    readonly baseUrl: string | null;
  } | null {
    const url = new URL(pathBelow(baseUrl, endpointPath), baseUrl);
    const sent = headerValue(this.#response, "location");
    // `URL` ignores tabs, so a secret with a tab inside must be found without it.
    const location = sent?.replaceAll("\t", "") ?? null;
    if (location === null || !URL.canParse(location, url.href)) return null;
    const target = new URL(location, url.href);
    const base = withoutEndSlashes(target.pathname);
    // `URL` changes how host and path are written (letter case, dots, encoding). So search the text as it was sent, and parse it then.
    const whole = this.#redact.known;
    const isWhole = sent === location || whole(sent ?? "") === sent;
    // The scheme is no secret, but a secret can begin with it.
    const [scheme] = /^https?:|/i.exec(location) ?? [""];
    const rest = whole(location.slice(scheme.length));
    const searched = isWhole && rest !== masked && whole(location).endsWith(rest) ? scheme + rest : masked;
    const shown =
      searched !== masked && URL.canParse(searched, url.href) ? new URL(searched, url.href) : null;
    const [host, path] =
      shown === null ? [masked, masked] : [this.#redact(shown.host), this.#redact(shown.pathname)];
    const origin = `${target.protocol}//${host}`;
    return {
      differs: differenceOf(target, url),
      origin,
      path,
      baseUrl: base.endsWith(endpointPath)
        ? this.#redact(origin + withoutEndSlashes(path).slice(0, -endpointPath.length))
        : null,
    };
  }

  /** A whole number for display; null if its text holds a secret. A longer one than nine digits may be a part of a secret. */
  #shownNumber(value: number, text = String(value)): number | null {
    return Math.abs(value) < 1e9 && this.#redactNumber(text) === text ? value : null;
  }
}

/** An exchange that was read: a response, HTTP that breaks a rule, or a failure, with what a proxy sent that is no valid HTTP. */
export type ReadExchange = { readonly trace: Trace } & (
  | { readonly kind: "malformed"; readonly response: null; readonly broken: BrokenResponse }
  | {
      readonly kind: "failed";
      readonly response: null;
      readonly failure: Failure;
      readonly broken: BrokenResponse | null;
    }
  | { readonly kind: "response"; readonly response: ReadResponse; readonly broken: null }
);

/** Reads the response of an exchange, if there is one. */
export function readExchange(exchange: Exchange, redact: Redactor): ReadExchange {
  const { trace } = exchange;
  switch (exchange.kind) {
    case "response":
      return { ...exchange, response: new ReadResponse(exchange.response, trace, redact), broken: null };
    case "malformed":
      return { ...exchange, response: null, broken: readBroken(exchange.broken, redact) };
    case "failed": {
      const broken = exchange.broken ? readBroken(exchange.broken, redact) : null;
      return { ...exchange, response: null, broken };
    }
  }
}

/**
 * The difference between this machine's clock and the server's, measured from the Date field and the middle of the exchange.
 * Null without a readable Date. Date has whole seconds, so at least half a second is uncertain. The Date of a cache's
 * response is old (RFC 9111, section 5.1).
 */
export function clockSkew(exchange: ReadExchange): ClockSkew | null {
  const { sentAt, respondedAt } = exchange.trace;
  const { date = null, cacheMark = null } = exchange.response ?? {};
  if (sentAt === null || respondedAt === null || date === null || cacheMark !== null) return null;
  const serverTime = date + 500;
  return {
    skewSeconds: Math.round(((sentAt + respondedAt) / 2 - serverTime) / 1000) + 0,
    uncertaintySeconds: Math.ceil(((respondedAt - sentAt) / 2 + 500) / 1000),
  };
}
