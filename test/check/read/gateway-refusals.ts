/** Header fields; names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** A refusal that a gateway made itself, and where it was published. */
export interface Published {
  readonly gateway: string;
  readonly status: number;
  readonly headers?: Headers;
  readonly body: object;
  readonly source: string;
}

/** What AWS API Gateway adds to every response. */
export const awsHeaders = {
  "x-amzn-requestid": "3aa6efbe-6824-436d-8433-a0af57435fcf",
  "x-amz-apigw-id": "Rtv0-HmFo=",
};
const aws403 = "https://repost.aws/knowledge-center/api-gateway-troubleshoot-403-forbidden";
const aws = (type: string, message: string, status = 403, source = aws403): Published => ({
  gateway: "AWS API Gateway",
  status,
  headers: { ...awsHeaders, "x-amzn-errortype": type },
  body: { message },
  source,
});
/** What Kong adds to every response. */
export const kongHeaders = { server: "kong/3.5.0", "x-kong-request-id": "2e0dbd1ac29f85282b68067dc25f032e" };
const kong = (plugin: string, status: number, message: string): Published => ({
  gateway: "Kong",
  status,
  headers: { ...kongHeaders, "x-kong-response-latency": "1" },
  body: { message, request_id: "2e0dbd1ac29f85282b68067dc25f032e" },
  source: `https://github.com/Kong/kong, kong/plugins/${plugin}/handler.lua`,
});
const apisix = (plugin: string, status: number, message: string): Published => ({
  gateway: "Apache APISIX",
  status,
  headers: { server: "APISIX/3.9.1" },
  body: { message },
  source: `https://github.com/apache/apisix, apisix/plugins/${plugin}.lua`,
});
const wso2 = "https://apim.docs.wso2.com/en/4.5.0/troubleshooting/error-handling/";
const azure =
  "https://github.com/MicrosoftDocs/SupportArticles-docs, support/azure/api-mgmt/availability/unauthorized-errors-invoke-apis.md";
const apigee =
  "https://cloud.google.com/apigee/docs/api-platform/reference/policies/oauth-http-status-code-reference";

/** Refusals as the gateways' makers and users published them. A challenge that some send beside them is left out: it decides alone. */
export const refusals: readonly Published[] = [
  aws("MissingAuthenticationTokenException", "Missing Authentication Token"),
  aws("ForbiddenException", "Forbidden"),
  aws("AccessDeniedException", "User is not authorized to access this resource with an explicit deny"),
  aws(
    "IncompleteSignatureException",
    "not a valid key=value pair (missing equal-sign) in Authorization header",
  ),
  aws("InvalidSignatureException", "Signature expired"),
  aws(
    "UnauthorizedException",
    "Unauthorized",
    401,
    "https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html",
  ),
  {
    gateway: "Cloudflare",
    status: 403,
    headers: {
      server: "cloudflare",
      "cf-ray": "9d99f2a17c6b5e6f-FRA",
      "content-type": "application/problem+json",
    },
    body: {
      title: "Error 1010: Access denied",
      status: 403,
      detail: "The site owner has blocked access based on your browser's signature.",
      error_code: 1010,
      error_name: "browser_signature_banned",
      cloudflare_error: true,
      retryable: false,
    },
    source: "https://blog.cloudflare.com/rfc-9457-agent-error-pages/",
  },
  {
    gateway: "Cloudflare",
    status: 403,
    headers: { server: "cloudflare", "cf-mitigated": "challenge" },
    body: {},
    source:
      "https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/",
  },
  kong("key-auth", 401, "No API key found in request"),
  kong("acl", 403, "You cannot consume this service"),
  {
    gateway: "Apigee",
    status: 401,
    body: {
      fault: {
        faultstring: "Failed to resolve API Key variable request.queryparam.apikey",
        detail: { errorcode: "steps.oauth.v2.FailedToResolveAPIKey" },
      },
    },
    source: apigee,
  },
  {
    gateway: "Apigee",
    status: 401,
    body: {
      fault: {
        faultstring: "Invalid API call as no apiproduct match found",
        detail: { errorcode: "keymanagement.service.InvalidAPICallAsNoApiProductMatchFound" },
      },
    },
    source: apigee,
  },
  ...["missing subscription key. Make sure to include", "invalid subscription key. Make sure to provide"].map(
    (words) => ({
      gateway: "Azure API Management",
      status: 401,
      body: { statusCode: 401, message: `Access denied due to ${words} a valid key.` },
      source: azure,
    }),
  ),
  {
    gateway: "Google API Gateway",
    status: 401,
    body: {
      message:
        "UNAUTHENTICATED:Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      code: 401,
    },
    source: "https://github.com/GoogleCloudPlatform/esp-v2, src/envoy/http/service_control/handler_impl.cc",
  },
  {
    gateway: "Google's Identity-Aware Proxy",
    status: 403,
    headers: { "x-goog-iap-generated-response": "true" },
    body: {},
    source: "https://cloud.google.com/iap/docs/query-parameters-and-headers-howto",
  },
  {
    gateway: "Tyk",
    status: 403,
    headers: { "x-generator": "tyk.io" },
    body: { error: "Access to this API has been disallowed" },
    source: "https://github.com/TykTechnologies/tyk, gateway/handler_error.go",
  },
  {
    gateway: "WSO2 API Manager",
    status: 401,
    body: { code: "900902", message: "Missing Credentials", description: "Invalid Credentials." },
    source: wso2,
  },
  {
    gateway: "WSO2 API Manager",
    status: 401,
    body: { fault: { code: 900_901, message: "Invalid Credentials", description: "Access failure for API" } },
    source: wso2,
  },
  apisix("key-auth", 401, "Missing API key found in request"),
  apisix("key-auth", 401, "Invalid API key in request"),
  apisix("ip-restriction", 403, "Your IP address is not allowed"),
  apisix("consumer-restriction", 403, "The consumer_name is forbidden."),
  {
    gateway: "Huawei Cloud API Gateway",
    status: 401,
    body: {
      error_msg: "Incorrect IAM authentication information: x-auth-token not found",
      error_code: "APIG.0301",
      request_id: "******",
    },
    source: "https://support.huaweicloud.com/intl/live_faq/live_08_0169.html",
  },
  {
    gateway: "RapidAPI",
    status: 403,
    headers: { server: "RapidAPI-1.2.8", "x-rapidapi-proxy-response": "true" },
    body: { message: "You are not subscribed to this API." },
    source: "https://docs.rapidapi.com/v1.0/docs/response-headers",
  },
];
