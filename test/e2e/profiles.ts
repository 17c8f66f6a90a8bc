import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { type GivenInProcess, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

/** The planted account as environment variables. */
export const wsse = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };

/** Accounts of an rc file, by name. */
export type Profiles = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** An rc file of these profiles, which inherit the base URL and the planted token. */
export const rcOf = (url: string, profiles: Profiles): string =>
  JSON.stringify({ baseUrl: url, token: planted.token, profiles });

/** Profiles named p0, p1 and so on, which inherit everything. */
export function plain(count: number): Record<string, Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}]));
}

/** How a server answers a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The specified success. */
export const accept: Answer = (_, response) => json(response, 200, success);

/** The API's refusal. */
export const refuse: Answer = (_, response) => json(response, 401, { code: 401, message: "No" });

interface Place {
  readonly profiles?: Profiles;
  readonly answer?: Answer;
  /** The API, if it is not a server that answers so. */
  readonly url?: string;
  /** Other files, or another `.referralrc`. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/**
 * An API, and a folder with an rc file of profiles for it. `run` runs `test` with the folder as home and as working folder. With
 * the environment `job` it is a job of GitHub Actions, whose summary is the file `summary.md`.
 */
export async function place({ profiles = plain(3), answer = accept, url, files }: Place = {}) {
  const api = await serve(answer);
  const folder = folderWith({ ".referralrc": rcOf(url ?? api.url, profiles), ...files });
  const run = (args: readonly string[], given: GivenInProcess = {}) =>
    runInProcess(["test", ...args], { homeFolder: folder, workingFolder: folder, ...given });
  const job = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  return { api, folder, run, job };
}
