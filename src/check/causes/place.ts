import type { Advice } from "../../settings/advice.ts";
import type { SettingName } from "../../settings/table.ts";
import type { Finding, Method } from "../outcome.ts";

const credentialParts = {
  token: ["token"],
  wsse: ["username", "secret"],
} as const satisfies Record<Method, readonly SettingName[]>;
const ofCredential = (method: Method): readonly SettingName[] => credentialParts[method];

/** What fixes tell people to look at or to change, in their words, and the settings that hold it. */
const named: Readonly<Record<string, (method: Method) => readonly SettingName[]>> = {
  "the base URL": () => ["baseUrl"],
  "the token": () => ["token"],
  "the username": () => ["username"],
  "the secret": () => ["secret"],
  "raise --timeout": () => ["timeout"],
  "another --digest": () => ["digest"],
  "Check the credential": ofCredential,
  "Compare the credential": ofCredential,
};
const pattern = new RegExp(`\\b(${Object.keys(named).join("|")})\\b(?:'s \\w+)?`);

/** The finding, whose fix says where the first setting that it names is set now. A fix that says so itself stays. */
export function withPlace(finding: Finding, method: Method, advice: Advice): Finding {
  if (finding.fix.includes("(now set ")) return finding;
  const fix = finding.fix.replace(pattern, (words, name: string) => {
    const places = named[name]?.(method).map((setting) => advice.placeOf(setting)) ?? [];
    return `${words} (now set by ${places.join(" and ")})`;
  });
  return { ...finding, fix };
}
