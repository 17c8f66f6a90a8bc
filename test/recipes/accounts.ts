import { stringify } from "yaml";
import { planted } from "../support/planted.ts";

/** How many profiles each of four shards gets: one of them gets a second. */
export const accountNames = ["first", "second", "third", "fourth", "fifth"] as const;

/** What each profile is to have instead of the planted token. */
export type Accounts = Readonly<
  Partial<Record<(typeof accountNames)[number], Readonly<Record<string, string>>>>
>;

/** An rc file of five accounts of this API, whose tokens are the planted one where nothing else is said. */
export function rcWith(baseUrl: string, accounts: Accounts = {}): string {
  const profiles = accountNames.map((name) => [name, accounts[name] ?? { token: planted.token }] as const);
  return stringify({ baseUrl, profiles: Object.fromEntries(profiles) });
}
