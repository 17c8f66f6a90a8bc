/** A case for each of these, with a title that is made of it. */
export const each = <Given, Case>(
  values: readonly Given[],
  make: (value: Given) => Case,
  titled = (value: Given) => JSON.stringify(value).replaceAll('\\"', "'").replaceAll('"', ""),
): Readonly<Record<string, Case>> => Object.fromEntries(values.map((value) => [titled(value), make(value)]));

type Said = ReadonlyArray<readonly [title: string, lines: string]>;

/** What is said, with the titles of all cases in which it is. */
function grouped(said: Said): ReadonlyArray<readonly [lines: string, titles: readonly string[]]> {
  const groups = new Map<string, readonly string[]>();
  for (const [title, lines] of said) groups.set(lines, [...(groups.get(lines) ?? []), title]);
  return [...groups];
}

/** The text of a subject: what is said stands once, behind the cases in which it is said, a line for each. */
export const textOfCases = (said: Said): string =>
  grouped(said)
    .map(([lines, titles]) => `${titles.join(" AND\n")} | ${lines}\n`)
    .join("");

/** The text of a subject whose cases have a line and findings below it. A finding stands once; others name the case where it stands. */
export function textOfReports(said: Said): string {
  const places = new Map<string, string>();
  return grouped(said)
    .map(([lines, titles]) => {
      const [head = "", ...findings] = lines.split("\n");
      const known = findings.filter((one) => places.has(one));
      const elsewhere = known.map((one) => ` | ${/\S+ [\w-]+/.exec(one)} as in ${places.get(one)}`);
      const others = findings.filter((one) => !places.has(one));
      for (const one of others) places.set(one, titles[0] ?? "");
      return `${titles.join(" AND\n")} | ${[head + elsewhere.join(""), ...others].join("\n")}\n`;
    })
    .join("");
}
