import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { type Given, type Run, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

/** How a run shows its result, and what runs it. */
export interface Format {
  readonly args: readonly string[];
  readonly inJob?: boolean;
  readonly run?: (args: readonly string[], given: Given) => Promise<Run>;
  /** Called with the request of the last account, which gets no response then. */
  readonly onLast?: () => void;
}

/** What a hostile text came to: the exit code, everything that was shown, and whether all others kept their verdicts. */
interface Result {
  readonly exitCode: number;
  readonly shown: string;
  readonly othersAccepted: boolean;
}

/** Puts a text in its place and lets the program meet it. */
export type Attack = (text: string, format: Format) => Promise<Result>;

/** The files and the environment of a run, and more arguments. Accounts called `before` and `after` must be accepted. */
interface Prepared extends Pick<Given, "environment"> {
  readonly files: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  /** A whole command line in the place of `test` with its formats. */
  readonly command?: readonly string[] | undefined;
}

/** Runs `test` in `work`, a folder in the home folder, and collects what it shows on its streams and in files. */
export async function meet(
  { files, args = [], environment, command }: Prepared,
  format: Format,
): Promise<Result> {
  const homeFolder = folderWith({ ...files, "work/report.xml": "" });
  const workingFolder = join(homeFolder, "work");
  const found = readdirSync(workingFolder).filter((file) => file !== "report.xml");
  // As in a clone: others can read it.
  for (const file of found) chmodSync(join(workingFolder, file), 0o644);
  const summary = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(workingFolder, "summary.md") };
  const { run: start = runInProcess, inJob = false } = format;
  const checking = ["test", "--timeout", "30", "--junit", "report.xml", ...args, ...format.args];
  const run = await start(command ?? checking, {
    homeFolder,
    workingFolder,
    environment: { ...environment, ...(inJob && summary) },
  });
  const reports = readdirSync(workingFolder).filter((file) => !found.includes(file));
  const texts = reports.map((file) => readFileSync(join(workingFolder, file), "utf8"));
  const accepted = texts.join("").match(/<testcase classname="referral-auth\.(?:before|after)" [^>]*\/>/g);
  return {
    exitCode: run.exitCode,
    shown: [run.stdout, run.stderr, ...texts].join("\n"),
    othersAccepted: accepted?.length === 2,
  };
}

/** Accounts that their server accepts. */
export async function good({ onLast }: Format) {
  const api = await serve(({ url, headers }, response) => {
    if (onLast && url?.startsWith("/after")) return onLast();
    const isKnown = headers["x-auth-token"] === planted.token;
    return json(response, isKnown ? 200 : 401, isKnown ? success : { code: 401, message: "No" });
  });
  const account = (name: string) => ({ baseUrl: `${api.url}/${name}`, token: planted.token });
  return { before: account("before"), after: account("after") };
}

/** The environment of a run that checks one account. */
export async function variables(format: Format) {
  const { before } = await good(format);
  return { REFERRAL_BASE_URL: before.baseUrl, REFERRAL_TOKEN: before.token };
}

/** Two hostile lines of `--accounts` between two good ones. */
export async function meetLines(line: object | string, format: Format, more: readonly string[] = []) {
  const { before, after } = await good(format);
  const lines = [{ profile: "before", ...before }, line, line, { profile: "after", ...after }];
  const text = lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  return meet({ files: { "lines.jsonl": text }, args: ["--accounts", "../lines.jsonl", ...more] }, format);
}

/** Two good rows of CSV below a header with this column more, and behind them the hostile row twice, since it can end the reading. */
export async function meetRows(row: string, column: string, format: Format) {
  const { before, after } = await good(format);
  const rows = [
    `Name,Token,Base URL,E-mail,Secret,${column}`,
    `before,${before.token},${before.baseUrl},,,`,
    `after,${after.token},${after.baseUrl},,,`,
  ];
  const files = { "accounts.csv": [...rows, row, row].join("\r\n") };
  const environment = { REFERRAL_BASE_URL: "http://127.0.0.1:1" };
  return meet({ files, environment, args: ["--accounts", "../accounts.csv"] }, format);
}

/** A text of this length whose parts have the same length and repeat these pieces. */
export const textOf = (pieces: readonly string[], length: number): string =>
  pieces.map((piece) => piece.repeat(length / pieces.length / piece.length)).join("");
