import { isLoopbackAddress } from "../system/loopback.ts";
import type { Invalid } from "./definition.ts";

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

/** The path of the API's check below its base URL (specification, section 4). */
export const endpointPath = "/test-authentication";

// RFC 3986, appendix A: unreserved, percent-encoded, sub-delims and the delimiters of authority and path.
const urlCharacters = /^(?:[A-Za-z0-9\-._~:/[\]@!$&'()*+,;=?#\\]|%[0-9A-Fa-f]{2})*$/;

const noHost: Invalid = {
  problem: "has no valid host or port",
  hint: "Write it like https://api.example.com:8443/v1",
};

/** A host as `URL` writes it: lower case, xn--, an address in its usual form; null if it is none. */
export function canonicalHost(host: string): string | null {
  try {
    // Not `canParse`: it takes long names that `URL` refuses.
    return /[/\\?#@]/.test(host) ? null : new URL(`http://${host}`).hostname;
  } catch {
    return null;
  }
}

/**
 * The text of a URL with an international host name in its xn-- form, which tells look-alike letters apart. Invisible
 * characters stay as they are, and so does a host without such a form, such as one of full-width digits.
 */
export function withAsciiHost(text: string): string {
  return text.replace(
    /^(https?:\/\/(?:[^/\\?#@]*@)?)([^/\\?#@:]*)/i,
    (whole, before: string, host: string) => {
      const ascii = /^[\0-\x7f]*$|[\p{C}\p{Z}]/u.test(host) ? null : canonicalHost(host);
      return ascii?.includes("xn--") ? before + ascii : whole;
    },
  );
}

/**
 * Parses the URL of a setting: absolute, http or https, without query and fragment. A proxy's URL may hold a user and
 * password. Check the text before parsing it: the WHATWG parser drops tabs and line ends and turns `\` into `/`.
 */
export function parseHttpUrl(
  written: string,
  userInformation: "refused" | "allowed" = "refused",
): URL | Invalid {
  const text = withAsciiHost(written);
  if (!urlCharacters.test(text)) {
    return {
      problem: "contains white space or a character that a URL cannot contain",
      hint: "Remove it, or percent-encode it",
    };
  }
  if (!/^https?:\/\//i.test(text)) {
    return {
      problem: "does not begin with https:// or http://",
      hint: "Write it in full, like https://api.example.com/v1",
    };
  }
  if (text.includes("\\")) return { problem: "contains a backslash", hint: "Write / instead" };
  if (/[?#]/.test(text)) {
    return {
      problem: "contains ? or #",
      hint: "Remove the query and the fragment; in a password write ? as %3F and # as %23",
    };
  }
  const [, , authority = "", ...segments] = text.split("/");
  // The parser skips extra slashes and accepts port 0.
  if (authority === "" || /:0+$/.test(authority) || authority.endsWith("@")) {
    return noHost;
  }
  if (authority.includes("@") && userInformation === "refused") {
    return {
      problem: "contains user information",
      hint: "Remove everything between // and @; credentials have settings of their own",
    };
  }
  const path = segments.join("/");
  // In http://user:1/2@host the URL's host is "user", and the rest of the password is a path.
  if (path.includes("@") && (userInformation === "allowed" || /:\w*$/.test(authority))) {
    return {
      problem: "has an @ behind a /, so the text before that / is read as the host",
      hint: "In a user or password write / as %2F; in a path write @ as %40",
    };
  }
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    return { problem: "contains . or .. as a path segment", hint: "Write the path without them" };
  }
  try {
    return new URL(text);
  } catch {
    return noHost;
  }
}

/**
 * The endpoint of a base URL: its origin and path kept, `/test-authentication` appended once (specification, section 4).
 */
export function endpointOf(baseUrl: string): Endpoint | Invalid {
  const url = parseHttpUrl(baseUrl);
  if ("problem" in url) return url;
  // The lookbehind keeps it linear: without, each slash of a long row would be tried as its first.
  const base = url.pathname.replace(/(?<!\/)\/+$/, "");
  const suffixGiven = base.endsWith(endpointPath);
  url.pathname = suffixGiven ? base : base + endpointPath;
  const host = url.hostname.replace(/[[\]]/g, "");
  const loopback = host === "localhost" || isLoopbackAddress(host);
  return { url, secure: url.protocol === "https:", loopback, suffixGiven };
}
