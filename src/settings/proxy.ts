import { parseHttpUrl } from "./base-url.ts";
import type { Invalid } from "./definition.ts";

/** Parses the URL of a proxy like curl: `http://` may be left out, and a user and password may come before the host. */
export function parseProxy(text: string): URL | Invalid {
  if (/^socks\w*:\/\//i.test(text)) {
    return {
      problem: "names a SOCKS proxy, and only HTTP proxies are supported",
      hint: "Give an HTTP proxy, like http://HOST:PORT",
    };
  }
  const url = parseHttpUrl(text.includes("://") ? text : `http://${text}`, "allowed");
  if ("problem" in url) return url;
  try {
    const user = decodeURIComponent(url.username);
    const password = decodeURIComponent(url.password);
    // Basic authentication sends "user:password" and cannot carry these (RFC 7617, section 2).
    if (!user.includes(":") && !/\p{Cc}/u.test(user + password)) return url;
  } catch {
    return {
      problem: "has a user or password that is not UTF-8 after percent-decoding",
      hint: "Percent-encode the bytes of its UTF-8 form",
    };
  }
  return {
    problem: "has a colon in its user, or a control character in its user or password",
    hint: "Use a user and a password without them",
  };
}

/** Whether an entry of NO_PROXY names a URL, as in curl: `*`, a host, or a domain with its subdomains, and an optional port. */
function matcherOf(entry: string): (url: URL) => boolean {
  if (entry === "*") return () => true;
  // Without brackets, the last group of an IPv6 address looks like a port.
  const bracketed = `http://[${entry}]`;
  if (URL.canParse(bracketed)) {
    const address = new URL(bracketed).hostname;
    return ({ hostname }) => hostname === address;
  }
  const match = /^(?:\*\.|\.)?(.+?)(?::(\d+))?$/.exec(entry.toLowerCase());
  if (match === null) return () => false;
  const [, name, wantedPort] = match;
  return ({ hostname, port, protocol }) => {
    const isPort = (port || (protocol === "https:" ? "443" : "80")) === wantedPort;
    return (wantedPort === undefined || isPort) && (hostname === name || hostname.endsWith(`.${name}`));
  };
}

/** Parses a NO_PROXY list and returns a function that says whether it names a URL. */
export function noProxy(list: string | undefined): (url: URL) => boolean {
  const matchers = list?.split(/[\s,]/).map(matcherOf) ?? [];
  return (url) => matchers.some((matches) => matches(url));
}
