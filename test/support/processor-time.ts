/** The result of the action, and the processor time that it took in this thread, in milliseconds. */
export async function processorTime<Value>(
  action: () => Value | Promise<Value>,
): Promise<{ readonly value: Value; readonly milliseconds: number }> {
  const before = process.threadCpuUsage();
  const value = await action();
  const { user, system } = process.threadCpuUsage(before);
  return { value, milliseconds: (user + system) / 1_000 };
}
