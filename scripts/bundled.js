// The packages in the bundle. As a program, it writes their licences to dist/third-party-licences.txt, since a bundle must
// include them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import lock from "../package-lock.json" with { type: "json" };
import { bundle } from "./build.js";

/** @typedef {{ name: string, version?: string, license: string, integrity?: string, purl?: string }} Component */
/** @typedef {{ heading: string, text: string }} Licence */

/** Third-party code inside the files of a bundled package that has no licence file for it. */
const embedded = [
  {
    name: "llhttp",
    purl: "pkg:github/nodejs/llhttp",
    license: "MIT",
    holder: "Copyright Fedor Indutny, 2018.",
    files: /^node_modules\/undici\/lib\/llhttp\//,
  },
  {
    name: "formdata-polyfill",
    license: "MIT",
    holder: "Jimmy Wärting <https://jimmy.warting.se/opensource>",
    files: /^node_modules\/undici\/lib\/web\/fetch\/body\.js$/,
  },
];

/** The files of packages that are in the bundle, from the root of the project. */
const { modules } = await bundle();
const files = Object.keys(modules).flatMap((id) => /node_modules\/.*/.exec(id)?.[0] ?? []);
const folderOf = (/** @type {string} */ file) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? "";
const folders = [...new Set(files.map(folderOf))].sort();

for (const { name, files: known } of embedded)
  if (!files.some((file) => known.test(file))) throw new Error(`${name} is no longer in the bundle`);
for (const file of files) {
  // The beginning of WebAssembly in base64, and the start of a licence comment.
  const isForeign = /AGFzbQ|\/\*!/.test(readFileSync(file, "utf8"));
  if (isForeign && !embedded.some(({ files: known }) => known.test(file)))
    throw new Error(`${file} holds code of others: name its licence in ${import.meta.filename}`);
}

/**
 * The entry of the lock file for the package in a folder.
 * @param {string} folder
 */
function locked(folder) {
  /** @type {Record<string, any>} */
  const packages = lock.packages;
  const { version, license, integrity } = packages[folder];
  return { version, license, integrity };
}

/**
 * The bundled packages with the integrity that the lock file holds, and what they embed.
 * @type {readonly Component[]}
 */
export const bundled = [
  ...folders.map((folder) => ({ name: folder.slice("node_modules/".length), ...locked(folder) })),
  ...embedded,
];

/**
 * A licence file, split into a heading with its copyright holders and the text.
 * @param {string} title
 * @param {string} file
 * @returns {Licence}
 */
function licenceIn(title, file) {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const granting = lines.filter((line) => /^copyright/i.test(line)).map((line) => line.trim());
  const text = lines
    .filter((line) => !/^copyright|^#*\s*(?:the )?(?:mit|isc) license/i.test(line))
    .join(" ")
    .replace(/\s+/g, " ");
  return { heading: [title, ...granting].join("\n"), text: text.trim() };
}

/**
 * The licences of a package: its own, and those in its folders that bundled files lie in. Throws if it has none.
 * @param {string} folder
 */
function licencesOf(folder) {
  const own = files.filter((file) => folderOf(file) === folder);
  const within = own.flatMap((file) => {
    const up = [];
    for (let place = dirname(file); place.startsWith(folder); place = dirname(place)) up.push(place);
    return up;
  });
  const title = `${folder.slice("node_modules/".length)} ${locked(folder).version}`;
  const found = [...new Set(within)].sort().flatMap((place) =>
    readdirSync(place)
      .filter((entry) => /^licen[cs]e/i.test(entry))
      .map((entry) => licenceIn(place === folder ? title : `${title}: ${place}`, `${place}/${entry}`)),
  );
  if (found.length === 0) throw new Error(`${folder} brings no licence`);
  return found;
}

if (process.argv[1] === import.meta.filename) {
  const licences = folders.flatMap(licencesOf);
  const mit = licences.find(({ heading }) => heading.startsWith("undici "))?.text ?? "";
  licences.push(
    ...embedded.map(({ name, holder }) => ({ heading: `${name}, a part of undici\n${holder}`, text: mit })),
  );
  const texts = [...Map.groupBy(licences, ({ text }) => text)].map(
    ([text, granted]) => `${granted.map(({ heading }) => heading).join("\n\n")}\n\n${text}\n`,
  );
  writeFileSync("dist/third-party-licences.txt", texts.join(`\n${"-".repeat(80)}\n\n`));
}
