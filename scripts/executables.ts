// Builds the standalone executables into dist/executables: the bundle inside the Node binaries that the npm registry
// ships, with checksums, a bill of materials and the licences. Nothing is downloaded from elsewhere, and every build
// on the same kind of machine gives the same bytes. A release sets NODE_SITE=https://nodejs.org/dist and takes the newest
// patched ones of that site instead.
// usage: node scripts/executables.ts [<platform>-<arch>]
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build as bundleFiles } from "rolldown";
import manifest from "../package.json" with { type: "json" };
import { bundled, type Component } from "./bundled.ts";
import { type Binary, fetchBinaries } from "./node-binaries.ts";

const output = resolve("dist/executables");
/** What an executable may add to Node's own size, in bytes. */
const most = 3_000_000;

/**
 * Writes the code that V8 compiles in a run of both checks. The binary that will use the code must make it, so it must run on
 * this machine. For other binaries the file is empty, and they start without a cache. It saves 50 ms of the 185 ms of `test`.
 */
function writeCodeCache({ node, platform, arch }: Binary, target: string): void {
  writeFileSync(target, "");
  if (platform !== process.platform || arch !== process.arch) return;
  const flags = ["--hash-seed=1", "--no-sparkplug"];
  const maker = [node, ...flags, "scripts/code-cache.cjs", "dist/referral-auth.cjs", target];
  const run = ["bin/launch.cjs", "emulator", "--", ...maker, "test", "--no-config"];
  execFileSync(process.execPath, run, { env: {}, stdio: ["ignore", "ignore", "inherit"] });
}

interface Pkg {
  default(program: string, options: object): Promise<void>;
}

/** Lets pkg put the bundle into a binary. Its files are in the folder `home`. */
async function build(binary: Binary, target: string, home: string): Promise<void> {
  writeCodeCache(binary, join(home, "code-cache"));
  // pkg's public door takes no assets, and writes the path of this folder into the executable. Its own types leave out what
  // Node's configuration of an executable can hold.
  const { default: pkg }: { default: Pkg } = await import("@yao-pkg/pkg/lib-es5/sea.js");
  const { platform, arch, version } = binary;
  await pkg.default(join(home, "executable.cjs"), {
    targets: [{ platform, arch, nodeRange: `node${version}`, output: target }],
    // Do not sign: with Apple's tools, the bytes would depend on the machine. docs/install.md says how to sign.
    signature: false,
    seaConfig: {
      main: "../executable.cjs",
      assets: { "referral-auth.cjs": "../referral-auth.cjs", "code-cache": "../code-cache" },
    },
  });
  const added = statSync(target).size - statSync(binary.node).size;
  if (added > most) throw new Error(`${target} is ${added} bytes larger than Node; it may be ${most}`);
}

function component(type: "application" | "library", { name, version, license, integrity, purl }: Component) {
  const content = integrity && Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  const reference = purl ?? `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const hashes = content ? [{ alg: "SHA-512", content }] : undefined;
  const licenses = [{ license: { id: license } }];
  return { type, "bom-ref": reference, name, version, licenses, hashes, purl: reference };
}

/** The bill of materials (CycloneDX 1.6), without times and random numbers. `npm sbom` lists tools too. */
function billOfMaterials(components: readonly Component[]) {
  const subject = component("application", manifest);
  const parts = components.map((one) => component("library", one));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...subject, description: manifest.description } },
    components: parts,
    dependencies: [{ ref: subject.purl, dependsOn: parts.map(({ purl }) => purl) }],
  };
}

const home = mkdtempSync(join(tmpdir(), "referral-auth-executables-"));
try {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  copyFileSync("dist/referral-auth.cjs", join(home, "referral-auth.cjs"));
  // The program of an executable is one file.
  await bundleFiles({
    input: "bin/executable.cjs",
    platform: "node",
    output: { format: "cjs", file: join(home, "executable.cjs") },
  });
  const binaries = await fetchBinaries(home, process.env.NODE_SITE || undefined);
  // pkg looks for Node below HOME, and makes its working folder below TMPDIR.
  Object.assign(process.env, { HOME: home, TMPDIR: home });
  let sums = "";
  const [only] = process.argv.slice(2);
  for (const binary of binaries) {
    if (only !== undefined && only !== `${binary.platform}-${binary.arch}`) continue;
    const name = `referral-auth-${binary.platform}-${binary.arch}${binary.platform === "win" ? ".exe" : ""}`;
    await build(binary, join(output, name), home);
    sums += `${hash("sha256", readFileSync(join(output, name)))}  ${name}\n`;
  }
  writeFileSync(join(output, "SHA256SUMS"), sums);
  const bill = billOfMaterials([...binaries, ...bundled]);
  writeFileSync(join(output, "referral-auth.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
  copyFileSync("dist/third-party-licences.txt", join(output, "third-party-licences.txt"));
  copyFileSync(`${binaries[0]?.folder}/LICENSE`, join(output, "node-licence.txt"));
} finally {
  rmSync(home, { recursive: true, force: true });
}
