// Node's own binaries, as https://nodejs.org/dist publishes them: the newest release of a line, each file with its checksum.
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compareVersions, isPatched } from "./patched-nodes.ts";

/** The file of each platform: an archive, or for Windows the program alone. */
const fileOf = (version: string, platform: string): string =>
  platform === "win-x64" ? "win-x64/node.exe" : `node-v${version}-${platform}.tar.gz`;

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** A file of a release, with where it came from. */
export interface Downloaded {
  readonly platform: string;
  readonly url: string;
  readonly sha256: string;
}

/**
 * Downloads the newest release of this line for these platforms. Each comes into a folder of its own, where the archives have the
 * program and the licence. Throws if the newest lacks public fixes, or if a checksum differs.
 */
export async function downloadNode(
  site: string,
  line: number,
  platforms: readonly string[],
  folderOf: (version: string, platform: string) => string,
): Promise<{ readonly version: string; readonly files: readonly Downloaded[] }> {
  const index: ReadonlyArray<{ readonly version: string }> = JSON.parse(
    `${await download(`${site}/index.json`)}`,
  );
  const [newest] = index
    .map(({ version }) => version.slice(1))
    .filter((version) => version.startsWith(`${line}.`))
    .toSorted((one, other) => compareVersions(other, one));
  if (newest === undefined) throw new Error(`${site} has no Node.js ${line}`);
  if (!isPatched(newest))
    throw new Error(`${newest}, the newest Node.js ${line} of ${site}, lacks public fixes`);
  const sums = `${await download(`${site}/v${newest}/SHASUMS256.txt`)}`;
  const files: Downloaded[] = [];
  for (const platform of platforms) {
    const file = fileOf(newest, platform);
    const url = `${site}/v${newest}/${file}`;
    const content = await download(url);
    const sha256 = hash("sha256", content);
    if (!sums.split("\n").includes(`${sha256}  ${file}`))
      throw new Error(`${url} has another checksum than SHASUMS256.txt`);
    const folder = folderOf(newest, platform);
    if (file.endsWith(".exe")) {
      mkdirSync(join(folder, "bin"), { recursive: true });
      writeFileSync(join(folder, "bin/node.exe"), content, { mode: 0o755 });
    } else {
      mkdirSync(folder, { recursive: true });
      const archive = join(dirname(folder), file);
      writeFileSync(archive, content);
      const wanted = ["bin/node", "LICENSE"].map((name) => `node-v${newest}-${platform}/${name}`);
      execFileSync("tar", ["-xzf", archive, "--strip-components=1", "-C", folder, ...wanted]);
    }
    files.push({ platform, url, sha256 });
  }
  return { version: newest, files };
}
