/** Characters that many patterns treat in a special way, added to those of the pattern itself. */
const usual = ["a", "1", " ", "\n", '"', "\\"];

/** The texts between the operators of a pattern, its signs, and the usual ones: what an attack on it repeats. */
function piecesOf({ source }: RegExp): readonly string[] {
  const plain = source.replace(/\\[a-zA-Z](?:\{\w+\}|[\da-f]*)/g, "|").replaceAll("\\", "");
  const runs = plain.split(/[()[\]{}|*+?.^$]+/).map((run) => run.replace(/^[:=!<]+(?=\w)/, ""));
  const signs = plain.match(/[^\w\s]/g) ?? [];
  return [...new Set([...runs, ...signs, ...usual])].filter((text) => text !== "");
}

/** The least of some times, in milliseconds, that the pattern needs to replace all that it finds in a text. */
function timeOf(pattern: RegExp, text: string, attempts: number): number {
  const times = Array.from({ length: attempts }, () => {
    const before = process.threadCpuUsage();
    text.replace(pattern, "");
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return times.reduce((least, time) => Math.min(least, time));
}

const length = 4_000;
/** A linear pattern needs a fifth of this time for so long a text, a quadratic one several times as much; in milliseconds. */
const suspicious = 0.5;

/**
 * The first hostile text on which four times the length takes more than eight times as long, shortened; null if there is none.
 * The texts repeat one or two pieces of the pattern and end with what few patterns take.
 */
export function hostileTextFor(pattern: RegExp): string | null {
  if (!/[*+]|\{\d+,\}/.test(pattern.source)) return null;
  const pieces = piecesOf(pattern);
  for (const repeated of pieces.flatMap((one) => pieces.map((other) => one + other))) {
    const text = (times: number): string => `${repeated.repeat((times * length) / repeated.length)}\n\0`;
    if (timeOf(pattern, text(1), 1) < suspicious) continue;
    const [short, long] = [timeOf(pattern, text(1), 3), timeOf(pattern, text(4), 3)];
    if (long > 8 * Math.max(short, 0.5)) return JSON.stringify(repeated);
  }
  return null;
}
