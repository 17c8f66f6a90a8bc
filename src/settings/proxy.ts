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

/** Whether a NO_PROXY list names the URL, as in curl: `*`, a host, or a domain with its subdomains, and an optional port. */
export function bypassesProxy(url: URL, list: string | undefined): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const names = (entry: string): boolean => {
    if (entry === "*") return true;
    // Without brackets, the last group of an IPv6 address looks like a port.
    const bracketed = `http://[${entry}]`;
    if (URL.canParse(bracketed)) return url.hostname === new URL(bracketed).hostname;
    const match = /^(?:\*\.|\.)?(.+?)(?::(\d+))?$/.exec(entry.toLowerCase());
    if (match === null) return false;
    const [, name, wantedPort] = match;
    if (wantedPort !== undefined && wantedPort !== port) return false;
    return url.hostname === name || url.hostname.endsWith(`.${name}`);
  };
  return list?.split(/[\s,]/).some(names) ?? false;
}
