import { scale } from "../properties/runs.ts";

/** The result of the action, and the processor time that it took in this thread, in milliseconds. */
export async function processorTime<Value>(
  action: () => Value | Promise<Value>,
): Promise<{ readonly value: Value; readonly milliseconds: number }> {
  const before = process.threadCpuUsage();
  const value = await action();
  const { user, system } = process.threadCpuUsage(before);
  return { value, milliseconds: (user + system) / 1_000 };
}

/**
 * Whether four times the length takes more than six times the milliseconds that `timeOf` gives for a length. All of three
 * attempts must show it, since the garbage collector and other processes add to one. In `--mode properties` both lengths are greater.
 * Less than `noticeable` milliseconds does not count: a pattern of quadratic time takes 40 to 140 ms for 10,000 characters, and
 * most tests read several times as many.
 */
export async function isOutOfProportion(
  timeOf: (length: number) => Promise<number>,
  length = 2_500,
  noticeable = 50,
): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const long = await timeOf(4 * length * scale);
    if (long < noticeable * scale || long <= 6 * (await timeOf(length * scale))) return false;
  }
  return true;
}
