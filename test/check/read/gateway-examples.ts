// A response that each gateway makes itself, and one of an API behind it, as bytes on the wire (each line ends in CRLF there). The pages that
// the table of marks names show them.

import type { marks } from "../../../src/check/read/gateway.ts";

/** A mark without both sides does not compile. */
export const examples: Readonly<Record<keyof typeof marks, readonly [own: string, behind: string]>> = {
  awsAccessDenied: [
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amzn-ErrorType: AccessDeniedException\nx-amz-apigw-id: Rtv0-HmFo=\n\n{"message":"User is not authorized to access this resource with an explicit deny"}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amz-apigw-id: Rtv0-HmFo=\nVia: 1.1 x.cloudfront.net (CloudFront)\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  awsForbidden: [
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amzn-ErrorType: ForbiddenException:http://internal.amazon.com/\nx-amz-apigw-id: Rtv0-HmFo=\n\n{"message":"Forbidden"}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amzn-ErrorType: InvalidTokenException\nx-amz-apigw-id: Rtv0-HmFo=\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  awsIncomplete: [
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amzn-ErrorType: IncompleteSignatureException\nx-amz-apigw-id: Rtv0-HmFo=\n\n{"message":"Authorization header requires \'Credential\' parameter."}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amz-apigw-id: Rtv0-HmFo=\nVia: 1.1 x.cloudfront.net (CloudFront)\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  awsSignature: [
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amzn-ErrorType: InvalidSignatureException\nx-amz-apigw-id: Rtv0-HmFo=\n\n{"message":"The request signature we calculated does not match the signature you provided."}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amz-apigw-id: Rtv0-HmFo=\nVia: 1.1 x.cloudfront.net (CloudFront)\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  awsMissing: [
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amzn-ErrorType: MissingAuthenticationTokenException\nx-amz-apigw-id: Rtv0-HmFo=\n\n{"message":"Missing Authentication Token"}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amz-apigw-id: Rtv0-HmFo=\nVia: 1.1 x.cloudfront.net (CloudFront)\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  awsUnauthorized: [
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amzn-ErrorType: UnauthorizedException\nx-amz-apigw-id: Rtv0-HmFo=\n\n{"message":"Unauthorized"}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amzn-ErrorType: InvalidTokenException\nx-amz-apigw-id: Rtv0-HmFo=\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  cloudflare: [
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nServer: cloudflare\nCF-RAY: 9d99f2a17c6b5e6f-FRA\n\n{"type":"https://developers.cloudflare.com/support/","title":"Error 1020: Access denied","status":403,"cloudflare_error":true}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nServer: cloudflare\nCF-RAY: 9d99f2a17c6b5e6f-FRA\nCF-Cache-Status: DYNAMIC\n\n{"code":401,"message":"No","cloudflare_error":false}',
  ],
  cloudflareChallenge: [
    "HTTP/1.1 403 Forbidden\nContent-Type: text/html\nServer: cloudflare\ncf-mitigated: challenge\n\n<!DOCTYPE html><html><head><title>Just a moment...</title>",
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nServer: cloudflare\nCF-RAY: 9d99f2a17c6b5e6f-FRA\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  kong: [
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nX-Kong-Response-Latency: 1\nServer: kong/3.5.0\n\n{"message":"No API key found in request"}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nX-Kong-Upstream-Latency: 12\nX-Kong-Proxy-Latency: 1\nVia: 1.1 kong/3.5.0\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  apigee: [
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\n\n{"fault":{"faultstring":"Failed to resolve API Key variable request.queryparam.apikey","detail":{"errorcode":"steps.oauth.v2.FailedToResolveAPIKey"}}}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nX-Apigee-Message-Id: 1\n\n{"fault":{"faultstring":"No"}}',
  ],
  azureKey: [
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\n\n{"statusCode":401,"message":"Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API."}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nRequest-Context: appId=cid-v1:1\n\n{"statusCode":401,"message":"No: Access denied due to missing subscription key"}',
  ],
  azureQuota: [
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\n\n{"statusCode":403,"message":"Out of call volume quota. Quota will be replenished in 22.14:18:12."}',
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\n\n{"statusCode":403,"message":"Out of call volume quota for today"}',
  ],
  google: [
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\n\n{"message":"UNAUTHENTICATED:Method doesn\'t allow unregistered callers (callers without established identity).","code":401}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nVia: 1.1 google\nServer: Google Frontend\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  iap: [
    "HTTP/1.1 403 Forbidden\nContent-Type: text/html\nX-Goog-IAP-Generated-Response: true\n\nYou don't have access",
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nVia: 1.1 google\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  tyk: [
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nX-Generator: tyk.io\n\n{"error":"Access to this API has been disallowed"}',
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nX-Ratelimit-Limit: 0\nX-Generator: Drupal 10\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  wso2: [
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\n\n{"fault":{"code":900901,"message":"Invalid Credentials","description":"Access failure for API"}}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nactivityid: 1\n\n{"code":"9009011","message":"No","description":"No"}',
  ],
  apisix: [
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nServer: APISIX/3.9.1\n\n{"message":"Missing API key found in request"}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nServer: APISIX/3.9.1\n\n{"message":"No: Invalid API key in request"}',
  ],
  huawei: [
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\n\n{"error_msg":"Incorrect IAM authentication information: x-auth-token not found","error_code":"APIG.0301","request_id":"******"}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\n\n{"error_code":"APP.0301","error_msg":"No"}',
  ],
  akamai: [
    "HTTP/1.1 403 Forbidden\nContent-Type: text/html\nServer: AkamaiGHost\n\n<HTML><HEAD><TITLE>Access Denied</TITLE>",
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nServer: AkamaiGHost\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  rapidApi: [
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nServer: RapidAPI-1.2.8\nX-RapidAPI-Proxy-Response: true\n\n{"message":"You are not subscribed to this API."}',
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nServer: RapidAPI-1.2.8\nX-RapidAPI-Version: 1.2.8\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  wafCaptcha: [
    "HTTP/1.1 405 Method Not Allowed\nContent-Type: text/html\nx-amzn-waf-action: captcha\n\n<!DOCTYPE html><title>Human Verification</title>",
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amz-apigw-id: Rtv0-HmFo=\nVia: 1.1 x.cloudfront.net (CloudFront)\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  wafChallenge: [
    "HTTP/1.1 403 Forbidden\nContent-Type: text/html\nx-amzn-waf-action: challenge\n\n",
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nx-amzn-RequestId: 3aa6efbe-6824-436d-8433-a0af57435fcf\nx-amz-apigw-id: Rtv0-HmFo=\nVia: 1.1 x.cloudfront.net (CloudFront)\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  zscaler: [
    "HTTP/1.1 403 Forbidden\nContent-Type: text/html\nServer: Zscaler/6.2\n\n<html><title>Internet Security by Zscaler</title>",
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nVia: 1.1 zscaler\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  squid: [
    "HTTP/1.1 403 Forbidden\nContent-Type: text/html\nServer: squid/6.6\nX-Squid-Error: ERR_ACCESS_DENIED 0\nVia: 1.1 proxy (squid/6.6)\n\n<html><title>ERROR: The requested URL could not be retrieved</title>",
    'HTTP/1.1 403 Forbidden\nContent-Type: application/json\nVia: 1.1 proxy (squid/6.6)\nX-Cache: MISS from proxy\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  vercel: [
    "HTTP/1.1 404 Not Found\nContent-Type: text/plain\nServer: Vercel\nX-Vercel-Error: DEPLOYMENT_NOT_FOUND\n\nThe deployment could not be found on Vercel.",
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nServer: Vercel\nX-Vercel-Id: fra1::1\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  ngrok: [
    "HTTP/1.1 404 Not Found\nContent-Type: text/html\nNgrok-Error-Code: ERR_NGROK_3200\n\n<!DOCTYPE html><title>ngrok</title>",
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nNgrok-Agent-Ips: 192.0.2.1\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  railway: [
    'HTTP/1.1 404 Not Found\nContent-Type: application/json\nX-Railway-Fallback: true\n\n{"status":"error","code":404,"message":"Application not found"}',
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nServer: railway-edge\nX-Railway-Request-Id: 1\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  render: [
    "HTTP/1.1 404 Not Found\nContent-Type: text/plain\nx-render-routing: no-server\n\nNot Found",
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nx-render-origin-server: Render\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
  cloudFoundry: [
    "HTTP/1.1 404 Not Found\nContent-Type: text/plain\nX-Cf-Routererror: unknown_route\n\n404 Not Found: Requested route ('api.example.com') does not exist.",
    'HTTP/1.1 401 Unauthorized\nContent-Type: application/json\nX-Vcap-Request-Id: 1\n\n{"code":401,"message":"The credentials were not accepted."}',
  ],
};
