// What a release makes false on the pages, and what it makes true. `npm run release-check` fails for each sentence that does not
// fit the version in package.json; with `-- --write` it makes the pages fit, and with `-- --repository URL` it names the repository.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** A text of a page, and what stands there from the first release on. */
interface Replaced {
  readonly page: string;
  readonly before: string;
  readonly after: string;
}

/** Today, as the changelog dates a version. */
const today = (): string => new Date().toISOString().slice(0, 10);

/** Where the sentences of a page say which repository it is, before the release names it. */
const unnamed = "https://HOST/OWNER/referral-auth";

export const released: readonly Replaced[] = [
  {
    page: "README.md",
    before: "npm ci\nnpm pack\nnpm install --global --ignore-scripts ./referral-auth-*.tgz\n",
    after: "npm install --global referral-auth\n",
  },
  {
    page: "README.md",
    before: `**There is no release yet.** Without a checkout, npm builds it from the repository: \`npx git+${unnamed}.git test\`. `,
    after: "Without an installation: `npx referral-auth test`. ",
  },
  {
    page: "README.md",
    before:
      "On Windows, the last line is `npm install --global --ignore-scripts .\\referral-auth-VERSION.tgz`; the commands",
    after: "On Windows the line is the same; the commands",
  },
  {
    page: "docs/install.md",
    before:
      "The README installs [the package from a checkout](../README.md#install), with its manual page, `man referral-auth`. If npm",
    after:
      "`npm install --global referral-auth` installs the package with its manual page, `man referral-auth`; `npx referral-auth test` runs it without an\ninstallation. If npm",
  },
  {
    page: "docs/install.md",
    before:
      "the package, by `npm pack`, then `npm install --global --ignore-scripts .\\referral-auth-VERSION.tgz`\n",
    after: "the package\n",
  },
  {
    page: "docs/install.md",
    before: "`npm run executables` on Linux builds the executables in `dist/executables`, with",
    after:
      "Each release has the executables, with a patched Node.js. `npm run executables` on Linux builds them in `dist/executables`, with",
  },
  {
    page: "docs/ci.md",
    before: "No image is published before the first release. To build it:",
    after: `The image of each release is in [the repository's packages](${unnamed}/pkgs/container/referral-auth). To build it:`,
  },
  {
    page: "SECURITY.md",
    before:
      "Fixes will be announced in the repository's security advisories and in [the changelog](CHANGELOG.md). ",
    after:
      "Fixes are announced in the repository's security advisories and in [the changelog](CHANGELOG.md). ",
  },
  {
    page: "SECURITY.md",
    before:
      "**Nothing\nis signed yet**: there is no release. One will have npm's provenance, and GitHub's attestations for image and executables.",
    after:
      "The\npackage has npm's provenance (`npm audit signatures` verifies it), image and executables have GitHub's attestations (`gh attestation verify`).",
  },
  {
    page: "CHANGELOG.md",
    before: "## Unreleased\n\nWhat 1.0.0 will have:\n",
    after: "## VERSION - DATE\n\nWhat 1.0.0 has:\n",
  },
];

/** What the workflow fills in, since a fork releases from a repository of its own. */
export const named: readonly Replaced[] = [
  ...["README.md", "docs/install.md", "docs/ci.md"].map((page) => ({
    page,
    before: unnamed,
    after: "REPOSITORY",
  })),
  {
    page: "SECURITY.md",
    before: "Report a vulnerability privately, by the repository's security advisories, with",
    after:
      "Report a vulnerability privately, by [the repository's advisories](REPOSITORY/security/advisories/new), with",
  },
];

/** Words that a page of a release must not have, in no sentence. */
const untrueThen =
  /\bno release\b|before the first release|\bUnreleased\b|\bis signed yet\b|\bNo image is published\b|\d-dev\b/i;

export const suffix = "-dev";

/** A text with the version in its places; a date fits every date. */
const withVersion = (text: string, version: string): string => text.replaceAll("VERSION", version);

/** A page as it reads in this version, made from the page of the version before with the suffix. */
export function pageOf(page: string, text: string, version: string): string {
  let changed = text;
  for (const { before, after, ...of } of released)
    if (of.page === page)
      changed = changed.replace(withVersion(before, `${version}${suffix}`), () =>
        withVersion(after, version).replace("DATE", today()),
      );
  return changed.replaceAll(`${version}${suffix}`, version);
}

/** What on the pages does not fit this version, one line each. `textOf` gives the text of a page. */
export function problems(version: string, textOf: (page: string) => string): readonly string[] {
  const isRelease = !version.includes("-");
  const untrue = isRelease
    ? pages.flatMap((page) => {
        const [found] = untrueThen.exec(textOf(page)) ?? [];
        return found === undefined ? [] : [`${page} says "${found}", which is not true of a release`];
      })
    : [];
  const unfit = released.flatMap(({ page, before, after }) => {
    const wanted = withVersion(isRelease ? after : before, version).split("DATE")[0] ?? "";
    return textOf(page).includes(wanted) ? [] : [`${page} lacks: ${JSON.stringify(wanted)}`];
  });
  return [...untrue, ...unfit];
}

/** The pages of the package. */
export const pages: readonly string[] = [
  ...["README.md", "SECURITY.md", "CHANGELOG.md"],
  ...readdirSync("docs").flatMap((name) =>
    /^(?:benchmarks|maintaining)\.md$/.test(name) ? [] : `docs/${name}`,
  ),
];

if (process.argv[1] === import.meta.filename) {
  const [option, repository] = process.argv.slice(2);
  const textOf = (page: string): string => readFileSync(page, "utf8");
  const { version } = JSON.parse(textOf("package.json"));
  if (option === "--write")
    for (const page of pages) writeFileSync(page, pageOf(page, textOf(page), version));
  const found = problems(version, textOf);
  for (const problem of found) process.stderr.write(`${problem}\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
  // Checked above, since the sentences of the list do not name it.
  if (option === "--repository" && repository !== undefined && found.length === 0)
    for (const { page, before, after } of named)
      writeFileSync(page, textOf(page).replaceAll(before, after.replace("REPOSITORY", repository)));
}
