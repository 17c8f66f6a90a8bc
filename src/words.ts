// Numbers as words of a sentence, for every room. They depend on nothing.

/** A duration in words: up to two minutes in seconds ("90 s"), longer ones in their two largest units ("6 minutes 40 seconds"). */
export function durationInWords(seconds: number): string {
  if (seconds <= 120) return `${seconds} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60)];
  const parts = Object.entries({
    day: Math.floor(hours / 24),
    hour: hours % 24,
    minute: minutes % 60,
    second: whole % 60,
  });
  const first = parts.findIndex(([, count]) => count > 0);
  const told = parts.slice(first, first + 2).filter(([, count]) => count > 0);
  return told.map(([unit, count]) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" ");
}
