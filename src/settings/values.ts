import { Mistake } from "../mistake.ts";
import { didYouMean } from "../nearest.ts";
import { type Endpoint, endpointOf, parseHttpUrl } from "./base-url.ts";
import { type Given, givenFor, type Layer } from "./layers.ts";
import { describeSource, type Source } from "./source.ts";
import { definitionOf, type SettingName } from "./table.ts";

/** A value that has been understood, and where it was set. */
export interface Setting<Value> {
  readonly value: Value;
  readonly source: Source;
}

// A flag's number or choice is read by the command line's own rules; everything else is about the setting.
function invalid({ setting, source }: Given, problem: string, hint: string): Mistake {
  const { kind } = definitionOf(setting);
  const usage = source.kind === "flag" && (kind === "number" || kind === "choice");
  return new Mistake(usage ? "usage" : "settings", `${describeSource(source)} ${problem}`, hint);
}

function winnerOf(layers: readonly Layer[], name: SettingName): Given | null {
  const { fallback } = definitionOf(name);
  const standard: Given | null =
    fallback === undefined ? null : { setting: name, text: fallback, source: { kind: "default" } };
  return givenFor(layers, [name])[0] ?? standard;
}

/** A setting that is a number. Throws Mistake where what is set is none, or out of bounds. */
export function numberSetting(layers: readonly Layer[], name: SettingName): Setting<number> {
  const given = winnerOf(layers, name) as Given;
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, fraction = false } = definitionOf(name);
  const wellFormed = (fraction ? /^\d{1,9}(?:\.\d{1,9})?$/ : /^\d{1,9}$/).test(given.text);
  const value = Number(given.text);
  if (!wellFormed || value < minimum || value > maximum) {
    const what = fraction ? "a number" : "a whole number";
    throw invalid(
      given,
      `is not ${what} from ${minimum} to ${maximum}`,
      `Write ${what} like ${Math.max(minimum, 5)}`,
    );
  }
  return { value, source: given.source };
}

/** A setting with a fixed list of values. Throws Mistake for any other. */
export function choiceSetting<Choice extends string>(
  layers: readonly Layer[],
  name: SettingName,
  choices: readonly Choice[],
): Setting<Choice> {
  const given = winnerOf(layers, name) as Given;
  const value = choices.find((choice) => choice === given.text);
  if (value === undefined) {
    throw invalid(
      given,
      `is not one of ${choices.join(", ")}`,
      didYouMean(given.text, choices) || "Write one of them",
    );
  }
  return { value, source: given.source };
}

/** The endpoint of the base URL; null where none is set. Throws Mistake where what is set cannot be used. */
export function baseUrlSetting(layers: readonly Layer[]): Setting<Endpoint> | null {
  const given = winnerOf(layers, "baseUrl");
  if (given === null) return null;
  const endpoint = endpointOf(given.text);
  if ("problem" in endpoint) throw invalid(given, endpoint.problem, endpoint.hint);
  return { value: endpoint, source: given.source };
}

/** The path of a file as it was written; null where none is set. */
export function pathSetting(layers: readonly Layer[], name: "caCert"): Given | null {
  return winnerOf(layers, name);
}

/**
 * The proxy of a request to this endpoint; null for none. A flag or the rc file decides; else the environment's
 * variables for the scheme do, unless NO_PROXY names the host or the host is loopback. Throws Mistake.
 */
export function proxySetting(
  layers: readonly Layer[],
  endpoint: Endpoint,
  environment: Readonly<Record<string, string | undefined>>,
): Setting<URL> | null {
  const given = givenFor(layers, ["proxy"]);
  const fromFlag = given.find(({ source }) => source.kind === "flag");
  const chosen = fromFlag ?? proxyOfEnvironment(endpoint, environment) ?? given[0];
  if (chosen === undefined) return null;
  const url = parseHttpUrl(chosen.text.includes("://") ? chosen.text : `http://${chosen.text}`, "allowed");
  if ("problem" in url) throw invalid(chosen, url.problem, url.hint);
  if (!endpoint.secure) {
    throw new Mistake(
      "settings",
      `${describeSource(chosen.source)} sets a proxy, and a proxy could read a request to an http:// base URL`,
      "Use an https:// base URL, or remove the proxy",
    );
  }
  return { value: url, source: chosen.source };
}

function proxyOfEnvironment(
  { url, secure, loopback }: Endpoint,
  environment: Readonly<Record<string, string | undefined>>,
): Given | undefined {
  const names = secure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const variable = names.find((name) => environment[name]);
  const text = variable === undefined ? undefined : environment[variable];
  if (
    !variable ||
    !text ||
    loopback ||
    bypassesProxy(url, environment.no_proxy || environment.NO_PROXY || "")
  )
    return undefined;
  return { setting: "proxy", text, source: { kind: "environment", variable } };
}

/** Whether a NO_PROXY list names the URL: `*`, a host, a domain with all below it, each with an optional port, as curl reads it. */
function bypassesProxy(url: URL, list: string): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [, name = "", wantedPort] =
      /^\.?(.+?)(?::(\d+))?$/.exec(entry.replace(/^\*\./, "").toLowerCase()) ?? [];
    if (name === "" || (wantedPort !== undefined && wantedPort !== port)) return false;
    return url.hostname === name || url.hostname === `[${name}]` || url.hostname.endsWith(`.${name}`);
  });
}
