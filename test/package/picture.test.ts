import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { root } from "./packed.ts";

// Milliseconds differ from run to run.
const pictureOf = (folder: string, name: string): string =>
  readFileSync(join(folder, name), "utf8").replace(/ in \d+ ms/g, " in MS ms");

test("the pictures of the pages are what the tool prints: npm run picture", () => {
  const fresh = folderWith();
  execFileSync(process.execPath, ["scripts/picture.ts", fresh], { cwd: root });
  const examples = join(root, "examples");
  const names = readdirSync(examples).filter((name) => name.endsWith(".svg"));

  expect(readdirSync(fresh)).toEqual(names);
  for (const name of names) expect(pictureOf(examples, name)).toBe(pictureOf(fresh, name));
});
