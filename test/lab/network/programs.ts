import { childNode, launcher } from "../../support/run.ts";
import type { Network, Ran } from "./network.ts";
import { apiName } from "./services.ts";

/** The base URL of a service on this port. */
export const base = (port = 443, host: string = apiName): string => `https://${host}:${port}/v1`;

/** A token for the API, which takes any. */
export const token = "3f786850e387550fdab836ed7e6dc881de23001b";

/** The command of curl for what the program checks at this base URL, with this deadline in seconds. */
export function curlCommand({ trusting }: Network, url: string, timeout: number): readonly string[] {
  const quiet = ["--silent", "--show-error", "--output", "/dev/null"];
  return ["curl", ...quiet, ...trusting.curl, "--max-time", `${timeout}`, `${url}/test-authentication`];
}

/** The command of the program, with this deadline in seconds, on this Node. */
export function ourCommand(
  { trusting }: Network,
  timeout: number,
  args: readonly string[],
  node = childNode,
): readonly string[] {
  return [node, launcher, "test", "--json", "--timeout", `${timeout}`, ...trusting.ours, ...args];
}

/** What the tests read in a check of a JSON document. */
interface Check {
  readonly profile: string;
  readonly outcome: string;
  readonly request: { readonly durationMs: number };
  readonly connection: {
    readonly address: string | null;
    readonly port: number;
    readonly proxy: string | null;
    readonly tried: ReadonlyArray<{ readonly address: string; readonly code: string | null }>;
    readonly steps: Readonly<Record<string, number | null>>;
  };
  readonly failure: { readonly step: string; readonly code: string } | null;
  readonly findings: ReadonlyArray<Readonly<Record<"id" | "certainty" | "message", string>>>;
}

/** The checks of a JSON document. Throws what the program said if it is none. */
export function checksOf({ stdout, stderr }: Ran): readonly Check[] {
  try {
    return JSON.parse(stdout).checks;
  } catch {
    throw new Error(stdout + stderr);
  }
}
