import { planted } from "../support/planted.ts";

/** An rc file of these profiles, which inherit the base URL and the planted token. */
export function rcOf(
  url: string,
  profiles: Readonly<Record<string, Readonly<Record<string, string | number>>>>,
): string {
  return JSON.stringify({ baseUrl: url, token: planted.token, profiles });
}

/** Profiles named p0, p1 and so on, which inherit everything. */
export function plain(count: number): Record<string, Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}]));
}

interface CheckDocument {
  readonly profile: string;
  readonly method: string | null;
  readonly outcome: string;
}

/** The checks of a printed result document. */
export function checksOf(stdout: string): readonly CheckDocument[] {
  return JSON.parse(stdout).checks;
}
