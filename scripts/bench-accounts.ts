// The accounts that bench.ts checks: profiles of an rc file, and lines of --accounts.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The arguments of a job. */
type Arguments = readonly string[];

const tokenOf = (index: number): string => `${index}`.padStart(40, "0");
const nameOf = (index: number): string => `account-${index}`;

/** Writes a file that only the user can read, and returns its path. */
function written(path: string, content: string): string {
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

/** The arguments of `test` for a stream of this many accounts. The file is written to the folder. */
export function streamOf(number: number, folder: string): Arguments {
  const lines = Array.from({ length: number }, (_, index) =>
    JSON.stringify({ profile: nameOf(index), token: tokenOf(index) }),
  );
  return ["--accounts", written(join(folder, "accounts"), lines.join("\n")), "--ndjson", "--no-config"];
}

/** The arguments of `test` for this many accounts, by the name of the job. The files are written to the folder. */
export function jobsOver(number: number, folder: string): ReadonlyMap<string, Arguments> {
  const all = (file: string, top: object, settings: (index: number) => object): Arguments => {
    const indices = Array.from({ length: number }, (_, index) => index);
    const profiles = Object.fromEntries(indices.map((index) => [nameOf(index), settings(index)]));
    const rc = written(join(folder, file), JSON.stringify({ ...top, profiles }));
    return ["--all", "--token", "--quiet", "--config", rc];
  };
  return new Map([
    ["`test --all`, one token", all("shared.json", { token: tokenOf(0) }, () => ({}))],
    ["`test --all`, a token each", all("own.json", {}, (index) => ({ token: tokenOf(index) }))],
    ["`test --accounts --ndjson`", streamOf(number, folder)],
  ]);
}
