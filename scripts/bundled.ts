// The packages in the bundle, and what they embed. As a program, it writes their licences to dist/third-party-licences.txt, since
// a bundle must include them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import lock from "../package-lock.json" with { type: "json" };
import { bundle } from "./build.js";

/** Code of others. What a package embeds has no version and no integrity of its own. */
export interface Component {
  readonly name: string;
  readonly license: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly purl?: string;
}

/** Third-party code in files of undici, which brings no licence file for it. */
const llhttp: Component = { name: "llhttp", purl: "pkg:github/nodejs/llhttp", license: "MIT" };
const isLlhttp = (file: string): boolean => file.startsWith("node_modules/undici/lib/llhttp/");

/** The files of packages that are in the bundle, from the root of the project. */
const files = Object.keys((await bundle()).modules).flatMap((id) => /node_modules\/.*/.exec(id)?.[0] ?? []);
const folderOf = (file: string): string => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? "";
const folders = [...new Set(files.map(folderOf))].sort();

if (!files.some(isLlhttp)) throw new Error("llhttp is no longer in the bundle");
for (const file of files) {
  // The beginning of WebAssembly in base64, and the start of a licence comment.
  const isForeign = /AGFzbQ|\/\*!/.test(readFileSync(file, "utf8"));
  if (isForeign && !isLlhttp(file))
    throw new Error(`${file} holds code of others: name its licence in ${import.meta.filename}`);
}

/** The packages, with the integrity that the lock file holds. */
const packages = folders.map((folder) => {
  const locked = (lock.packages as Record<string, Partial<Component>>)[folder];
  return { ...locked, folder, name: folder.slice("node_modules/".length) } as Component & { folder: string };
});

/** The packages, and what they embed. */
export const bundled: readonly Component[] = [...packages, llhttp];

/** The texts of a package's licences: its own, and those of its folders with bundled files. Throws if it has none. */
function licenceOf({ folder, name, version }: (typeof packages)[number]): string {
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => /\/licen[cs]e[^/]*$/i.test(path))
    .filter((path) => files.some((file) => file.startsWith(`${dirname(path)}/`)))
    .map((path) => readFileSync(path, "utf8").trim());
  if (texts.length === 0) throw new Error(`${folder} brings no licence`);
  return [`${name} ${version}`, ...texts].join("\n\n");
}

if (process.argv[1] === import.meta.filename) {
  const mit = readFileSync("node_modules/undici/LICENSE", "utf8").trim();
  const ofLlhttp = mit.replace(/^Copyright.*$/m, "Copyright Fedor Indutny, 2018.");
  const texts = [...packages.map(licenceOf), `llhttp, a part of undici\n\n${ofLlhttp}`];
  writeFileSync("dist/third-party-licences.txt", texts.join(`\n\n${"-".repeat(80)}\n\n`));
}
