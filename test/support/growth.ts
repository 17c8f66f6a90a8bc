// Compares the cost of two acts, where nothing can be counted. Other processes disturb a turn and can only add to it, so one turn of
// ten that is good enough proves it; what grows too fast fails in all of them.

/** Processor time of this thread for one call, in microseconds. The clock goes in steps of 4 ms, so ten steps at least are measured. */
function costOf(act: () => void): number {
  const before = process.threadCpuUsage();
  for (let count = 1; ; count += 1) {
    act();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= 40_000) return (user + system) / count;
  }
}

/** Whether one act costs more than so many times another one. */
export function costsMore(times: number, large: () => void, small: () => void): boolean {
  return Array.from({ length: 10 }).every(() => costOf(large) > times * costOf(small));
}
