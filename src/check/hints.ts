import { cutByComment, hiddenByEnvironment, SettingsAdvice, setByFoundFile } from "../settings/advice.ts";
import type { Settings } from "../settings/resolve.ts";
import type { SettingName } from "../settings/table.ts";
import type { Hints } from "./causes/evidence.ts";
import type { Method } from "./outcome.ts";

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

/** The facts about an account's settings that explain a failure. They are looked up when a failed check asks for them. */
export class SettingsHints extends SettingsAdvice implements Hints {
  readonly suffixGiven: boolean;
  readonly #method: Method;
  readonly #isYours: boolean;

  /** `isYours` says whether a part of the credential is yours. */
  constructor(settings: Settings, method: Method, isYours: boolean) {
    super(settings);
    this.suffixGiven = settings.get("baseUrl").setting?.value.suffixGiven ?? false;
    this.#method = method;
    this.#isYours = isYours;
  }

  get hidden() {
    const names = [...copied[this.#method], ...conventions[this.#method]];
    return hiddenByEnvironment(this.settings, ["baseUrl", ...names]);
  }

  get cutByComment() {
    return cutByComment(this.settings, copied[this.#method]);
  }

  get setByFoundFile() {
    return this.#isYours ? setByFoundFile(this.settings, conventions[this.#method]) : [];
  }

  get otherHosts() {
    return this.settings.scope.knownHosts();
  }
}
