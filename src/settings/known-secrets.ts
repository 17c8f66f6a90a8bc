import { type Redactor, redactorOf } from "../redaction/redact.ts";
import { secretTexts } from "./levels.ts";
import type { Sources } from "./load.ts";

/**
 * Takes every secret out of a text about one account: the secrets of the flags, of the environment and of the rc file for
 * this profile, even those that are not used, and `more`, which were read from elsewhere. Any of them may be set in the
 * wrong place.
 */
export function redactorFor(
  { flags, environment, rc }: Sources,
  profile: string | null,
  more: readonly string[] = [],
): Redactor {
  const own = profile === null ? undefined : rc?.profiles.get(profile);
  const levels = [flags, environment, rc?.top, own].flatMap((level) => (level ? [...level.values()] : []));
  return redactorOf([...secretTexts(levels), ...more]);
}
