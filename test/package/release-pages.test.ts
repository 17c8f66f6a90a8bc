// What a release makes false on the pages: scripts/release-pages.ts has the list.

import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { named, pageOf, pages, problems, released, suffix } from "../../scripts/release-pages.ts";
import { textOf } from "../support/pages.ts";

const { version } = manifest;
const next = version.replace(/-.*/, "");
/** The pages as a release has them. Those of a release are that already. */
const ofRelease = (page: string): string => pageOf(page, textOf(page), next);

test("the pages fit the version in package.json", () => {
  expect(problems(version, textOf)).toEqual([]);
});

test("the pages of a release say nothing that a release makes false", () => {
  expect(problems(next, ofRelease)).toEqual([]);
});

test.runIf(version.endsWith(suffix))(
  "with a version that has no suffix, each of today's sentences fails",
  () => {
    for (const { page, before, after } of released) {
      const text = ofRelease(page);
      const changed = after.replace("VERSION", next).replace("DATE", new Date().toISOString().slice(0, 10));
      const forgotten = text.replace(changed, () => before.replace("VERSION", version));
      expect(forgotten, page).not.toBe(text);
      expect(
        problems(next, (one) => (one === page ? forgotten : ofRelease(one))),
        before,
      ).not.toEqual([]);
    }
    expect(problems(next, textOf).length).toBeGreaterThan(released.length - 1);
  },
);

test.each([
  "There is no release yet.",
  "Before the first release, build it.",
  "Take referral-auth:1.0.0-dev.",
  "Nothing is signed yet.",
])("a sentence that the list forgets fails in a release, on any page: %s", (sentence) => {
  const withIt = (page: string) => ofRelease(page) + (page === "docs/wsse.md" ? sentence : "");
  expect(problems(next, withIt)).toHaveLength(1);
});

test("what the workflow fills in stands on the pages of a release", () => {
  for (const { page, before } of named.filter(({ page }) => page !== "README.md"))
    expect(ofRelease(page), page).toContain(before);
  expect(pages).toContain("docs/settings.md");
});
