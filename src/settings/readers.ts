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

/** Gives the value of one setting, or null if it has none. Reads no file. Throws InputError for an invalid value. */
type Reader = (levels: readonly Level[]) => Setting<unknown> | null;

/** The endpoint of the base URL. */
function baseUrl(levels: readonly Level[]): Setting<Endpoint> | null {
  const given = winnerOf(levels, "baseUrl");
  if (given === null) return null;
  const endpoint = endpointAt(given);
  if ("problem" in endpoint) throw invalid(given, endpoint.problem, endpoint.hint);
  return { value: endpoint, shown: given.text, source: given.source };
}

function proxy(levels: readonly Level[]): Setting<URL> | null {
  const endpoint = orInputError(() => baseUrl(levels)?.value ?? null);
  return proxySetting(levels, endpoint instanceof InputError ? null : endpoint);
}

/** The reader of each setting. Nothing else in the program parses the value of a setting. */
export const readers = {
  baseUrl,
  token: (levels) => writtenSetting(levels, "token"),
  tokenFile: (levels) => writtenSetting(levels, "tokenFile"),
  tokenCommand: (levels) => writtenSetting(levels, "tokenCommand"),
  username: (levels) =>
    textSetting(levels, "username", {
      problemOf: usernameProblem,
      hint: "Write it exactly as the account shows it",
    }),
  secret: (levels) => writtenSetting(levels, "secret"),
  secretFile: (levels) => writtenSetting(levels, "secretFile"),
  secretCommand: (levels) => writtenSetting(levels, "secretCommand"),
  digest: (levels) => choiceSetting(levels, "digest", settings.digest.choices),
  hash: (levels) => choiceSetting(levels, "hash", settings.hash.choices),
  authorization: (levels) => choiceSetting(levels, "authorization", settings.authorization.choices),
  timeout: (levels) => numberSetting(levels, "timeout"),
  retry: (levels) => numberSetting(levels, "retry"),
  concurrency: (levels) => numberSetting(levels, "concurrency"),
  proxy,
  caCert: (levels) => writtenSetting(levels, "caCert"),
} as const satisfies Record<SettingName, Reader>;
