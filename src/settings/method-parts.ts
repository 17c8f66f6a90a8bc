import type { SettingName } from "./table.ts";

/** What a credential of each method needs, and the conventions that decide how it is sent. */
export const methodParts = {
  token: { required: ["token"], conventions: [] },
  wsse: { required: ["username", "secret"], conventions: ["digest", "hash", "authorization"] },
} as const satisfies Record<string, Record<"required" | "conventions", readonly SettingName[]>>;
/** How a request is authenticated: by the token or by WSSE (specification, section 5). */
export type Method = keyof typeof methodParts;
