// What the benchmarks share: a server, the variables of the commands, and the accounts that they check.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/** The path of a file, from this folder. */
export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** The floor: the same requests by Node alone. */
export const floorFile = here("floor.cjs");

const folder = mkdtempSync(join(tmpdir(), "referral-auth-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

/** Writes a file that only the user can read, and returns its path. */
export function written(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

const worker = new Worker(here("bench-server.ts"));
const [{ http, https, certificate }] = await once(worker, "message");
worker.unref();

/** The variables of a command that checks by token, over http and over https. */
export const overHttp = {
  PATH: process.env.PATH,
  HOME: folder,
  REFERRAL_BASE_URL: http as string,
  REFERRAL_TOKEN: "t".repeat(40),
};
/** The same over https. */
export const overHttps = {
  ...overHttp,
  REFERRAL_BASE_URL: https as string,
  REFERRAL_CA_CERT: written("ca.pem", certificate),
};

/** The arguments of `test` for this many accounts, by the name of the job. */
export function jobsOver(number: number) {
  const names = Array.from({ length: number }, (_, index) => `account-${index}`);
  const tokenOf = (name: string): string => name.padStart(40, "0");
  const all = (file: string, top: object, settings: (name: string) => object): readonly string[] => {
    const profiles = Object.fromEntries(names.map((name) => [name, settings(name)]));
    const config = written(file, JSON.stringify({ ...top, profiles }));
    return ["--all", "--token", "--quiet", "--config", config];
  };
  const lines = names.map((profile) => JSON.stringify({ profile, token: tokenOf(profile) }));
  return {
    "`test --all`, one token": all("shared.json", { token: tokenOf("") }, () => ({})),
    "`test --all`, a token each": all("own.json", {}, (name) => ({ token: tokenOf(name) })),
    "`test --accounts --ndjson`": [
      "--accounts",
      written("lines", lines.join("\n")),
      "--ndjson",
      "--no-config",
    ],
  } as const;
}
