import { chmodSync, chownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeLeftovers } from "../../src/system/spool.ts";
import { folderWith } from "../support/folder.ts";

const other = 12_345;
test.runIf(process.getuid?.() === 0)("leftovers that belong to others do not keep one's own", () => {
  // No process has this number.
  const names = Array.from({ length: 10 }, (_, index) => `report.4000000.${index}.tmp`);
  const folder = folderWith(Object.fromEntries(names.map((name) => [name, ""])));
  chmodSync(folder, 0o1777);
  for (const name of names.slice(5)) chownSync(join(folder, name), other, other);
  process.seteuid?.(other);
  try {
    removeLeftovers(join(folder, "report"));
  } finally {
    process.seteuid?.(0);
  }
  expect(readdirSync(folder).toSorted()).toEqual(names.slice(0, 5));
});
