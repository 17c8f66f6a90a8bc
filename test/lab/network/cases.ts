import { expect } from "vitest";
import { launcher } from "../../support/run.ts";
import { type Network, nodeOf, openNetwork, type Ran, type Wanted } from "./network.ts";
import { apiName } from "./services.ts";

/** What is expected of the program. Sentences are searched for words, and never compared. */
export interface Expected {
  readonly exit: number;
  /** Values of the check in the JSON document, by path: `failure.step`. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Ids of findings, and how sure each is. */
  readonly findings?: Readonly<Record<string, "measured" | "possible">>;
  /** What some finding, headline, fix, error or line of standard error must say, and what none may say. */
  readonly says?: readonly RegExp[];
  readonly never?: readonly RegExp[];
}

/** One network, what curl does in it, and what the program has to do. */
export interface Case {
  /** The row of the table of failures that it belongs to, or the rule. */
  readonly row: string;
  readonly name: string;
  readonly network?: Wanted;
  readonly url?: string;
  /** More arguments of the program, and of curl. */
  readonly args?: readonly string[];
  readonly curlArgs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly node?: "20" | "22" | "26";
  /** What runs the program, such as a shell with limits. */
  readonly within?: readonly string[];
  /** The codes with which curl may end. */
  readonly curl: readonly number[];
  readonly ours: Expected;
}

/** The base URL of a service on this port. */
export const base = (port = 443, host: string = apiName): string => `https://${host}:${port}/v1`;

/** A token for the API, which takes any. */
export const token = "3f786850e387550fdab836ed7e6dc881de23001b";

/** A shell that runs this line, which runs as `"$@"` what follows. */
export const shell = (line: string): readonly string[] => ["bash", "-c", line, "bash"];

/** The command of curl for what the program checks. */
export function curlCommand({ authority }: Network, wanted: Partial<Case>): readonly string[] {
  const { url = base(), timeout = 3, curlArgs = [], network } = wanted;
  const trust = network?.bundle === undefined ? ["--cacert", authority] : [];
  const quiet = [
    "--silent",
    "--show-error",
    "--output",
    "/dev/null",
    "--write-out",
    "%{http_code} %{remote_ip}",
  ];
  return ["curl", ...quiet, ...trust, "--max-time", `${timeout}`, ...curlArgs, `${url}/test-authentication`];
}

/** The command of the program. */
export const ourCommand = ({ authority }: Network, wanted: Partial<Case>): readonly string[] => {
  const { url = base(), timeout = 3, args = [], node, within = [], network } = wanted;
  const trust = network?.bundle === undefined ? ["--ca-cert", authority] : [];
  const options = ["--json", "--base-url", url, "--timeout", String(timeout), ...trust];
  return [...within, nodeOf(node), launcher, "test", ...options, ...args];
};

/** What the tests read in a check of a JSON document. */
interface Check {
  readonly profile: string;
  readonly outcome: string;
  readonly request: { readonly durationMs: number };
  readonly connection?: { readonly steps: { readonly lookup: number } };
  readonly findings: ReadonlyArray<{ readonly id: string; readonly certainty: string }>;
}

/** The checks of a JSON document; none of any other text. */
export function checksOf({ stdout }: Ran): readonly Check[] {
  try {
    return JSON.parse(stdout).checks;
  } catch {
    return [];
  }
}

/** A value of a check by its path. */
const at = (check: unknown, path: string): unknown =>
  path.split(".").reduce((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], check);

/** Every sentence for readers in a JSON document: headlines, findings, fixes and the error. */
export const sentencesOf = (json: string): string =>
  [...json.matchAll(/"(?:message|fix|hint)": *("(?:[^"\\]|\\.)*")/g)]
    .map(([, text = ""]) => JSON.parse(text))
    .join("\n");

/** All that is not as expected, each with what is there instead. */
function mismatches(
  ran: Ran,
  { exit, facts = {}, findings = {}, says = [], never = [] }: Expected,
): readonly string[] {
  const [check] = checksOf(ran);
  const said = `${sentencesOf(ran.stdout)}\n${ran.stderr}`;
  const certainty = (id: string): unknown => check?.findings.find((finding) => finding.id === id)?.certainty;
  const wanted = [
    ...Object.entries(facts).map(([path, value]) => [path, at(check, path), value] as const),
    ...Object.entries(findings).map(([id, value]) => [`finding ${id}`, certainty(id), value] as const),
  ];
  const wrong = wanted.flatMap(([what, is, value]) => {
    try {
      expect(is).toEqual(value);
      return [];
    } catch (error) {
      return [`${what}: ${String(error).replace(/^\w+: /, "")}`];
    }
  });
  return [
    ...(ran.exitCode === exit ? [] : [`the code is ${ran.exitCode}, not ${exit}`]),
    ...(ran.lingeredMs > 1_000
      ? [`the process ended ${Math.round(ran.lingeredMs)} ms after its last line`]
      : []),
    ...wrong,
    ...says.filter((words) => !words.test(said)).map((words) => `it does not say ${words}`),
    ...never.filter((words) => words.test(said)).map((words) => `it says ${words}`),
  ];
}

/** Both runs, as a failed test shows them. */
const story = (ours: Ran, curl: Ran): string =>
  `curl ended with ${curl.exitCode} after ${Math.round(curl.ms)} ms: ${curl.stdout} ${curl.stderr.split("\n")[0]}
ours ended with ${ours.exitCode} after ${Math.round(ours.ms)} ms:
${sentencesOf(ours.stdout)}
${ours.stderr}connection: ${JSON.stringify(checksOf(ours)[0]?.connection)}`;

/** The title of a test. */
export const titleOf = ({ row, name }: Case): string =>
  `${row.startsWith("rule") ? row : `row ${row}`}: ${name}`;

/** Runs both programs at the same time in one network. Throws unless both do what is expected. */
export async function examine(wanted: Case): Promise<void> {
  await using network = await openNetwork(wanted.network);
  const how = { environment: { REFERRAL_TOKEN: token, ...wanted.environment } };
  const [curl, ours] = await Promise.all([
    network.run(curlCommand(network, wanted), how),
    network.run(ourCommand(network, wanted), how),
  ]);
  expect(wanted.curl, story(ours, curl)).toContain(curl.exitCode);
  const wrong = mismatches(ours, wanted.ours);
  if (wrong.length > 0) expect.fail([...wrong, story(ours, curl)].join("\n"));
}
