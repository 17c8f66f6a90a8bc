// Which packages the bundle is made of, as the bundler sees it. Run alone, it writes their licences to
// dist/third-party-licences.txt, since a bundle has to carry them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The bundled packages by name: version, licence, and the integrity that the lock file holds. */
export async function bundledPackages() {
  const bundle = await rolldown({ input: join(root, "bin/referral-auth.ts"), platform: "node" });
  const { output } = await bundle.generate({ format: "cjs", codeSplitting: false });
  await bundle.close();
  const used = Object.entries(output[0].modules).filter(([, { code }]) => code);
  const folders = new Set(
    used.flatMap(
      ([file]) => /node_modules\/(?:@[^/]+\/)?[^/]+(?=\/(?!.*node_modules\/))/.exec(file)?.[0] ?? [],
    ),
  );
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return [...folders].sort().map((folder) => {
    const { version, license, integrity } = packages[folder];
    return { name: folder.slice("node_modules/".length), folder, version, license, integrity };
  });
}

/** The licence text of a package, and apart from it who grants it. Throws where it brings none. */
function licenceOf({ name, folder, version }) {
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} brings no licence`);
  const lines = readFileSync(join(root, folder, file), "utf8")
    .trim()
    .split("\n");
  const granting = lines.filter((line) => /^copyright/i.test(line)).map((line) => line.trim());
  const text = lines
    .filter((line) => !/^copyright|^#*\s*(?:the )?(?:mit|isc) license/i.test(line))
    .join(" ")
    .replace(/\s+/g, " ");
  return { heading: [`${name} ${version}`, ...granting].join("\n"), text: text.trim() };
}

/** All licences of these packages, each text once below those that grant it. */
function licenceTexts(packages) {
  const headings = Map.groupBy(packages.map(licenceOf), ({ text }) => text);
  return [...headings].map(
    ([text, granted]) => `${granted.map(({ heading }) => heading).join("\n\n")}\n\n${text}\n`,
  );
}

if (process.argv[1] === import.meta.filename) {
  const texts = licenceTexts(await bundledPackages());
  writeFileSync(join(root, "dist", "third-party-licences.txt"), texts.join(`\n${"-".repeat(80)}\n\n`));
}
