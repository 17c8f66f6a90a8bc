import { BlockList } from "node:net";
import { orNull } from "../errors.ts";
import { canonicalHost, parseHttpUrl } from "./base-url.ts";
import { faulty, type Invalid } from "./definition.ts";

/** Parses the URL of a proxy like curl: `http://` may be left out, and a user and password may come before the host. */
export function parseProxy(text: string): URL | Invalid {
  if (/^socks\w*:\/\//i.test(text))
    return faulty(
      "names a SOCKS proxy, and only HTTP proxies are supported",
      "Give an HTTP proxy, like http://HOST:PORT",
    );
  const url = parseHttpUrl(text.includes("://") ? text : `http://${text}`, "allowed");
  if ("problem" in url) return url;
  const [user, password] = [url.username, url.password].map((part) => orNull(() => decodeURIComponent(part)));
  if (user === null || password === null)
    return faulty(
      "has a user or password that is not UTF-8 after percent-decoding",
      "Percent-encode the bytes of its UTF-8 form",
    );
  // Basic authentication sends "user:password" and cannot carry these (RFC 7617, section 2).
  return user?.includes(":") || /\p{Cc}/u.test(`${user}${password}`)
    ? faulty(
        "has a colon in its user, or a control character in its user or password",
        "Use a user and a password without them",
      )
    : url;
}

const withoutDot = (host: string): string => host.replace(/\.$/, "");

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

/**
 * Whether an entry of NO_PROXY names a URL: `*`, a host or a domain with its subdomains, an address or a network, and an
 * optional port. curl takes the same, except `*.` at the beginning and the port.
 */
function matcherOf(entry: string): (url: URL) => boolean {
  if (entry === "*") return () => true;
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
  return ({ hostname, port, protocol }) => {
    const isPort = (port || (protocol === "https:" ? "443" : "80")) === wantedPort;
    return (wantedPort === undefined || isPort) && isWanted(withoutDot(hostname));
  };
}

/** Parses a NO_PROXY list and returns a function that says whether it names a URL. */
export function noProxy(list: string | undefined): (url: URL) => boolean {
  const matchers = list?.split(/[\s,]/).map(matcherOf) ?? [];
  return (url) => matchers.some((matches) => matches(url));
}
