// Numbers as words of a sentence, for every room. They depend on nothing.

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A duration in words: up to two minutes in seconds ("90 s"), longer ones in their two largest units ("6 minutes 40 seconds"). */
export function durationInWords(seconds: number): string {
  if (seconds <= 120) return `${seconds} s`;
  let left = Math.round(seconds);
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left %= size;
    return { count, text: `${count} ${unit}${count === 1 ? "" : "s"}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ text }) => text)
    .join(" ");
}
