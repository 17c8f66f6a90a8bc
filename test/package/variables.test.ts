import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { variables } from "../../scripts/man.ts";
import { definitionOf, settingNames } from "../../src/settings/table.ts";

test("the manual lists every variable of a setting, and every one that the source reads by its name, once", () => {
  const listed = variables.flatMap(([names]) => names);
  expect(new Set(listed).size).toBe(listed.length);
  const source = globSync("src/**/*.ts")
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const read = [...source.matchAll(/environment(?:\.|\[")([A-Z][A-Z_]+)/g)].map(([, name = ""]) => name);
  expect(read.length).toBeGreaterThan(3);
  const ofSettings = settingNames.flatMap((name) => definitionOf(name).variables);
  expect([...ofSettings, ...read].filter((name) => !listed.includes(name))).toEqual([]);
});
