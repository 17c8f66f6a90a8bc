/**
 * How long this kept the processor busy, in milliseconds. A clock would count what other programs of the machine do
 * meanwhile.
 */
export async function processorTime(action: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await action();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
