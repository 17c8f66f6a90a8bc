// Builds the standalone executables into dist/executables: the bundle inside the Node binaries that the npm registry
// ships, with checksums, a bill of materials and the licences. Nothing is downloaded from elsewhere, and every build
// on the same kind of machine gives the same bytes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { billOfMaterials } from "./bill-of-materials.js";
import { bundled } from "./bundled.js";
import { binaries, nodeVersion, seed } from "./node-binaries.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const output = join(dist, "executables");
/** What an executable may add to Node's own size, in bytes. */
const most = 3_000_000;

/**
 * Writes the code that V8 compiles in a run of both checks. The binary that will use the code must make it, so it must run on
 * this machine. For other binaries the file is empty, and they start without a cache.
 * @param {string} node
 * @param {boolean} runsHere
 * @param {string} target
 */
function writeCodeCache(node, runsHere, target) {
  writeFileSync(target, "");
  if (!runsHere) return;
  const bundle = join(dist, "referral-auth.cjs");
  const maker = [
    node,
    "--hash-seed=1",
    join(root, "scripts/code-cache.cjs"),
    bundle,
    target,
    "test",
    "--no-config",
  ];
  execFileSync(process.execPath, [join(root, "bin/launch.cjs"), "emulator", "--", ...maker], {
    env: {},
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/**
 * Lets pkg put the bundle into a binary. Gives Node's licence.
 * @param {import("./node-binaries.js").Binary} binary
 * @param {string} name
 * @param {string} home where pkg finds all that it needs
 */
async function build(binary, name, home) {
  const { node, licence } = seed(binary, home);
  const runsHere = binary.platform === process.platform && binary.arch === process.arch;
  writeCodeCache(node, runsHere, join(home, "code-cache"));
  const size = statSync(node).size;
  const { HOME = "", TMPDIR = tmpdir() } = process.env;
  // pkg looks for Node below HOME, and makes its working folder below TMPDIR.
  Object.assign(process.env, { HOME: home, TMPDIR: home });
  // pkg's own types leave out what Node's configuration of an executable can hold.
  /** @type {any} */
  const sea = await import("@yao-pkg/pkg/lib-es5/sea.js");
  await sea.default.default(join(home, "executable.cjs"), {
    targets: [
      {
        platform: binary.platform,
        arch: binary.arch,
        nodeRange: `node${nodeVersion}`,
        output: join(output, name),
      },
    ],
    // Do not sign: with Apple's tools, the bytes would depend on the machine. See the README.
    signature: false,
    // The path becomes part of the executable. pkg's command line would write it out from the root of this machine.
    seaConfig: {
      main: "../executable.cjs",
      assets: Object.fromEntries(
        ["package.json", "referral-auth.cjs", "code-cache"].map((name) => [name, `../${name}`]),
      ),
    },
  });
  Object.assign(process.env, { HOME, TMPDIR });
  const added = statSync(join(output, name)).size - size;
  if (added > most) throw new Error(`${name} is ${added} bytes larger than Node; it may be ${most}`);
  return licence;
}

/**
 * Writes the files beside the executables: checksums, bill of materials and licences.
 * @param {readonly string[]} names
 */
function describe(names) {
  const sums = names.map((name) => {
    const sum = createHash("sha256")
      .update(readFileSync(join(output, name)))
      .digest("hex");
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(output, "SHA256SUMS"), sums.join(""));
  const nodes = binaries.map(({ source, integrity }) => ({
    name: source,
    version: nodeVersion,
    license: "MIT",
    integrity,
  }));
  const bill = billOfMaterials([...nodes, ...bundled]);
  writeFileSync(join(output, "referral-auth.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
  copyFileSync(join(dist, "third-party-licences.txt"), join(output, "third-party-licences.txt"));
}

const home = mkdtempSync(join(tmpdir(), "referral-auth-executables-"));
try {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  copyFileSync(join(root, "bin/executable.cjs"), join(home, "executable.cjs"));
  copyFileSync(join(dist, "referral-auth.cjs"), join(home, "referral-auth.cjs"));
  copyFileSync(join(root, "package.json"), join(home, "package.json"));
  const names = [];
  for (const binary of binaries) {
    const name = `referral-auth-${binary.platform}-${binary.arch}${binary.platform === "win" ? ".exe" : ""}`;
    const licence = await build(binary, name, home);
    if (names.length === 0) copyFileSync(licence, join(output, "node-licence.txt"));
    names.push(name);
  }
  describe(names);
} finally {
  rmSync(home, { recursive: true, force: true });
}
