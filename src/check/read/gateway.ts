// Tells a gateway's or a cache's own response from the API's. Each row has the page where its mark is published.

import { type HttpResponse, headerValue, headerValues } from "../../http/exchange.ts";
import type { JsonObject } from "./body.ts";

/** A gateway that answered in the API's place. All texts are this table's own. */
export interface Gateway {
  readonly name: string;
  /** What marks the response as the gateway's own. */
  readonly mark: string;
  /** What its operator can look at. */
  readonly about: string;
  /** Whose it is: of the API's operator, of this network, or of a host that has no such application. */
  readonly whose: "api" | "network" | "host";
}

interface MarkRow extends Gateway {
  /**
   * Whether the mark is in a response. `header` gives the first value of a header field, and `text` the text, number or boolean
   * at this path of the body's JSON object, as text; each gives an empty text where there is none.
   */
  isIn(response: { header(name: string): string; text(...path: readonly string[]): string }): boolean;
}

const row = (name: string, about: string, mark: string, isIn: MarkRow["isIn"]): MarkRow => ({
  name,
  mark,
  about,
  whose: "api",
  isIn,
});

/** The row of somebody else than the API's operator, who marks his pages by a field that begins so. */
const ofOthers = (whose: "network" | "host", name: string, field: string, start: string): MarkRow => ({
  ...row(name, "", `${field}: ${start}`, ({ header }) =>
    header(field.toLowerCase()).toUpperCase().startsWith(start),
  ),
  whose,
});

/** The row of a gateway that marks its responses with this value of a field. AWS may write a colon and a URL behind it. */
const byField = (name: string, about: string, field: string, value: string): MarkRow =>
  row(
    name,
    about,
    `${field}: ${value}`,
    ({ header }) => header(field.toLowerCase()).split(":", 1)[0] === value,
  );

// https://repost.aws/knowledge-center/api-gateway-troubleshoot-403-forbidden, and for 401
// https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html.
// An authorizer can be the API's own. But the gateway also answers so before it asks the authorizer.
const aws = {
  AccessDeniedException: "the authorizer and the access policy",
  ForbiddenException: "the API keys, WAF rules and domain names",
  IncompleteSignatureException: "the paths, methods and stages",
  InvalidSignatureException: "the IAM authorization",
  MissingAuthenticationTokenException: "the paths, methods and stages",
  UnauthorizedException: "the authorizer",
};

// A mark must be on no response that an API behind the gateway made: such a response has X-Amzn-RequestId, CF-Ray,
// X-Kong-Upstream-Latency, Via or Server too. Each row has the place where its mark is published.
/** The gateways that mark responses as their own, a row for each mark. */
export const gateways: readonly MarkRow[] = [
  ...Object.entries(aws).map(([type, about]) => byField("AWS API Gateway", about, "X-Amzn-ErrorType", type)),
  // https://blog.cloudflare.com/rfc-9457-agent-error-pages/
  row(
    "Cloudflare",
    "the firewall rules and the origin",
    "cloudflare_error in its JSON",
    ({ text }) => text("cloudflare_error") === "true",
  ),
  // https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
  byField("Cloudflare", "the bot and firewall rules", "CF-Mitigated", "challenge"),
  // https://github.com/Kong/kong/blob/master/kong.conf.default, `headers`
  row(
    "Kong",
    "the routes and plugins",
    "X-Kong-Response-Latency without X-Kong-Upstream-Latency",
    ({ header }) => header("x-kong-response-latency") !== "" && header("x-kong-upstream-latency") === "",
  ),
  // https://cloud.google.com/apigee/docs/api-platform/reference/policies/oauth-http-status-code-reference
  row(
    "Apigee",
    "the policies",
    "fault.detail.errorcode in its JSON",
    ({ text }) => text("fault", "faultstring") !== "" && text("fault", "detail", "errorcode") !== "",
  ),
  // https://github.com/MicrosoftDocs/SupportArticles-docs, support/azure/api-mgmt/availability/unauthorized-errors-invoke-apis.md
  row("Azure API Management", "the subscription keys", "its message about the subscription key", ({ text }) =>
    /^Access denied due to (?:missing|invalid) subscription key\b/.test(text("message")),
  ),
  // https://github.com/MicrosoftDocs/azure-docs/issues/16282, and the policies quota and quota-by-key of its pages
  row(
    "Azure API Management",
    "the quota of the subscription",
    "its message about the call volume",
    ({ text }) =>
      /^Out of (?:call volume|bandwidth) quota\. Quota will be replenished\b/.test(text("message")),
  ),
  // https://github.com/GoogleCloudPlatform/esp-v2/blob/master/src/envoy/http/service_control/handler_impl.cc
  row("Google API Gateway", "the API keys", "its message about unregistered callers", ({ text }) =>
    text("message").includes("Method doesn't allow unregistered callers"),
  ),
  // https://cloud.google.com/iap/docs/query-parameters-and-headers-howto
  byField("Google's Identity-Aware Proxy", "the access policy", "X-Goog-IAP-Generated-Response", "true"),
  // https://github.com/TykTechnologies/tyk/blob/master/gateway/handler_error.go
  byField("Tyk", "the keys and policies", "X-Generator", "tyk.io"),
  // https://apim.docs.wso2.com/en/4.5.0/troubleshooting/error-handling/
  row("WSO2 API Manager", "the subscriptions and scopes", "a code of 9009xx in its JSON", ({ text }) =>
    /^9009\d\d$/.test(text("code") || text("fault", "code")),
  ),
  // https://github.com/apache/apisix/tree/master/apisix/plugins: key-auth.lua, ip-restriction.lua, consumer-restriction.lua
  row(
    "Apache APISIX",
    "the plugins",
    "the message of one of its plugins",
    ({ header, text }) =>
      header("server").startsWith("APISIX") &&
      /^(?:(?:Missing|Invalid) API key\b|Your IP address is not allowed$|The \w+ is forbidden\.$)/.test(
        text("message"),
      ),
  ),
  // https://support.huaweicloud.com/intl/live_faq/live_08_0169.html
  row("Huawei Cloud API Gateway", "the authentication", "an error_code of APIG in its JSON", ({ text }) =>
    /^APIG\.\d/.test(text("error_code")),
  ),
  // https://github.com/EnableSecurity/wafw00f/blob/master/wafw00f/plugins/kona.py; a body in the API's form is the API's.
  row(
    "Akamai",
    "the firewall rules",
    "Server: AkamaiGHost",
    ({ header, text }) =>
      header("server") === "AkamaiGHost" && (text("code") === "" || text("message") === ""),
  ),
  // https://docs.rapidapi.com/v1.0/docs/response-headers
  byField("RapidAPI", "the subscription", "X-RapidAPI-Proxy-Response", "true"),
  // https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-how-it-works.html
  ...["captcha", "challenge"].map((action) => byField("AWS WAF", "its rules", "X-Amzn-Waf-Action", action)),
  // Their pages: https://help.zscaler.com, https://wiki.squid-cache.org, https://vercel.com/docs/errors, https://ngrok.com/docs/errors,
  // https://docs.railway.com, https://render.com/docs, https://docs.cloudfoundry.org
  ofOthers("network", "Zscaler", "Server", "ZSCALER"),
  ofOthers("network", "Squid", "X-Squid-Error", "ERR_"),
  ofOthers("host", "Vercel", "X-Vercel-Error", "DEPLOYMENT_"),
  ofOthers("host", "ngrok", "Ngrok-Error-Code", "ERR_NGROK_3200"),
  ofOthers("host", "Railway", "X-Railway-Fallback", "TRUE"),
  ofOthers("host", "Render", "X-Render-Routing", "NO-SERVER"),
  ofOthers("host", "Cloud Foundry", "X-CF-RouterError", "UNKNOWN_ROUTE"),
];

/** The gateway that marks this response, and the JSON object in its body, as its own; null if none does. Pure. */
export function gatewayOf(
  response: Pick<HttpResponse, "headers">,
  object: JsonObject | null,
): Gateway | null {
  const marked: Parameters<MarkRow["isIn"]>[0] = {
    header: (name) => headerValue(response, name)?.trim() ?? "",
    text: (...path) => {
      const value = path.reduce<unknown>(
        (parent, name) => (parent as JsonObject | null | undefined)?.[name],
        object,
      );
      // Text of an object would run what the object names `toString`.
      return typeof value === "object" || value === undefined ? "" : String(value);
    },
  };
  const found = gateways.find(({ isIn }) => isIn(marked));
  return found === undefined
    ? null
    : { name: found.name, mark: found.mark, about: found.about, whose: found.whose };
}

// Squid, CloudFront, Akamai, Azure and Fastly use X-Cache; nginx's pages suggest the others that end with Cache or Status.
/** The fields in which caches say how they answered, each in words of its own. */
const markFields = [
  "x-cache",
  "x-cache-status",
  "x-proxy-cache",
  "x-fastcgi-cache",
  "x-litespeed-cache",
  "x-vercel-cache",
  "akamai-cache-status",
  "cf-cache-status",
];

// The words for a response that was made for another request. STALE and UPDATING (nginx, Cloudflare) are copies, sent while the API is
// down or busy. RefreshHit may be the API's answer to the cache's own question. Squid, Akamai and Azure write TCP_HIT, TCP_MEM_HIT and
// the like. These are none: EXPIRED and REVALIDATED (nginx), hit-for-pass and hit-for-miss (Varnish): the cache asked the API with the
// fields of this request.
const fromCache = /^[\s"]*(?:hit(?![-_]for[-_])|stale|updating|refresh_?hit|tcp_(?:\w*_)?hit)/i;

/** Whether a field of a cache names a response that it made for another request. */
const namesCached = (field: string): boolean =>
  field.split(/[,;]/).some((element) => fromCache.test(element));

/** Whether Cache-Status holds the parameter `hit` (RFC 9211, section 2.1). A name alone that is `hit` is nginx's word in this field. */
function hasHit(field: string): boolean {
  return (
    field
      // Without its last quotation mark a string ends with the field. So the pattern never starts again inside one.
      .replace(/"(?:[^"\\]|\\.?)*("|$)/gs, (text, end) => (end === "" ? text : ""))
      .split(",")
      .map((member) => member.split(";"))
      .some(([name = "", ...parameters]) =>
        (parameters.length === 0 ? [name] : parameters).some((one) => /^[\s"]*hit\b(?!-|=\?0)/i.test(one)),
      )
  );
}

/** The field which shows that a cache made the response for another request; null if none does. Pure. */
export function cacheMark(response: Pick<HttpResponse, "headers">): string | null {
  // An Age of 0 is no mark: the response can be fresh. One that is no number is ignored (RFC 9111, section 5.1).
  const ages = headerValues(response, "age").join(", ");
  if (ages.split(",").some((age) => /^\s*0*[1-9]\d*\s*$/.test(age))) return `Age: ${ages}`;
  const mark = response.headers.find(({ name, value }) => {
    const field = name.toLowerCase();
    return field === "cache-status" ? hasHit(value) : markFields.includes(field) && namesCached(value);
  });
  return mark === undefined ? null : `${mark.name}: ${mark.value}`;
}
