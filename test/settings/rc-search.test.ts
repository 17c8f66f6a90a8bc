import { expect, test } from "vitest";
import { rcCandidates } from "../../src/settings/rc-search.ts";

const found = (working: string | null, home: string | null, configuration?: string) =>
  rcCandidates({ working, home, configuration }).map(({ path, place }) => `${place} ${path}`);
const names = [".referralrc", ".referralrc.json", ".referralrc.yaml", ".referralrc.yml"];
const inHome = names.map((name) => `home /home/me/${name}`);
const configured = ["config", "config.json", "config.yaml", "config.yml"].map(
  (name) => `configuration /etc/${name}`,
);
const inTree = (...folders: readonly string[]) =>
  folders.flatMap((folder) => names.map((name) => `tree ${folder}/${name}`));

test("an rc file is looked for upward, then in the home folder, then in the configuration folder", () => {
  expect(found("/a/b", "/home/me", "/etc")).toEqual([...inTree("/a/b", "/a", ""), ...inHome, ...configured]);
  expect(found("/home/me/a", "/home/me", "/etc")).toEqual([
    ...inTree("/home/me/a"),
    ...inHome,
    ...configured,
  ]);
});

test("nothing is yours without a home folder, and a relative configuration folder never is", () => {
  expect(found("/a", null, "/etc")).toEqual(inTree("/a", ""));
  expect(found(null, null)).toEqual([]);
  expect(found(null, "/home/me", "etc")).toEqual(inHome);
});
