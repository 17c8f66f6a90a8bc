import { beforeEach } from "vitest";
import { leftOutBy } from "./left-out.ts";

beforeEach((context) => {
  const { task } = context;
  const entry = leftOutBy(task.file.filepath, task.fullTestName);
  if (entry !== undefined) context.skip(entry.reason);
});
