/** A case for each of these, with a title that is made of it. */
export const each = <Given, Case>(
  values: readonly Given[],
  make: (value: Given) => Case,
  titled = (value: Given) => JSON.stringify(value).replaceAll('\\"', "'").replaceAll('"', ""),
): Readonly<Record<string, Case>> => Object.fromEntries(values.map((value) => [titled(value), make(value)]));

/** The text of a subject: what is said stands once, behind the cases in which it is said, a line for each. */
export function textOfCases(said: ReadonlyArray<readonly [title: string, lines: string]>): string {
  const groups = new Map<string, readonly string[]>();
  for (const [title, lines] of said) groups.set(lines, [...(groups.get(lines) ?? []), title]);
  return [...groups].map(([lines, titles]) => `${titles.join(" AND\n")} | ${lines}\n`).join("");
}
