import { type Level, secretTexts } from "../../src/settings/levels.ts";
import { type Scope, Settings } from "../../src/settings/resolve.ts";

/** The settings of these levels, highest first, as without an account. */
export function settingsOf(
  levels: readonly Level[],
  more: Partial<Scope> & { readonly profile?: string | null } = {},
): Settings {
  const { profile = null, ...scope } = more;
  const settings = new Settings({
    levels,
    environment: null,
    chosenBy: "none",
    unused: new Map(),
    unusedBecause: "",
    variables: {},
    rc: null,
    secrets: secretTexts(levels),
    knownHosts: () => [],
    ...scope,
  });
  return profile === null ? settings : settings.ofAccount({ profile, level: new Map() });
}

/** An rc file without content, for advice. */
export const rcAt = (path: string): Scope["rc"] => ({
  path,
  trust: "yours",
  top: new Map(),
  profiles: new Map(),
});
