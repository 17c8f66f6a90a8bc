import type { Context } from "../context.ts";
import { Mistake } from "../mistake.ts";
import { conventionNames, hashNames } from "../wsse/digest.ts";
import { looksLikeSecret, usernameSetting } from "./credentials.ts";
import { type Given, givenFor, type Layer } from "./layers.ts";
import type { Source } from "./source.ts";
import { alternatives, definitionOf, type SettingName, settingNames } from "./table.ts";
import { explainRefusal, type Route, travelRefusal } from "./trust.ts";
import { baseUrlSetting, choiceSetting, numberSetting, proxySetting } from "./values.ts";

/** One setting as `config` shows it. `value` is null where nothing is set, and never a secret. */
interface SettingRow {
  readonly name: SettingName;
  readonly value: string | null;
  readonly source: Source | null;
  readonly hides: readonly Source[];
  readonly problem: string | null;
}

/** Whether one part of a credential may travel to the base URL; `reason` says why not. */
interface TravelRow {
  readonly name: SettingName;
  readonly source: Source;
  readonly mayTravel: boolean;
  readonly reason: string | null;
}

/** All that `config` shows: every setting, and every part of a credential with whether it may travel. */
export interface Overview {
  readonly settings: readonly SettingRow[];
  readonly credentials: readonly TravelRow[];
}

const masked = "[secret]";

/** What a Mistake says, where the action throws one; null where all is well. */
function problemOf(action: () => unknown): string | null {
  try {
    action();
    return null;
  } catch (error) {
    if (error instanceof Mistake) return error.message;
    throw error;
  }
}

function check(name: SettingName, layers: readonly Layer[], context: Context): string | null {
  switch (name) {
    case "baseUrl":
      return problemOf(() => baseUrlSetting(layers));
    case "username":
      return problemOf(() => usernameSetting(layers));
    case "digest":
      return problemOf(() => choiceSetting(layers, "digest", conventionNames));
    case "hash":
      return problemOf(() => choiceSetting(layers, "hash", hashNames));
    case "timeout":
    case "retry":
    case "concurrency":
      return problemOf(() => numberSetting(layers, name));
    case "proxy":
      return problemOf(() => proxyOf(layers, context));
    case "token":
    case "tokenFile":
    case "secret":
    case "secretFile":
    case "caCert":
      return null;
  }
}

// A base URL that is not set or not valid has no scheme to choose a proxy by; its own row says so.
function proxyOf(layers: readonly Layer[], context: Context): Given | null {
  if (problemOf(() => baseUrlSetting(layers)) !== null) return null;
  const baseUrl = baseUrlSetting(layers);
  if (baseUrl === null) return givenFor(layers, ["proxy"])[0] ?? null;
  const proxy = proxySetting(layers, baseUrl.value, context.environment);
  return proxy === null
    ? null
    : { setting: "proxy", text: withoutPassword(proxy.value), source: proxy.source };
}

function withoutPassword(url: URL): string {
  if (url.username === "" && url.password === "") return url.href;
  return `${url.protocol}//${masked}@${url.host}${url.pathname}`;
}

function rowOf(name: SettingName, layers: readonly Layer[], context: Context): SettingRow {
  const { fallback } = definitionOf(name);
  const pair = alternatives.find((names) => names.includes(name)) ?? [name];
  const all = givenFor(layers, pair);
  const problem = check(name, layers, context);
  // A token hides a token file of a lower level, and the other way round.
  const winner = name === "proxy" && problem === null ? (proxyOf(layers, context) ?? undefined) : all[0];
  if (winner?.setting !== name) {
    const standard = pair.length === 1 && fallback !== undefined;
    return {
      name,
      value: standard ? fallback : null,
      source: standard ? { kind: "default" } : null,
      hides: [],
      problem,
    };
  }
  const hides = all
    .filter(({ source }) => source !== winner.source && all.indexOf(winner) >= 0)
    .map(({ source }) => source);
  return { name, value: shownValue(winner, problem), source: winner.source, hides, problem };
}

// An invalid URL may hold a password, and any other invalid value or lone word may be a secret in the wrong place.
function shownValue({ setting, text }: Given, problem: string | null): string {
  if (problem !== null) return "[invalid]";
  const { kind } = definitionOf(setting);
  return kind === "secret" || (kind === "path" && looksLikeSecret(text)) ? masked : text;
}

/** Every setting of one profile with its source, and where each credential may go. No file is read and nothing is sent. */
export function overviewOf(layers: readonly Layer[], context: Context): Overview {
  const settings = settingNames.map((name) => rowOf(name, layers, context));
  const sourceOf = (name: SettingName): Source | null =>
    settings.find((row) => row.name === name)?.source ?? null;
  const baseUrl = sourceOf("baseUrl");
  const parts = (["token", "tokenFile", "username", "secret", "secretFile"] as const).flatMap((name) => {
    const source = sourceOf(name);
    return source === null ? [] : [{ name, source }];
  });
  const route: Route | null = baseUrl && { baseUrl, proxy: sourceOf("proxy"), caCert: sourceOf("caCert") };
  const credentials = parts.map(({ name, source }): TravelRow => {
    if (route === null) return { name, source, mayTravel: false, reason: "No base URL is set" };
    const refusal = travelRefusal(source, route);
    return {
      name,
      source,
      mayTravel: refusal === null,
      reason: refusal && explainRefusal(source, refusal).message,
    };
  });
  return { settings, credentials };
}
