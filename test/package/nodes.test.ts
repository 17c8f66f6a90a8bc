// The Nodes that the project pins and fetches, against the table of patched releases in scripts/patched-nodes.ts.

import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { comparedAt, isPatched, patchedNodes, removedRoots } from "../../scripts/patched-nodes.ts";
import { tableBelow, textOf } from "../support/pages.ts";

const [, pinned = ""] = /const versions = \{([\s\S]*?)\};/.exec(textOf("scripts/nodes.js")) ?? [];
const ofTests = [...pinned.matchAll(/"((?:2\d)\.\d+\.\d+)"/g)].map(([, version = ""]) => version);

const [, nodeVersion = ""] = /const nodeVersion = "([^"]+)"/.exec(textOf("scripts/executables.ts")) ?? [];

/** The pins that are behind, since the npm registry had no patched release on the day of the table. They only build and test here. */
const behind: Readonly<Record<string, string>> = {
  "20.20.2": "the last of its line; the tests show that the tool still runs there",
  "22.23.3": "the newest 22 of the registry",
  "24.21.0": "the newest 24 of the registry",
  "22.23.2":
    "the newest that the registry has for all five platforms; the release takes the patched one of Node's own site",
};

test("every pinned Node is patched, or a row says why not; a row that is no longer true fails", () => {
  const pins = [...ofTests, manifest.devDependencies.node, nodeVersion];
  expect(pins.length).toBeGreaterThan(5);
  const unpatched = pins.filter((version) => !isPatched(version));
  expect([...new Set(unpatched)].toSorted()).toEqual(Object.keys(behind).toSorted());
});

test("the pages show the table, and say that local executables are for trying out", () => {
  const rows = tableBelow("A patched Node.js", "SECURITY.md").filter(([line]) => line !== "20");
  expect(rows).toEqual(
    Object.entries(patchedNodes).map(([line, { version, released }]) => [line, version, released]),
  );
  expect(textOf("SECURITY.md")).toContain(`On ${comparedAt}, these are the first`);
  for (const root of removedRoots) expect(textOf("SECURITY.md").replace(/\s+/g, " ")).toContain(root);
  const versions = Object.values(patchedNodes).map(({ version }) => version);
  expect(textOf("README.md").replace(/\s+/g, " ")).toContain(`${versions.join(", ")} or newer`);
  expect(textOf("docs/install.md")).toContain(`They hold Node.js ${nodeVersion}`);
});

test("a release is patched from the one of its line in the table on", () => {
  expect(["22.23.4", "v22.23.10", "22.24.0"].filter((version) => !isPatched(version))).toEqual([]);
  expect(["22.23.3", "20.20.2", "24.9.0", "25.9.0"].filter(isPatched)).toEqual([]);
});
