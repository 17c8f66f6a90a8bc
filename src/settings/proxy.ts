import { Mistake } from "../mistake.ts";
import { type Endpoint, parseHttpUrl } from "./base-url.ts";
import { type Environment, type Given, givenFor, type Layer } from "./layers.ts";
import { masked } from "./secret.ts";
import { describeSource } from "./source.ts";
import { invalid, type Setting } from "./values.ts";

/**
 * The proxy of a request to this endpoint; null for none. A flag or the rc file decides; else the environment's
 * variables for the scheme do, unless NO_PROXY names the host or the host is loopback. Without an endpoint there is no
 * scheme, and the environment says nothing. Throws Mistake.
 */
export function proxySetting(
  layers: readonly Layer[],
  endpoint: Endpoint | null,
  environment: Environment,
): Setting<URL> | null {
  const given = givenFor(layers, "proxy");
  const fromFlag = given.find(({ source }) => source.kind === "flag");
  const chosen = fromFlag ?? (endpoint && proxyOfEnvironment(endpoint, environment)) ?? given[0];
  if (chosen === undefined) return null;
  const url = parseHttpUrl(chosen.text.includes("://") ? chosen.text : `http://${chosen.text}`, "allowed");
  if ("problem" in url) throw invalid(chosen, url.problem, url.hint);
  if (endpoint?.secure === false) {
    throw new Mistake(
      "settings",
      `${describeSource(chosen.source)} sets a proxy, and a proxy could read a request to an http:// base URL`,
      "Use an https:// base URL, or remove the proxy",
    );
  }
  return { value: url, shown: withoutPassword(url), source: chosen.source };
}

function withoutPassword(url: URL): string {
  if (url.username === "" && url.password === "") return url.href;
  return `${url.protocol}//${masked}@${url.host}${url.pathname}`;
}

function proxyOfEnvironment({ url, secure, loopback }: Endpoint, environment: Environment): Given | null {
  const names = secure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const [first] = names.flatMap((variable) => {
    const text = environment[variable];
    return text ? [{ variable, text }] : [];
  });
  if (first === undefined || loopback) return null;
  if (bypassesProxy(url, environment.no_proxy || environment.NO_PROXY)) return null;
  const { variable, text } = first;
  return { setting: "proxy", text, source: { kind: "environment", variable } };
}

/** Whether a NO_PROXY list names the URL: `*`, a host, a domain with all below it, each with an optional port, as curl reads it. */
function bypassesProxy(url: URL, list: string | undefined): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const names = (entry: string): boolean => {
    if (entry === "*") return true;
    const match = /^(?:\*\.|\.)?(.+?)(?::(\d+))?$/.exec(entry.toLowerCase());
    if (match === null) return false;
    const [, name, wantedPort] = match;
    if (wantedPort !== undefined && wantedPort !== port) return false;
    return url.hostname === name || url.hostname === `[${name}]` || url.hostname.endsWith(`.${name}`);
  };
  return list?.split(/[\s,]/).some(names) ?? false;
}
