import { type Redactor, redactorOf } from "../redaction/redact.ts";
import { secretTexts } from "./levels.ts";
import type { Sources } from "./load.ts";

/**
 * Takes every secret out of a text that may be shown of one account: those of the flags, of the environment and of the
 * rc file for this profile, used or not, and `more`, which were read from elsewhere. Any of them may stand in the wrong
 * place.
 */
export function redactorFor(
  { flags, environment, rc }: Sources,
  profile: string | null,
  more: readonly string[] = [],
): Redactor {
  const inFile = [...(rc?.entries ?? []), ...((profile !== null && rc?.profiles.get(profile)) || [])];
  return redactorOf([...secretTexts([...flags.values(), ...environment.values(), ...inFile]), ...more]);
}
