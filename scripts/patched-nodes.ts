// The first release of each line of Node.js that has every public fix, and the CAs that it no longer trusts. What goes to users
// must not be older. Update it by https://nodejs.org/en/blog/vulnerability and by Mozilla's removals; the pages show it.
// usage: node scripts/patched-nodes.ts VERSION...   fails for a version that is older

/** When this table was last compared with the announcements. */
export const comparedAt = "2026-11-26";

/** By line. Node 20 has had no support since 2026-04-30, so none of its releases is patched. */
export const patchedNodes: Readonly<Record<string, { readonly version: string; readonly released: string }>> =
  {
    // https://nodejs.org/en/blog/vulnerability/october-2026-security-releases: CVE-2026-111497 and others.
    22: { version: "22.23.4", released: "2026-10-21" },
    24: { version: "24.22.1", released: "2026-10-21" },
    26: { version: "26.12.1", released: "2026-10-21" },
  };

/** Roots that these releases took out: https://bugzilla.mozilla.org/show_bug.cgi?id=2083449 (CVE-2026-111943). */
export const removedRoots = ["emSign ECC Root CA - G3", "emSign Root CA - C1", "emSign ECC Root CA - C3"];

/** Whether the release has every public fix. */
export function isPatched(version: string): boolean {
  const plain = version.replace(/^v/, "");
  const least = patchedNodes[Number.parseInt(plain, 10)]?.version;
  return least !== undefined && plain.localeCompare(least, "en", { numeric: true }) >= 0;
}

if (process.argv[1] === import.meta.filename)
  for (const version of process.argv.slice(2))
    if (!isPatched(version))
      throw new Error(`Node.js ${version} lacks public fixes: see scripts/patched-nodes.ts`);
