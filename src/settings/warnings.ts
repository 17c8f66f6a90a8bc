import { closest, distance } from "fastest-levenshtein";
import type { Environment } from "./source.ts";
import { definitionOf, extraVariables, flagOf, settingNames } from "./table.ts";

const ours = [
  ...settingNames.flatMap((name) => definitionOf(name).variables),
  ...Object.values(extraVariables),
].filter((name) => name.startsWith("REFERRAL_"));

// Kubernetes sets these for a service named "referral", and Docker links do so too.
const ofService = /_(?:SERVICE_HOST|SERVICE_PORT(?:_.*)?|PORT(?:_.*)?|NAME|ENV_.*)$/s;

const mostEdits = 2;

/** The variables that are set and whose names are close to one of ours, each with the name that is probably meant. */
export function misspeltVariables(
  environment: Environment,
): ReadonlyArray<{ readonly name: string; readonly meant: string }> {
  return Object.keys(environment)
    .filter((name) => /^.?REF/i.test(name) && !ours.includes(name) && !ofService.test(name))
    .filter((name) => environment[name])
    .flatMap((name) => {
      const meant = closest(name.toUpperCase(), ours);
      return distance(name.toUpperCase(), meant) <= mostEdits ? [{ name, meant }] : [];
    });
}

/**
 * Warnings about variables whose name looks like a misspelt variable of a setting, and about secrets on the command line: process
 * lists and shell history can show them. Escape them before they are shown.
 */
export function warningsOf(
  options: Readonly<Record<string, unknown>>,
  environment: Environment,
): readonly string[] {
  const misspelt = misspeltVariables(environment).map(
    ({ name, meant }) => `${name} is set and not used; did you mean ${meant}?`,
  );
  const exposed = (["token", "secret"] as const).filter((name) => typeof options[name] === "string");
  if (exposed.length === 0) return misspelt;
  const flags = exposed.map(flagOf).join(" and ");
  const better = exposed.map((name) => `${flagOf(`${name}File`)} or ${definitionOf(name).variables[0]}`);
  return [
    ...misspelt,
    `${flags} on the command line can be seen in process lists and shell history; use ${better.join(", ")}`,
  ];
}
