import { InputError, orInputError } from "../errors.ts";
import { usernameProblem } from "../wsse/header.ts";
import { type Endpoint, endpointAt } from "./base-url.ts";
import type { Level } from "./levels.ts";
import { proxySetting } from "./proxy.ts";
import { type SettingName, settings } from "./table.ts";
import {
  choiceSetting,
  invalid,
  numberSetting,
  type Setting,
  textSetting,
  winnerOf,
  writtenSetting,
} from "./values.ts";

/** Gives what counts for one setting, or null where nothing does; reads no file. Throws InputError where it cannot be used. */
type Reader = (layers: readonly Level[]) => Setting<unknown> | null;

/** The endpoint that the base URL leads to. */
function baseUrl(layers: readonly Level[]): Setting<Endpoint> | null {
  const given = winnerOf(layers, "baseUrl");
  if (given === null) return null;
  const endpoint = endpointAt(given);
  if ("problem" in endpoint) throw invalid(given, endpoint.problem, endpoint.hint);
  return { value: endpoint, shown: given.text, source: given.source };
}

function proxy(layers: readonly Level[]): Setting<URL> | null {
  const endpoint = orInputError(() => baseUrl(layers)?.value ?? null);
  return proxySetting(layers, endpoint instanceof InputError ? null : endpoint);
}

/** How each setting becomes the value that counts. All that the program knows of a setting's value comes from here. */
export const readers = {
  baseUrl,
  token: (layers) => writtenSetting(layers, "token"),
  tokenFile: (layers) => writtenSetting(layers, "tokenFile"),
  tokenCommand: (layers) => writtenSetting(layers, "tokenCommand"),
  username: (layers) =>
    textSetting(layers, "username", {
      problemOf: usernameProblem,
      hint: "Write it exactly as the account shows it",
    }),
  secret: (layers) => writtenSetting(layers, "secret"),
  secretFile: (layers) => writtenSetting(layers, "secretFile"),
  secretCommand: (layers) => writtenSetting(layers, "secretCommand"),
  digest: (layers) => choiceSetting(layers, "digest", settings.digest.choices),
  hash: (layers) => choiceSetting(layers, "hash", settings.hash.choices),
  authorization: (layers) => choiceSetting(layers, "authorization", settings.authorization.choices),
  timeout: (layers) => numberSetting(layers, "timeout"),
  retry: (layers) => numberSetting(layers, "retry"),
  concurrency: (layers) => numberSetting(layers, "concurrency"),
  proxy,
  caCert: (layers) => writtenSetting(layers, "caCert"),
} as const satisfies Record<SettingName, Reader>;
