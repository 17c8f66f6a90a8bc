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

test("the package has no dependencies and no install script, and those of the build are exact and locked", () => {
  const read = (file: string) => JSON.parse(readFileSync(new URL(file, root), "utf8"));
  const [manifest, lock] = [read("package.json"), read("package-lock.json")];
  const kinds = ["dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"];
  expect(kinds.filter((kind) => kind in manifest)).toEqual([]);
  const hooks = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
  expect(hooks.filter((hook) => hook in manifest.scripts)).toEqual([]);
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    expect(lock.packages[`node_modules/${name}`]).toMatchObject({ version, integrity: expect.any(String) });
  }
});
