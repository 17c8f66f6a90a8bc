// Parses base URLs, proxies and NO_PROXY. A text is checked before it is parsed, since `URL` mends what may be an attack.

import { BlockList } from "node:net";
import { orNull } from "../errors.ts";
import { faulty, Invalid } from "../options/readers.ts";
import { hostAndPort, isLoopbackAddress } from "../system/addresses.ts";
import { unseenIn } from "../wsse/characters.ts";
import { isPlaceholder, isPlaceholderInUrl } from "../wsse/placeholders.ts";

/** A valid base URL, and facts about it for findings. */
export interface BaseUrl {
  /** Without `/test-authentication`, and without a slash at the end of a path. */
  readonly url: URL;
  readonly secure: boolean;
  /** An address of 127.0.0.0/8, ::1, or the name `localhost`, for which http/connect.ts checks the addresses. */
  readonly loopback: boolean;
}

/** The path of the API's check below its base URL (specification, section 4). */
export const endpointPath = "/test-authentication";

// RFC 3986, appendix A: unreserved, percent-encoded, sub-delims and the delimiters of authority and path.
const urlCharacters = /^(?:[A-Za-z0-9\-._~:/[\]@!$&'()*+,;=?#]|%[0-9A-Fa-f]{2})*$/;

const unfilled = faulty(
  "holds a placeholder that nothing filled in",
  "Write the value itself: a shell expands nothing in single quotes, and an rc file nothing at all",
);
const noHost = faulty("has no valid host or port", "Write host and port like api.example.com:8443");

/** A host as `URL` writes it: lower case, xn--, an address in its usual form; null if it is none. */
export function canonicalHost(host: string): string | null {
  return /[/\\?#@]/.test(host) ? null : orNull(() => new URL(`http://${host}`).hostname);
}

// Such a URL has none of the faults below. Not compiling their patterns saves 0.8 ms of a start.
const plainUrl =
  /^https?:\/\/(?!(?:https?|wss?|socks\w*)(?:[:/]|$))[a-z\d]+(?:[-.][a-z\d]+)*(?::[1-9]\d{0,4})?(?:\/[a-z\d]+(?:[-_][a-z\d]+)*)*\/?$/;

/**
 * Parses the URL of a setting: absolute, http or https, without query and fragment; a proxy's may hold a user and password. It checks the
 * text first, since the WHATWG parser drops tabs and line ends and turns `\` into `/`.
 */
function parseHttpUrl(text: string, userInformation: "refused" | "allowed" = "refused"): URL | Invalid {
  if (plainUrl.test(text)) return orNull(() => new URL(text)) ?? noHost;
  const isProxy = userInformation === "allowed";
  // A user and a password may hold anything.
  const [host = ""] = text.replace(/^(?:.*@|\w+:\/\/)/s, "").split("/", 1);
  if (isPlaceholderInUrl(isProxy ? host : text.replace(/^(?:\w+:\/\/)?[^/?#]*@/, ""))) return unfilled;
  if (text.includes("\\"))
    return faulty("contains a backslash", "Write / for it; in the user or password of a proxy, write %5C");
  if (!/^https?:\/\/(?!(?:https?|wss?|socks\w*):?(?:\/|$))/i.test(text))
    return faulty(
      "does not begin with https:// or http://, or has it twice",
      `Write it in full and without quotation marks, like ${isProxy ? "http://proxy.example.com:3128; only HTTP proxies can be used" : "https://api.example.com/v1"}`,
    );
  if (/[,;|\s]https?:\/\//i.test(text))
    return faulty("holds two URLs", "Give one; for several, use profiles with --all, or --accounts");
  if (!urlCharacters.test(text))
    return faulty(
      "contains white space, a bare % or a character that a URL cannot contain",
      "Remove it, or percent-encode it; write an international host name in its form with xn--",
    );
  if (/[?#]/.test(text))
    return faulty(
      "contains ? or #",
      "Remove the query and the fragment; in a password write ? as %3F and # as %23",
    );
  const [, , authority = "", ...segments] = text.split("/");
  // `URL` would take `https:///a` for the host `a`, accept port 0, and keep empty labels.
  const place = authority.slice(authority.lastIndexOf("@") + 1);
  if (place === "" || /:0+$/.test(place) || place.startsWith(".") || place.includes("..")) return noHost;
  if (authority.includes("@") && !isProxy)
    return faulty(
      "contains user information",
      "Remove everything between // and @; credentials have settings of their own",
    );
  const path = segments.join("/");
  // In http://user:1/2@host the URL's host is "user", and the rest of the password is a path.
  if (path.includes("@") && (isProxy || /:\w*$/.test(authority)))
    return faulty(
      "has an @ behind a /, so the text before that / is read as the host",
      "In a user or password write / as %2F; in a path write @ as %40",
    );
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    return faulty("contains . or .. as a path segment", "Write the path without them");
  return orNull(() => new URL(text)) ?? noHost;
}

/** A path without the slashes at its end. Without the lookbehind, each slash of a long row would be tried as the first. */
export const withoutEndSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, "");

/** Parses a base URL. Its origin and path are kept; `/test-authentication` and slashes at its end are left out. */
export function parseBaseUrl(text: string): BaseUrl | Invalid {
  const url = parseHttpUrl(text);
  if (url instanceof Invalid) return url;
  const path = withoutEndSlashes(url.pathname);
  url.pathname = path.endsWith(endpointPath) ? withoutEndSlashes(path.slice(0, -endpointPath.length)) : path;
  const { host } = hostAndPort(url);
  const loopback = host === "localhost" || isLoopbackAddress(host);
  return { url, secure: url.protocol === "https:", loopback };
}

/** Parses the URL of a proxy as curl does: `http://` may be left out, and `%NAME%` in user or password is text as it stands. */
export function parseProxy(written: string): URL | Invalid {
  const text = written.replace(/^.*@/s, (before) =>
    before.replace(/%(?![0-9a-f]{2})(\w+)%(?![0-9a-f]{2})/gi, "%25$1%25"),
  );
  const [, userInformation = ""] = /^(?:\w+:\/\/)?(.*)@/s.exec(text) ?? [];
  if (userInformation.split(":").some(isPlaceholder)) return unfilled;
  const url = parseHttpUrl(text.includes("://") ? text : `http://${text}`, "allowed");
  if (url instanceof Invalid) return url;
  const [user, password] = [url.username, url.password].map((part) => orNull(() => decodeURIComponent(part)));
  // Basic authentication sends "user:password" in UTF-8 and cannot carry these (RFC 7617, section 2).
  return user === null || password === null || user?.includes(":") || /\p{Cc}/u.test(`${user}${password}`)
    ? faulty(
        "has a colon in its user, or in its user or password a control character or what is not UTF-8",
        "Use a user and a password without them",
      )
    : url;
}

/** A host without the dot at the end of a name that is complete. */
export const withoutDot = (host: string): string => host.replace(/\.$/, "");

/** Returns a function that says whether a host is in this network, of IPv4 or IPv6. */
function networkOf(address: string, prefix: number): (host: string) => boolean {
  const family = (host: string) => (host.startsWith("[") ? "ipv6" : "ipv4");
  const bare = (host: string) => host.replace(/[[\]]/g, "");
  const network = new BlockList();
  try {
    network.addSubnet(bare(address), prefix, family(address));
  } catch {
    // It is no address, or the prefix is too long: the entry names nothing, as in curl.
  }
  return (host) => network.check(bare(host), family(host));
}

/** Returns a function that says whether this entry of NO_PROXY names a URL. curl reads no `*.` and no port. */
function matcherOf(entry: string): (url: URL) => boolean {
  if (entry === "*") return () => true;
  // `URL` leaves invisible characters out, and other clients do not.
  if (unseenIn(entry) !== null) return () => false;
  // Without brackets, the last group of an IPv6 address looks like a port.
  const parts = URL.canParse(`http://[${entry}]`)
    ? [entry, entry]
    : /^(?:\*\.|\.)?\[?(.+?)\]?(?:\/(\d+)\]?)?(?::(\d+))?$/.exec(entry);
  const [, name = "", prefix, wantedPort] = parts ?? [];
  const host = canonicalHost(name.includes(":") ? `[${name}]` : name);
  if (host === null) return () => false;
  const wanted = withoutDot(host);
  const isWanted =
    prefix === undefined
      ? (given: string) => given === wanted || given.endsWith(`.${wanted}`)
      : networkOf(wanted, Number(prefix));
  return (url) => {
    const isPort = wantedPort === undefined || String(hostAndPort(url).port) === wantedPort;
    return isPort && isWanted(withoutDot(url.hostname));
  };
}

/** Parses a NO_PROXY list and returns a function that says whether it names a URL. */
export function noProxy(list: string | undefined): (url: URL) => boolean {
  const matchers = list?.split(/[\s,]/).map(matcherOf) ?? [];
  return (url) => matchers.some((matches) => matches(url));
}
