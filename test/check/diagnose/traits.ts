import type { Variant } from "../../../src/check/check-context.ts";

/** What a request authenticates with, in the words of a proof, one for each change. */
export function traitsOf({ credential, shiftSeconds }: Variant): readonly string[] {
  if (credential?.method !== "wsse") return ["no credentials"];
  const { secret, digest, hash, authorization } = credential;
  return [
    ...(secret.reveal() === "correct-horse" ? ["the secret without quotation marks around it"] : []),
    ...(secret.reveal() === "a-token" ? ["the token as the secret"] : []),
    ...(digest === "text-nonce" ? [] : [`\`digest: ${digest}\``]),
    ...(hash === "sha1" ? [] : [`\`hash: ${hash}\``]),
    ...(authorization === "none" ? [] : ["`authorization: wsse`"]),
    ...(shiftSeconds === 0 ? [] : [`Created ${-shiftSeconds} s earlier`]),
  ];
}

/** The traits that a proof names. */
export const traitsIn = (finding: string): readonly string[] =>
  /accepted with(?:out credentials()| (.*?))(?::|;)/
    .exec(finding.replace(/`(\w+): /g, "`$1=").replace(/^.*?: /, ""))
    ?.slice(1)
    .flatMap((words) => (words === undefined ? [] : words === "" ? ["no credentials"] : words.split(" and ")))
    .map((words) => words.replace("=", ": ")) ?? [];
