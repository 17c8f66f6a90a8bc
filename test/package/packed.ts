import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The package as users get it. */
export interface Packed {
  readonly tarball: string;
  /** A folder that it is installed in, alone. */
  readonly consumer: string;
  /** The installed package itself. */
  readonly folder: string;
  remove(): void;
}

const sources = [
  ...["bin", "docs", "examples", "schema", "scripts", "src", "LICENSE", "README.md", "CHANGELOG.md"],
  ...["CONTRIBUTING.md", "SECURITY.md", ".referralrc.example"],
  ...["package.json", "package-lock.json", "tsconfig.json"],
];

/** Packs a copy of the sources, since other tests are using dist, and installs the result. It needs no registry. */
export function packed(): Packed {
  const workplace = realpathSync(mkdtempSync(join(tmpdir(), "referral-auth-packed-")));
  const [project, consumer] = [join(workplace, "project"), join(workplace, "consumer")];
  for (const folder of [project, consumer]) mkdirSync(folder);
  for (const name of sources) cpSync(join(root, name), join(project, name), { recursive: true });
  // What somebody left there must not be packed.
  for (const stray of [
    "docs/.env",
    "docs/notes.txt",
    "examples/.env",
    "examples/ci/.env",
    "schema/.env",
    ".env",
  ])
    writeFileSync(join(project, stray), "stray");
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  const npm = (args: readonly string[], cwd: string): void => {
    execFileSync("npm", ["--loglevel=error", ...args], { cwd, stdio: ["ignore", "ignore", "inherit"] });
  };
  npm(["pack", "--pack-destination", workplace], project);
  const tarball = readdirSync(workplace).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack left no package");
  npm(["install", "--offline", "--no-audit", "--no-fund", join(workplace, tarball)], consumer);
  return {
    tarball: join(workplace, tarball),
    consumer,
    folder: join(consumer, "node_modules", "referral-auth"),
    remove: () => rmSync(workplace, { recursive: true, force: true }),
  };
}
