import { isLoopbackAddress } from "../system/loopback.ts";
import { type Level, type SettingText, winnerOf } from "./levels.ts";

/** A valid base URL, and facts about it for findings. */
export interface Endpoint {
  /** `{base_url}/test-authentication`, absolute. */
  readonly url: URL;
  readonly secure: boolean;
  /** An address of 127.0.0.0/8, ::1, or the name `localhost`, for which http/connect.ts checks the addresses. */
  readonly loopback: boolean;
  /** The base URL ended in /test-authentication already. */
  readonly suffixGiven: boolean;
}

/** Why a URL is refused (the end of a sentence), and what to write instead. */
export interface UrlProblem {
  readonly problem: string;
  readonly hint: string;
}

/** The path of the API's check below its base URL (specification, section 4). */
export const endpointPath = "/test-authentication";

// RFC 3986, appendix A: unreserved, percent-encoded, sub-delims and the delimiters of authority and path.
const allowed = /^(?:[A-Za-z0-9\-._~:/[\]@!$&'()*+,;=?#\\]|%[0-9A-Fa-f]{2})*$/;

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
}

/**
 * Parses the URL of a setting: absolute, http or https, without query and fragment. A proxy's URL may hold a user and
 * password. Check the text before parsing it: the WHATWG parser drops tabs and line ends and turns `\` into `/`.
 */
export function parseHttpUrl(
  text: string,
  userInformation: "refused" | "allowed" = "refused",
): URL | UrlProblem {
  if (!allowed.test(text)) {
    return {
      problem: "contains white space or a character that a URL cannot contain",
      hint: "Remove it, or percent-encode it; write an international host name in its xn-- form",
    };
  }
  if (!/^https?:\/\//i.test(text)) {
    return {
      problem: "does not begin with https:// or http://",
      hint: "Write it in full, like https://api.example.com/v1",
    };
  }
  if (text.includes("\\")) return { problem: "contains a backslash", hint: "Write / instead" };
  if (/[?#]/.test(text)) return { problem: "contains ? or #", hint: "Remove the query and the fragment" };
  const [, , authority = "", ...segments] = text.split("/");
  // The parser skips extra slashes and accepts port 0.
  if (authority === "" || /:0+$/.test(authority) || authority.endsWith("@")) {
    return { problem: "has no valid host or port", hint: "Write it like https://api.example.com:8443/v1" };
  }
  if (authority.includes("@") && userInformation === "refused") {
    return {
      problem: "contains user information",
      hint: "Remove everything between // and @; credentials have settings of their own",
    };
  }
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    return { problem: "contains . or .. as a path segment", hint: "Write the path without them" };
  }
  try {
    return new URL(text);
  } catch {
    return { problem: "has no valid host or port", hint: "Write it like https://api.example.com:8443/v1" };
  }
}

/**
 * The endpoint of a base URL: its origin and path kept, `/test-authentication` appended once (specification, section 4).
 */
export function endpointOf(baseUrl: string): Endpoint | UrlProblem {
  const url = parseHttpUrl(baseUrl);
  if ("problem" in url) return url;
  const base = url.pathname.replace(/\/+$/, "");
  const suffixGiven = base.endsWith(endpointPath);
  url.pathname = suffixGiven ? base : base + endpointPath;
  return { url, secure: url.protocol === "https:", loopback: isLoopback(url), suffixGiven };
}

const endpoints = new WeakMap<SettingText, Endpoint | UrlProblem>();

/** The endpoint of a base URL. Each setting is parsed once, even if many accounts share it. */
export function endpointAt(given: SettingText): Endpoint | UrlProblem {
  const endpoint = endpoints.get(given) ?? endpointOf(given.text);
  endpoints.set(given, endpoint);
  return endpoint;
}

/** The endpoint of the base URL that counts; null if it is missing or invalid. */
export function endpointIn(levels: readonly Level[]): Endpoint | null {
  const given = winnerOf(levels, "baseUrl");
  const endpoint = given && endpointAt(given);
  return endpoint === null || "problem" in endpoint ? null : endpoint;
}
