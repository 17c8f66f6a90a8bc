import { InputError } from "../errors.ts";
import { usernameProblem } from "../wsse/header.ts";
import { type Endpoint, endpointAt } from "./base-url.ts";
import { type Level, type SettingText, winnerOf } from "./levels.ts";
import { proxySetting } from "./proxy.ts";
import { describePart, type Source } from "./source.ts";
import { type SettingName, settings } from "./table.ts";
import { choiceSetting, invalid, numberSetting, type Setting } from "./values.ts";

/**
 * Gives one setting, or null if it has no value. Paths, commands and secrets are given as they were written: files are read and
 * commands run only when needed. Throws InputError for an invalid value.
 */
type Reader = (levels: readonly Level[]) => { readonly source: Source } | null;

/** The endpoint of the base URL. */
function baseUrl(levels: readonly Level[]): Setting<Endpoint> | null {
  const given = winnerOf(levels, "baseUrl");
  if (given === null) return null;
  const endpoint = endpointAt(given);
  if ("problem" in endpoint) throw invalid(given, endpoint.problem, endpoint.hint);
  return { value: endpoint, source: given.source };
}

function username(levels: readonly Level[]): SettingText | null {
  const given = winnerOf(levels, "username");
  const problem = given && usernameProblem(given.text);
  if (given === null || problem === null) return given;
  throw new InputError(
    "settings",
    `The ${describePart("username", given.source)} ${problem}`,
    "Write it exactly as the account shows it",
  );
}

/** The reader of each setting. Nothing else in the program parses the value of a setting. */
export const readers = {
  baseUrl,
  token: (levels) => winnerOf(levels, "token"),
  tokenFile: (levels) => winnerOf(levels, "tokenFile"),
  tokenCommand: (levels) => winnerOf(levels, "tokenCommand"),
  username,
  secret: (levels) => winnerOf(levels, "secret"),
  secretFile: (levels) => winnerOf(levels, "secretFile"),
  secretCommand: (levels) => winnerOf(levels, "secretCommand"),
  digest: (levels) => choiceSetting(levels, "digest", settings.digest.choices),
  hash: (levels) => choiceSetting(levels, "hash", settings.hash.choices),
  authorization: (levels) => choiceSetting(levels, "authorization", settings.authorization.choices),
  timeout: (levels) => numberSetting(levels, "timeout"),
  retry: (levels) => numberSetting(levels, "retry"),
  concurrency: (levels) => numberSetting(levels, "concurrency"),
  proxy: proxySetting,
  caCert: (levels) => winnerOf(levels, "caCert"),
} as const satisfies Record<SettingName, Reader>;
