import { adviceOf, cutByComment, hiddenByEnvironment, setByFoundFile } from "../../settings/advice.ts";
import type { Settings } from "../../settings/resolve.ts";
import type { SettingName } from "../../settings/table.ts";
import type { Hints } from "../causes/evidence.ts";
import type { Method } from "../outcome.ts";

/** The settings that people copy from elsewhere. */
const copied = {
  token: ["token"],
  wsse: ["username", "secret"],
} as const satisfies Record<Method, readonly SettingName[]>;

/** The settings that can make a good credential fail. */
const conventions = {
  token: [],
  wsse: ["digest", "hash", "authorization"],
} as const satisfies Record<Method, readonly SettingName[]>;

/**
 * The facts about an account's settings that explain a failure. They are looked up when a failed check asks for them.
 * `isYours` says whether a part of the credential is yours.
 */
export function hintsOf(settings: Settings, method: Method, isYours: boolean): Hints {
  return {
    ...adviceOf(settings),
    suffixGiven: settings.get("baseUrl").setting?.value.suffixGiven ?? false,
    get hidden() {
      return hiddenByEnvironment(settings, ["baseUrl", ...copied[method], ...conventions[method]]);
    },
    get cutByComment() {
      return cutByComment(settings, copied[method]);
    },
    get setByFoundFile() {
      return isYours ? setByFoundFile(settings, conventions[method]) : [];
    },
    get otherHosts() {
      return settings.scope.knownHosts();
    },
  };
}
