import { type Endpoint, endpointIn, parseHttpUrl, type UrlProblem } from "./base-url.ts";
import { type Environment, type Level, type SettingText, variableFor, winnerOf } from "./levels.ts";
import { invalid, type Setting } from "./values.ts";

/** Parses the URL of a proxy like curl: `http://` may be left out, and a user and password may come before the host. */
export function parseProxy(text: string): URL | UrlProblem {
  const url = parseHttpUrl(text.includes("://") ? text : `http://${text}`, "allowed");
  if ("problem" in url) return url;
  let user: string;
  let password: string;
  try {
    user = decodeURIComponent(url.username);
    password = decodeURIComponent(url.password);
  } catch {
    return {
      problem: "has a user or password that is not UTF-8 after percent-decoding",
      hint: "Percent-encode the bytes of its UTF-8 form",
    };
  }
  // Basic authentication sends "user:password" and cannot carry these (RFC 7617, section 2).
  if (user.includes(":") || /\p{Cc}/u.test(user + password)) {
    return {
      problem: "has a colon in its user, or a control character in its user or password",
      hint: "Use a user and a password without them",
    };
  }
  return url;
}

/** The proxy of a request to the base URL; null for none. Throws InputError. */
export function proxySetting(levels: readonly Level[]): Setting<URL> | null {
  const chosen = winnerOf(levels, "proxy");
  if (chosen === null) return null;
  const url = parseProxy(chosen.text);
  if ("problem" in url) throw invalid(chosen, url.problem, url.hint);
  if (endpointIn(levels)?.secure === false) {
    throw invalid(
      chosen,
      "is set, and a proxy could read a request to an http:// base URL",
      "Use an https:// base URL, or remove the proxy",
    );
  }
  return { value: url, source: chosen.source };
}

/**
 * The proxy that the environment sets for the endpoint's scheme; null if it sets none, NO_PROXY names the host, or the host
 * is loopback.
 */
export function environmentProxy(
  { url, secure, loopback }: Endpoint,
  environment: Environment,
): SettingText | null {
  if (loopback) return null;
  const names = secure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const given = variableFor("proxy", names, environment);
  return bypassesProxy(url, environment.no_proxy || environment.NO_PROXY) ? null : given;
}

/** Whether a NO_PROXY list names the URL, as in curl: `*`, a host, or a domain with its subdomains, and an optional port. */
function bypassesProxy(url: URL, list: string | undefined): boolean {
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
