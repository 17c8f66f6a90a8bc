import { usernameProblem } from "../wsse/header.ts";
import type { Invalid } from "./definition.ts";

/** The username, if the X-WSSE header can carry it. */
export function parseUsername(text: string): string | Invalid {
  const problem = usernameProblem(text);
  return problem === null ? text : { problem, hint: "Write it exactly as the account shows it" };
}
