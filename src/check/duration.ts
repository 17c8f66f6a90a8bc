const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** A duration in words: up to two minutes in seconds ("90 s"), longer ones in their two largest units ("6 minutes 40 seconds"). */
export function durationInWords(seconds: number): string {
  if (seconds <= 120) return `${seconds} s`;
  const whole = Math.round(seconds);
  const first = units.findIndex(([, size]) => whole >= size);
  const [[unit, size], next] = [units[first] ?? units[3], units[first + 1]];
  const rest = next === undefined ? 0 : Math.floor((whole % size) / next[1]);
  const largest = counted(Math.floor(whole / size), unit);
  return next === undefined || rest === 0 ? largest : `${largest} ${counted(rest, next[0])}`;
}
