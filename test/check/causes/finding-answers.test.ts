import { describe, expect, test } from "vitest";
import { redactorOf } from "../../../src/redaction/redact.ts";
import { replied } from "../../support/exchanges.ts";
import { findingsIn, found } from "./found.ts";

describe("an answer of somebody in front of the API", () => {
  const blocked = (message: string, status = 403, headers: Record<string, string> = {}) =>
    found("blocked", {
      exchange: replied({ status, headers, body: JSON.stringify({ code: status, message }) }),
    }) !== undefined;

  test.each([
    "Blocked",
    "We block this",
    "WAF rule 7",
    "Firewall",
    "Denied by policy",
    "Your IP address is 192.0.2.1",
    "not allowed from here",
  ])("is a 403 that says %j", (message) => {
    expect(blocked(message)).toBe(true);
    expect(blocked(message, 401)).toBe(false);
  });

  test.each(["No", "Unblocked users only", "blocks", "waffle", "not allowed"])(
    "is no 403 that says %j, whatever server it names",
    (message) => {
      expect(blocked(message)).toBe(false);
      expect(blocked(message, 403, { server: "cloudflare", "cf-ray": "1" })).toBe(false);
    },
  );

  test("is no 403 without a body", () => {
    expect(found("blocked", { exchange: replied({ status: 403 }) })).toBeUndefined();
  });
});

describe("a redirect shows where it leads, and what to set", () => {
  const from = (url: string, location: string) =>
    findingsIn({ exchange: replied({ status: 302, headers: { location } }), url }).map(
      ({ id, message, fix }) => [id, message.replace("it redirects to ", ""), fix],
    );
  const moved =
    "If the API has moved there, set the base URL (now set by the default) to it; credentials never follow a redirect";
  const otherPort =
    "Check the scheme and the port of the base URL (now set by the default): the server names others";
  const https = "https://api.example.com/v1/test-authentication";

  test.each([
    [
      "/v2/test-authentication?key=x#y",
      "redirect-path",
      "the path /v2/test-authentication of the same host",
      "Set the base URL (now set by the default) to https://api.example.com/v2",
    ],
    ["../../v2/", "redirect-path", "the path /v2/ of the same host", moved],
    [
      "/v1/test-authentication/",
      "redirect-path",
      "the same path with a slash at its end, which no base URL can give",
      "Ask the API's operator to answer /test-authentication without the slash",
    ],
    [
      "https://api.example.com:8443/v2/test-authentication/?key=x",
      "redirect-host",
      "https://api.example.com:8443/v2/test-authentication/",
      "Set the base URL (now set by the default) to https://api.example.com:8443/v2",
    ],
    ["http://api.example.com/v2", "redirect-host", "http://api.example.com/v2", otherPort],
    [
      "http://api.example.com/v1/test-authentication//",
      "redirect-host",
      "http://api.example.com/v1/test-authentication//",
      "Set the base URL (now set by the default) to http://api.example.com/v1",
    ],
    [
      "http://api.example.com/v1/test-authentication",
      "redirect-host",
      "http://api.example.com/v1/test-authentication",
      "Set the base URL (now set by the default) to http://api.example.com/v1",
    ],
    ["https://u:p@www.example.com/v2?key=x", "redirect-host", "another host: https://www.example.com", moved],
    ["http://www.example.com/v2", "redirect-host", "another host: http://www.example.com", moved],
    ["ftp://www.example.com/v2", "redirect-host", "a URL that is neither http nor https", moved],
  ])("%s", (location, ...finding) => {
    expect(from(https, location)).toEqual([finding]);
  });

  test.each([
    ["two slashes", "https://HOST/"],
    ["backslashes", "https:\\\\HOST/"],
    ["three slashes", "https:///HOST/"],
    ["no slash", "http:HOST/"],
    ["a tab within", "https://HO\tST/"],
  ])("a host that is a secret in base64 is not shown, behind %s", (_, written) => {
    const [start, end] = ["c2VjcmV0L", "XRva2Vu"];
    const location = written.replace("HO", start).replace("ST", end);
    const redact = redactorOf(["secret-token"]);
    const [found] = findingsIn({
      exchange: replied({ status: 302, headers: { location } }),
      url: https,
      redact,
    });
    expect(found?.message).toMatch(/^it redirects to another host: https?:\/\/\[secret\]$/);
  });

  const http = https.replace("https", "http");
  test.each([
    [http, https, "https on the same host", "Write https:// in the base URL (now set by the default)"],
    [
      http.replace(".com", ".com:8080"),
      https,
      https,
      "Set the base URL (now set by the default) to https://api.example.com/v1",
    ],
    [
      http,
      https.replace("v1", "v2"),
      https.replace("v1", "v2"),
      "Set the base URL (now set by the default) to https://api.example.com/v2",
    ],
    [http, "https://api.example.com/sign-in", "https://api.example.com/sign-in", moved],
  ])("from %s to %s", (url, location, ...finding) => {
    expect(from(url, location)).toEqual([["redirect-https", ...finding]]);
  });
});
