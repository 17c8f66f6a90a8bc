import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url);
const page = readFileSync(new URL("SECURITY.md", root), "utf8");

test("every promise names what holds it, and that exists", () => {
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| promise"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  expect(rows.length).toBeGreaterThan(10);
  for (const [promise, holders = ""] of rows) {
    const files = [...holders.matchAll(/`([^`]+)`/g)].map(([, file]) => file as string);
    expect(files.length, promise).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  }
});
