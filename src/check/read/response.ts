// Reads a response once. Behind this file nothing has the raw response, and no text holds a secret.

import {
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
import { type Body, bodyOf, longestQuote, messageIn, type Said, saidIn } from "./body.ts";
import { challengerIn } from "./challenge.ts";
import { pauseIn, serverTime } from "./dates.ts";
import { cacheMark, type Gateway, gatewayOf } from "./gateway.ts";
import { type BrokenResponse, isStandardReason, readBroken, withoutSession } from "./quotes.ts";

/** The fields in which services number a request, the most common first. */
export const requestIdFields = "x-request-id x-correlation-id request-id x-amzn-requestid cf-ray".split(" ");

// The only words of a server that are read: they withhold further requests, each of which may count as a failed login. It is crude, and
// on the safe side. Words in other languages are shown, and whoever reads them decides.
const mayTellOfLock = /(?<!b|un)lock(?:ed|[ _-]?out)|too[ _-]?many|attempts|rate[ _-]?limit/i;

/** An endpoint of this name to which a redirect leads: at another address, by http:// where https:// was asked, with a slash more, or the same. */
export interface Move {
  readonly to: "elsewhere" | "clear-text" | "slash" | "same";
  readonly isOtherHost: boolean;
  readonly baseUrl: string;
}

// The WHATWG's grammar of Refresh: seconds, a separator, and a URL that may have a name, and ends at its own quotation mark alone.
const refreshTarget = /^[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|([^"'].*))/is;

/**
 * What may be known of a response. Every text was searched for secrets before a part of it was taken. Nothing gives the response itself.
 */
export class ReadResponse {
  readonly status: number;
  /** Whether the body was longer than its limit. */
  readonly truncated: boolean;
  readonly content: Body["kind"];
  /** The server's time, from the Date field: milliseconds since the epoch; null without a single readable one. */
  readonly date: number | null;
  /** The field which shows that a cache made the response for another request. */
  readonly cacheMark: string | null;
  /** What the body says, in 300 characters at most. */
  readonly message: string | null;
  readonly #response: HttpResponse;
  readonly #respondedAt: number | null;
  /** For what is shown: all texts share one budget of decoding. */
  readonly #redact: Redactor;
  /** For numbers that decide: an outcome must not depend on whether that budget is used up. */
  readonly #redactNumber: Redactor;
  readonly #body: Body;
  readonly #baseUrl: URL;
  /** What the body says, before it is shortened and searched. */
  readonly #words: Said;

  /** `baseUrl` is that of the request: a target can be relative to it. */
  constructor(
    response: HttpResponse,
    { respondedAt }: Pick<Trace, "respondedAt">,
    known: Redactor,
    baseUrl: URL,
  ) {
    const redact = known.forResponse();
    this.#response = response;
    this.#respondedAt = respondedAt;
    this.#redact = redact;
    this.#redactNumber = known;
    this.#baseUrl = baseUrl;
    this.status = response.status;
    this.truncated = response.truncated;
    this.#body = bodyOf(response.body, this.#mediaType);
    this.#words = saidIn(this.#body, response.status);
    this.content = this.#body.kind;
    this.date = serverTime(response, respondedAt);
    const mark = cacheMark(response);
    this.cacheMark = mark && redact(mark);
    this.message = messageIn(this.#body, this.#words, response.status, redact);
  }

  get bodyEnd(): HttpResponse["bodyEnd"] {
    return this.#response.bodyEnd;
  }

  /** All values of a header field; null without one. */
  header(name: string): string | null {
    const values = headerValues(this.#response, name.toLowerCase());
    return values.length === 0 ? null : this.#redact(values.join(", "));
  }

  get #url(): URL {
    return new URL(pathBelow(this.#baseUrl, endpointPath), this.#baseUrl);
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

  /** Whether another response has the same status, media type, code and words. A time or an id in its words shows nothing. */
  saysTheSame(other: ReadResponse): boolean {
    const heard = (one: ReadResponse): string => {
      const words = one.#words.words.split(/[\s"',:;{}[\]()]+/).filter((token) => !/\d/.test(token));
      return JSON.stringify([one.status, one.#mediaType, one.code, words]);
    };
    return heard(this) === heard(other);
  }

  /** Whether a JSON object may refuse the credential with a status that some servers use for it; an experiment can show that. */
  get mayRefuse(): boolean {
    return [400, 422, 500].includes(this.status) && this.content === "json-object" && this.cacheMark === null;
  }

  /** Whether its words, or a code such as ACCOUNT_LOCKED, may tell of a lock or a limit. A 423 and a 429 say so by their status. */
  get withholds(): boolean {
    const isRead = this.status === 500 ? this.mayRefuse : this.status >= 400 && this.status < 500;
    if (!isRead || this.status === 423 || this.status === 429) return false;
    const { words, codes } = this.#words;
    return [words, ...codes].some((one) => mayTellOfLock.test(one));
  }

  get requestId(): string | null {
    const ids = requestIdFields.map((name) => headerValue(this.#response, name)?.trim() ?? "");
    return cut(this.#redact.known(ids.find((id) => id !== "") ?? ""), longestText) || null;
  }

  get retryAfterSeconds(): number | null {
    const seconds = pauseIn(this.#response, this.#respondedAt);
    const sent = headerValue(this.#response, "retry-after") ?? "";
    return seconds === null ? null : this.#shownNumber(seconds, sent);
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

  /** What it says beside its body. */
  get quotes() {
    const { reason, status } = this.#response;
    const fields = ["www-authenticate", "proxy-authenticate"];
    return {
      location: this.#target?.shown ?? null,
      challenges: fields.flatMap((name) => headerValues(this.#response, name)).map((one) => this.#quote(one)),
      reason: isStandardReason(status, reason) ? null : this.#quote(reason) || null,
      server: this.#quote(this.header("server") ?? "") || null,
      via: this.#quote(this.header("via") ?? "") || null,
    };
  }

  #quote(text: string): string {
    return cut(this.#redact(text).trim(), longestQuote);
  }

  /** Where the response leads, and how that may be shown. */
  get #target(): { readonly url: URL; readonly shown: string; readonly isLocation: boolean } | null {
    const whole = this.#redact.known;
    const location = headerValue(this.#response, "location");
    // The grammar takes a part of the field, so it is searched first.
    const refresh = refreshTarget.exec(whole(headerValue(this.#response, "refresh") ?? ""));
    const field = location ?? refresh?.slice(1).find((url) => url !== undefined);
    // `URL` ignores tabs, so a secret with a tab inside must be found without it.
    const sent = field?.replaceAll("\t", "").trim() ?? "";
    const { href } = this.#url;
    if (sent === "" || !URL.canParse(sent, href)) return null;
    const url = new URL(sent, href);
    // `URL` changes how host and path are written (letter case, dots, encoding). So search the text as it was sent, and parse it then.
    const isWhole = field === sent || whole(field ?? "") === field;
    // The scheme is no secret, but a secret can begin with it.
    const [scheme] = /^https?:|/i.exec(sent) ?? [""];
    const rest = whole(sent.slice(scheme.length));
    const isShown = isWhole && rest !== masked && whole(sent).endsWith(rest);
    const searched = isShown && URL.canParse(scheme + rest, href) ? new URL(scheme + rest, href) : null;
    const host = searched === null ? masked : this.#redact(searched.host);
    const path = searched === null ? "" : this.#redact(searched.pathname);
    const shown = withoutSession(`${url.protocol}${host === "" ? "" : `//${host}`}${path}`);
    return { url, shown: cut(shown, longestQuote), isLocation: location !== null };
  }

  /** Whether a redirect leads to an endpoint of this name, as when the API has moved, and not to a page. */
  get move(): Move | null {
    const target = this.#target;
    if (target === null || !target.isLocation) return null;
    const { url, shown } = target;
    // An address of which a part is hidden cannot be advised.
    const end = withoutEndSlashes(shown);
    if (!/^https?:$/.test(url.protocol) || end.includes(masked)) return null;
    if (![withoutEndSlashes(url.pathname), end].every((one) => one.endsWith(endpointPath))) return null;
    const asked = this.#url;
    const isDowngraded = asked.protocol === "https:" && url.protocol === "http:";
    const isHere = url.origin === asked.origin;
    const to = isDowngraded
      ? "clear-text"
      : isHere && url.pathname === asked.pathname
        ? "same"
        : isHere && url.pathname === `${asked.pathname}/`
          ? "slash"
          : "elsewhere";
    const baseUrl = this.#redact(end.slice(0, -endpointPath.length));
    return { to, isOtherHost: url.hostname !== asked.hostname, baseUrl };
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

/** Reads the response of an exchange with the API below this base URL, if there is one. */
export function readExchange(exchange: Exchange, redact: Redactor, baseUrl: URL): ReadExchange {
  const { trace } = exchange;
  switch (exchange.kind) {
    case "response":
      return {
        ...exchange,
        response: new ReadResponse(exchange.response, trace, redact, baseUrl),
        broken: null,
      };
    case "malformed":
      return { ...exchange, response: null, broken: readBroken(exchange.broken, redact) };
    case "failed": {
      const broken = exchange.broken ? readBroken(exchange.broken, redact) : null;
      return { ...exchange, response: null, broken };
    }
  }
}
