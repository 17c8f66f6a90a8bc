import { beforeEach } from "vitest";
import { leftOutBy } from "./left-out.ts";

beforeEach(({ task, skip }) => {
  const entry = leftOutBy(task.file.filepath, task.fullTestName);
  if (entry !== undefined) skip(entry.reason);
});
