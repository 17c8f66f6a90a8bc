// Builds the standalone executables into dist/executables: the bundle inside the Node binaries that the npm registry
// ships, with checksums, a bill of materials and the licences. Nothing is downloaded from elsewhere, and every build
// gives the same bytes.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { billOfMaterials } from "./bill-of-materials.js";
import { bundledPackages } from "./bundled.js";
import { binaries, extract, nodeVersion, seed } from "./node-binaries.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const output = join(dist, "executables");
/** What an executable may add to Node's own size, in bytes. */
const most = 2_000_000;

/** Lets pkg put the bundle into every binary. All that it needs lies in `home`. */
async function build(home, executables) {
  const sizes = binaries.map((binary) => seed(binary, home));
  const entry = join(home, "executable.cjs");
  copyFileSync(join(root, "bin/executable.cjs"), entry);
  copyFileSync(join(dist, "referral-auth.cjs"), join(home, "referral-auth.cjs"));
  // pkg looks for Node below HOME, and makes its working folder below TMPDIR.
  Object.assign(process.env, { HOME: home, TMPDIR: home });
  const { default: pkg } = await import("@yao-pkg/pkg/lib-es5/sea.js");
  await pkg.default(entry, {
    targets: executables,
    // Without Apple's tools there is no signature; see the README. With them, the bytes would depend on the machine.
    signature: false,
    // The path becomes part of the executable. pkg's command line would write it out from the root of this machine.
    seaConfig: { main: "../executable.cjs", assets: { "referral-auth.cjs": "../referral-auth.cjs" } },
  });
  for (const [index, { name, output: file }] of executables.entries()) {
    const added = statSync(file).size - sizes[index];
    if (added > most) throw new Error(`${name} is ${added} bytes larger than Node; it may be ${most}`);
  }
}

/** What belongs beside the executables. */
async function describe(executables) {
  const sums = executables.map(({ name, output: file }) => {
    const sum = createHash("sha256").update(readFileSync(file)).digest("hex");
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(output, "SHA256SUMS"), sums.join(""));
  const nodes = binaries.map(({ source, integrity }) => ({
    name: source,
    version: nodeVersion,
    license: "MIT",
    integrity,
  }));
  const bill = billOfMaterials([...nodes, ...(await bundledPackages())]);
  writeFileSync(join(output, "referral-auth.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
  extract(binaries[0], "LICENSE", join(output, "node-licence.txt"));
  copyFileSync(join(dist, "third-party-licences.txt"), join(output, "third-party-licences.txt"));
}

const executables = binaries.map(({ platform, arch }) => {
  const name = `referral-auth-${platform}-${arch}${platform === "win" ? ".exe" : ""}`;
  return { platform, arch, name, nodeRange: `node${nodeVersion}`, output: join(output, name) };
});

const home = mkdtempSync(join(tmpdir(), "referral-auth-executables-"));
try {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  await build(home, executables);
  await describe(executables);
} finally {
  rmSync(home, { recursive: true, force: true });
}
