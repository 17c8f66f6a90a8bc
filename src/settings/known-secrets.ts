import { type Redactor, redactorOf } from "../redact.ts";
import { type Layer, secretTexts } from "./layers.ts";
import type { Sources } from "./load.ts";

/**
 * Takes every secret out of a text that may be shown of one account: those of the flags, of the environment and of
 * these layers, used or not, and `more`, which were read from elsewhere. Any of them may stand in the wrong place.
 */
export function redactorFor(
  { flags, environment }: Sources,
  layers: readonly Layer[],
  more: readonly string[] = [],
): Redactor {
  const given = [flags, environment, ...layers].flatMap((layer) => [...layer.values()]);
  return redactorOf([...secretTexts(given), ...more]);
}
