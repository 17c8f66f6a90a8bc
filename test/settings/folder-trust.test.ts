import fc from "fast-check";
import { expect, test } from "vitest";
import { configurationTrust, type FolderFacts, homeTrust } from "../../src/settings/folder-trust.ts";
import { numRuns } from "../properties/runs.ts";

const facts = (checkouts: readonly string[], more: Partial<FolderFacts> = {}): FolderFacts => ({
  home: null,
  registeredHome: () => null,
  holdsGit: (folder) => checkouts.includes(folder),
  ...more,
});

const path = fc
  .array(fc.constantFrom("a", "b", ".config", "home"), { maxLength: 5 })
  .map((segments) => `/${segments.join("/")}`);
/** The path itself and every folder above it. */
const upward = (folder: string): readonly string[] =>
  folder === "/" ? ["/"] : [folder, ...upward(folder.slice(0, folder.lastIndexOf("/")) || "/")];

test("a home folder is yours if the password database names it, or if no folder from it upward holds .git", () => {
  fc.assert(
    fc.property(path, path, fc.array(path), (home, registered, checkouts) => {
      const isYours = home === registered || !upward(home).some((folder) => checkouts.includes(folder));
      expect(homeTrust(home, facts(checkouts, { registeredHome: () => registered }))).toBe(
        isYours ? "yours" : "found",
      );
    }),
    { numRuns },
  );
});

test("a configuration folder is yours if no folder from it up to a home folder of yours, or to the root, holds .git", () => {
  fc.assert(
    fc.property(path, path, path, fc.array(path), (folder, home, registered, checkouts) => {
      const given = facts(checkouts, { home, registeredHome: () => registered });
      const homes = [registered, ...(homeTrust(home, given) === "yours" ? [home] : [])];
      const ends = homes.flatMap((one) => [one, `${one === "/" ? "" : one}/.config`]);
      const above = upward(folder);
      const end = above.findIndex((one) => ends.includes(one));
      const searched = end < 0 ? above : above.slice(0, end);
      const isYours = !searched.some((one) => checkouts.includes(one));
      expect(configurationTrust(folder, given)).toBe(isYours ? "yours" : "found");
    }),
    { numRuns },
  );
});

const me = "/home/me";
test.each([
  ["/home/me/.config/referral", me, [], "yours"],
  ["/home/me/.config/referral", me, ["/home/me"], "yours"],
  ["/home/me/.config/referral", me, ["/home/me/.config"], "yours"],
  ["/home/me/work/tree/settings/referral", me, ["/home/me/work/tree"], "found"],
  ["/home/me/.config/tree/referral", me, ["/home/me/.config/tree"], "found"],
  ["/srv/tree/referral", me, ["/srv/tree"], "found"],
  ["/srv/settings/referral", null, [], "yours"],
  ["/srv/settings/referral", null, ["/srv"], "found"],
  ["/home/me/.config/referral", null, ["/home/me/.config"], "yours"],
  ["/home/me/.config/referral", null, ["/home/me"], "found"],
])("the configuration folder %s, with the registered home folder %s and .git in %j, is %s", (...row) => {
  const [folder, registered, checkouts, trust] = row;
  const more = { home: me, registeredHome: () => registered };
  expect(configurationTrust(folder, facts(checkouts, more))).toBe(trust);
});
