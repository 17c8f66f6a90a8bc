import { expect } from "vitest";

/** What a format says: how many checks had each outcome, and how many accounts were left; null if it does not say. */
export interface Said {
  readonly counts: Readonly<Record<string, number>>;
  readonly left: number | null;
  readonly notRead: boolean | null;
}

/** How many of these there are of each. */
export const tally = (kinds: Iterable<string>): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/** Reads what each format says. Fails the test if a format contradicts itself. */
export const saidBy = {
  junit: (xml: string): Said => {
    const ofAccounts = xml.replace(/<testcase [^>]*name="run"[\s\S]*?<\/testcase>/g, "");
    const cases = ofAccounts.match(/<testcase [^>]*?(?:\/>|>[\s\S]*?<\/testcase>)/g) ?? [];
    const kinds = cases.map((one) => /<(?:failure|error) type="([^"]+)"|<(skipped) /.exec(one));
    const { skipped = 0, ...counts } = tally(kinds.map((kind) => kind?.[1] ?? kind?.[2] ?? "accepted"));
    expect(Number(/tests="(\d+)"/.exec(xml)?.[1])).toBe(xml.match(/<testcase /g)?.length);
    return { counts, left: skipped, notRead: xml.includes("before it had read all accounts") };
  },
  metrics: (text: string): Said => {
    const found = [...text.matchAll(/^referral_auth_checks\{.*outcome="(.*)"\} (\d+)$/gm)];
    const counts = found.map(([, kind = "", value]) => [kind, Number(value)] as const);
    const samples = text.match(/^referral_auth_accepted\{/gm)?.length ?? 0;
    expect(samples).toBe(counts.reduce((sum, [, value]) => sum + value, 0));
    return { counts: Object.fromEntries(counts.filter(([, value]) => value > 0)), left: null, notRead: null };
  },
  json: (text: string): Said => {
    const { checks, notChecked, notRead } = JSON.parse(text);
    return {
      counts: tally(checks.map(({ outcome }: { outcome: string }) => outcome)),
      left: notChecked,
      notRead,
    };
  },
  text: (text: string): Said => {
    const last =
      text
        .trimEnd()
        .split("\n")
        .at(-1)
        ?.replace(/^interrupted: /, "") ?? "";
    const numbers = [...last.matchAll(/(\d+) (accepted|[a-z]+(?:-[a-z]+)?)(?=[,;])/g)];
    const left = / (\d+) not checked/.exec(last)?.[1];
    const counts = numbers.map(([, value, kind = ""]) => [kind, Number(value)] as const);
    return {
      counts: Object.fromEntries(counts),
      left: Number(left ?? 0),
      notRead: last.includes("not read"),
    };
  },
} as const;
