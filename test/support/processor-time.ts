/** What the action gave, and how many milliseconds of this thread's processor time it took, on however busy a machine. */
export async function processorTime<Value>(
  action: () => Value | Promise<Value>,
): Promise<{ readonly value: Value; readonly milliseconds: number }> {
  const before = process.threadCpuUsage();
  const value = await action();
  const { user, system } = process.threadCpuUsage(before);
  return { value, milliseconds: (user + system) / 1_000 };
}
