// Tells a gateway's or a cache's own response from the API's. Each mark has its source, and belongs to a table whose test asks for an
// example of both sides.

import { type HttpResponse, headerValue, headerValues } from "../../http/exchange.ts";
import type { JsonObject } from "./body.ts";

/** A gateway that answered in the API's place. All texts are this table's own. */
export interface Gateway {
  readonly name: string;
  /** What marks the response as the gateway's own. */
  readonly mark: string;
  /** Whose it is: in front of the API, of this network, or of a host that has no such application. */
  readonly whose: "api" | "network" | "host";
}

/** Gives the first value of a header field, and the text, number or boolean at a path of the body's JSON object; empty where there is none. */
interface Marked {
  header(name: string): string;
  text(...path: readonly string[]): string;
}

const mark = (
  name: string,
  mark: string,
  isIn: (response: Marked) => boolean,
  whose: Gateway["whose"] = "api",
) => ({ name, mark, whose, isIn });

/** A mark that is this value of a field. AWS may write a colon and a URL behind it. */
const field = (name: string, header: string, value: string) =>
  mark(name, `${header}: ${value}`, (one) => one.header(header.toLowerCase()).split(":", 1)[0] === value);

const aws = (value: string) => field("AWS API Gateway", "X-Amzn-ErrorType", value);

/** A mark of somebody else than the API's operator: a field that begins so. */
const ofOthers = (whose: "network" | "host", name: string, header: string, start: string) =>
  mark(
    name,
    `${header}: ${start}`,
    (one) => one.header(header.toLowerCase()).toUpperCase().startsWith(start),
    whose,
  );

/** A documented sentence of a gateway that marks nothing else. */
const sentence = (name: string, what: string, ...starts: readonly string[]) =>
  mark(name, `its message about ${what}`, ({ text }) =>
    starts.some((start) => text("message").startsWith(start)),
  );

const sentencesOfApisix: readonly string[] = [
  "Missing API key found in request",
  "Missing API key in request",
  "Invalid API key in request",
  "Your IP address is not allowed",
  ...["consumer_name", "consumer_group_id", "service_id", "route_id"].map((by) => `The ${by} is forbidden.`),
];

// A mark must be on no response that an API behind the gateway made: such a response has X-Amzn-RequestId, CF-Ray,
// X-Kong-Upstream-Latency, Via or Server too. An authorizer of AWS can be the API's own, but the gateway also answers so before it asks.
/** The marks of gateways. A refusal that has one is the gateway's. */
export const marks = {
  // https://repost.aws/knowledge-center/api-gateway-troubleshoot-403-forbidden, and for 401
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
  awsAccessDenied: aws("AccessDeniedException"),
  awsForbidden: aws("ForbiddenException"),
  awsIncomplete: aws("IncompleteSignatureException"),
  awsSignature: aws("InvalidSignatureException"),
  awsMissing: aws("MissingAuthenticationTokenException"),
  awsUnauthorized: aws("UnauthorizedException"),
  // https://blog.cloudflare.com/rfc-9457-agent-error-pages/
  cloudflare: mark(
    "Cloudflare",
    "cloudflare_error in its JSON",
    ({ text }) => text("cloudflare_error") === "true",
  ),
  // https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
  cloudflareChallenge: field("Cloudflare", "CF-Mitigated", "challenge"),
  // https://github.com/Kong/kong/blob/master/kong.conf.default, `headers`
  kong: mark(
    "Kong",
    "X-Kong-Response-Latency without X-Kong-Upstream-Latency",
    ({ header }) => header("x-kong-response-latency") !== "" && header("x-kong-upstream-latency") === "",
  ),
  // https://cloud.google.com/apigee/docs/api-platform/reference/policies/oauth-http-status-code-reference
  apigee: mark(
    "Apigee",
    "fault.detail.errorcode in its JSON",
    ({ text }) => text("fault", "faultstring") !== "" && text("fault", "detail", "errorcode") !== "",
  ),
  // https://github.com/MicrosoftDocs/SupportArticles-docs, support/azure/api-mgmt/availability/unauthorized-errors-invoke-apis.md
  azureKey: sentence(
    "Azure API Management",
    "the subscription key",
    "Access denied due to missing subscription key",
    "Access denied due to invalid subscription key",
  ),
  // https://github.com/MicrosoftDocs/azure-docs/issues/16282, and the policies quota and quota-by-key of its pages
  azureQuota: sentence(
    "Azure API Management",
    "the call volume",
    "Out of call volume quota. Quota will be replenished",
    "Out of bandwidth quota. Quota will be replenished",
  ),
  // https://github.com/GoogleCloudPlatform/esp-v2/blob/master/src/envoy/http/service_control/handler_impl.cc
  google: sentence(
    "Google API Gateway",
    "unregistered callers",
    "UNAUTHENTICATED:Method doesn't allow unregistered callers",
    "PERMISSION_DENIED:Method doesn't allow unregistered callers",
    "Method doesn't allow unregistered callers",
  ),
  // https://cloud.google.com/iap/docs/query-parameters-and-headers-howto
  iap: field("Google's Identity-Aware Proxy", "X-Goog-IAP-Generated-Response", "true"),
  // https://github.com/TykTechnologies/tyk/blob/master/gateway/handler_error.go
  tyk: field("Tyk", "X-Generator", "tyk.io"),
  // https://apim.docs.wso2.com/en/4.5.0/troubleshooting/error-handling/
  wso2: mark("WSO2 API Manager", "a code of 9009xx in its JSON", ({ text }) =>
    /^9009\d\d$/.test(text("code") || text("fault", "code")),
  ),
  // https://github.com/apache/apisix/tree/master/apisix/plugins: key-auth.lua, ip-restriction.lua, consumer-restriction.lua
  apisix: mark(
    "Apache APISIX",
    "the message of one of its plugins",
    ({ header, text }) =>
      header("server").startsWith("APISIX") && sentencesOfApisix.includes(text("message")),
  ),
  // https://support.huaweicloud.com/intl/live_faq/live_08_0169.html
  huawei: mark("Huawei Cloud API Gateway", "an error_code of APIG in its JSON", ({ text }) =>
    text("error_code").startsWith("APIG."),
  ),
  // https://github.com/EnableSecurity/wafw00f/blob/master/wafw00f/plugins/kona.py; a body in the API's form is the API's.
  akamai: mark(
    "Akamai",
    "Server: AkamaiGHost",
    ({ header, text }) =>
      header("server") === "AkamaiGHost" && (text("code") === "" || text("message") === ""),
  ),
  // https://docs.rapidapi.com/v1.0/docs/response-headers
  rapidApi: field("RapidAPI", "X-RapidAPI-Proxy-Response", "true"),
  // https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-how-it-works.html
  wafCaptcha: field("AWS WAF", "X-Amzn-Waf-Action", "captcha"),
  wafChallenge: field("AWS WAF", "X-Amzn-Waf-Action", "challenge"),
  // https://help.zscaler.com
  zscaler: ofOthers("network", "Zscaler", "Server", "ZSCALER"),
  // https://wiki.squid-cache.org/SquidFaq/SquidErrors
  squid: ofOthers("network", "Squid", "X-Squid-Error", "ERR_"),
  // https://vercel.com/docs/errors
  vercel: ofOthers("host", "Vercel", "X-Vercel-Error", "DEPLOYMENT_"),
  // https://ngrok.com/docs/errors/err_ngrok_3200
  ngrok: ofOthers("host", "ngrok", "Ngrok-Error-Code", "ERR_NGROK_3200"),
  // https://docs.railway.com/reference/errors/application-failed-to-respond
  railway: ofOthers("host", "Railway", "X-Railway-Fallback", "TRUE"),
  // https://render.com/docs/troubleshooting-deploys
  render: ofOthers("host", "Render", "X-Render-Routing", "NO-SERVER"),
  // https://docs.cloudfoundry.org/adminguide/troubleshooting-router-error-responses.html
  cloudFoundry: ofOthers("host", "Cloud Foundry", "X-CF-RouterError", "UNKNOWN_ROUTE"),
} as const;

/** The gateway that marks this response, and the JSON object in its body, as its own; null if none does. Pure. */
export function gatewayOf(
  response: Pick<HttpResponse, "headers">,
  object: JsonObject | null,
): Gateway | null {
  const marked: Marked = {
    header: (name) => headerValue(response, name)?.trim() ?? "",
    text: (...path) => {
      const value = path.reduce<unknown>(
        (parent, name) => (parent as JsonObject | null | undefined)?.[name],
        object,
      );
      // `String` would call what an object of the server names `toString`.
      return typeof value === "object" || value === undefined ? "" : String(value);
    },
  };
  const found = Object.values(marks).find(({ isIn }) => isIn(marked));
  return found === undefined ? null : { name: found.name, mark: found.mark, whose: found.whose };
}

/**
 * The fields in which caches say how they answered, each in words of its own. Squid, CloudFront, Akamai, Azure and Fastly use X-Cache;
 * nginx's pages suggest the others that end with Cache or Status.
 */
const markFields =
  "x-cache x-cache-status x-proxy-cache x-fastcgi-cache x-litespeed-cache x-vercel-cache akamai-cache-status cf-cache-status".split(
    " ",
  );

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
