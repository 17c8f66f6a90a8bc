import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { root } from "./packed.ts";

// Ports and milliseconds differ from run to run.
const withoutNumbers = (svg: string): string =>
  svg.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT").replace(/ in \d+ ms/g, " in MS ms");

test("the picture in the README is what the tool prints: npm run picture", () => {
  const fresh = join(folderWith(), "fresh.svg");
  execFileSync(process.execPath, ["scripts/picture.ts", fresh], { cwd: root });
  const [shown, drawn] = [join(root, "examples/terminal.svg"), fresh].map((file) =>
    withoutNumbers(readFileSync(file, "utf8")),
  );
  expect(shown).toBe(drawn);
});
