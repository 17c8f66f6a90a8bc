import { type Redactor, redactorOf } from "../redaction/redact.ts";
import { secretTexts } from "./levels.ts";
import type { Sources } from "./load.ts";

/**
 * Makes the redactor for texts about one account. It removes the secrets of the flags, the environment, and the rc file for
 * this profile, even unused ones, and `more`, which were read from elsewhere. Any of them may be set in the wrong place.
 */
export function redactorFor(
  { flags, environment, rc }: Sources,
  profile: string | null,
  more: readonly string[] = [],
): Redactor {
  const own = profile === null ? undefined : rc?.profiles.get(profile);
  const levels = [flags, environment, rc?.top, own].flatMap((level) => level ?? []);
  return redactorOf([...secretTexts(levels), ...more]);
}
