// The Nodes that the project pins and fetches, against the table of patched releases in scripts/patched-nodes.ts.

import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { downloadNode } from "../../scripts/node-site.ts";
import {
  comparedAt,
  compareVersions,
  isPatched,
  patchedNodes,
  removedRoots,
} from "../../scripts/patched-nodes.ts";
import { folderWith } from "../support/folder.ts";
import { tableBelow, textOf } from "../support/pages.ts";

const [, pinned = ""] = /const versions = \{([\s\S]*?)\};/.exec(textOf("scripts/nodes.js")) ?? [];
const ofTests = [...pinned.matchAll(/"((?:2\d)\.\d+\.\d+)"/g)].map(([, version = ""]) => version);

const [, nodeVersion = ""] = /const nodeVersion = "([^"]+)"/.exec(textOf("scripts/node-binaries.ts")) ?? [];

/** The pins that are behind, since the npm registry had no patched release on the day of the table. They only build and test here. */
const behind: Readonly<Record<string, string>> = {
  "20.20.2": "the last of its line; the tests show that the tool still runs there",
  "22.23.3": "the newest 22 of the registry",
  "24.21.0": "the newest 24 of the registry",
  "22.23.2": "the newest that the registry has for all five platforms; the release takes Node's own site",
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

test.each([
  ["22.23.4", true],
  ["v22.23.10", true],
  ["22.24.0", true],
  ["22.23.3", false],
  ["20.20.2", false],
  ["24.9.0", false],
  ["25.9.0", false],
])("%s is patched: %s", (version, expected) => {
  expect(isPatched(version)).toBe(expected);
});

const least = patchedNodes[22]?.version ?? "";

/** A site on loopback that has these releases of Node.js, with small files in place of the programs. */
async function siteOf(versions: readonly string[], broken = ""): Promise<string> {
  const folder = folderWith();
  const files = new Map<string, Buffer | string>();
  files.set("/index.json", JSON.stringify(versions.map((version) => ({ version: `v${version}` }))));
  for (const version of versions) {
    const name = `node-v${version}-linux-x64`;
    mkdirSync(join(folder, name, "bin"), { recursive: true });
    writeFileSync(join(folder, name, "bin/node"), `node ${version}`);
    writeFileSync(join(folder, name, "LICENSE"), "licence");
    execFileSync("tar", ["-czf", `${name}.tar.gz`, name], { cwd: folder });
    const archive = readFileSync(join(folder, `${name}.tar.gz`));
    const windows = `windows ${version}`;
    files.set(`/v${version}/${name}.tar.gz`, archive);
    files.set(`/v${version}/win-x64/node.exe`, windows);
    const sums = [
      [archive, `${name}.tar.gz`],
      [windows, "win-x64/node.exe"],
    ] as const;
    const lines = sums.map(
      ([content, file]) => `${hash("sha256", file === broken ? "other" : content)}  ${file}\n`,
    );
    files.set(`/v${version}/SHASUMS256.txt`, lines.join(""));
  }
  const server = createServer((request, response) => {
    const content = files.get(request.url ?? "");
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const fetched = (site: string, target: string) =>
  downloadNode(site, 22, ["linux-x64", "win-x64"], (version, platform) =>
    join(target, `${version}-${platform}`),
  );

test("the newest release of the line is taken, with its checksums verified", async () => {
  const newest = `22.${Number(least.split(".")[1]) + 10}.0`;
  const target = folderWith();
  const site = await siteOf([least, newest, "22.9.9", "24.99.0"]);

  const { version, files } = await fetched(site, target);

  expect(version).toBe(newest);
  expect(compareVersions(newest, least)).toBeGreaterThan(0);
  expect(files.map(({ platform, url }) => [platform, url.slice(site.length)])).toEqual([
    ["linux-x64", `/v${newest}/node-v${newest}-linux-x64.tar.gz`],
    ["win-x64", `/v${newest}/win-x64/node.exe`],
  ]);
  expect(readFileSync(join(target, `${newest}-linux-x64/bin/node`), "utf8")).toBe(`node ${newest}`);
  expect(existsSync(join(target, `${newest}-linux-x64/LICENSE`))).toBe(true);
  expect(readFileSync(join(target, `${newest}-win-x64/bin/node.exe`), "utf8")).toBe(`windows ${newest}`);
});

test.each([
  [
    "an unpatched newest release",
    ["22.23.2"],
    "",
    /22\.23\.2, the newest Node\.js 22 of .+, lacks public fixes/,
  ],
  ["no release of the line", ["24.99.0"], "", /has no Node\.js 22/],
  ["another checksum of an archive", [least], `node-v${least}-linux-x64.tar.gz`, /another checksum/],
  ["another checksum of the program", [least], "win-x64/node.exe", /another checksum/],
])("%s ends the build", async (_, versions, broken, message) => {
  await expect(fetched(await siteOf(versions, broken), folderWith())).rejects.toThrow(message);
});
