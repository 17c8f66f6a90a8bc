import { expect } from "vitest";
import { processorTime } from "../support/processor-time.ts";
import { runInProcess } from "../support/run.ts";
import { answer } from "./answers.ts";
import { type Fault, type Runner, testFaults } from "./faults.ts";
import { answering, sends } from "./peers.ts";

/** Responses on which a backtracking regular expression would be slow. */
const faults: readonly Fault[] = [
  {
    title: "a page of comments",
    serve: () => answering(sends(answer("200 OK", `${"<!---->".repeat(29)}x`))),
    exit: 6,
  },
  {
    title: "a page of titles that never end",
    serve: () => answering(sends(answer("200 OK", `<html>${"<title".repeat(40_000)}`))),
    exit: 6,
  },
  {
    title: "a challenge of quotes that never end",
    // Just under the bound of header fields.
    serve: () => answering(sends(answer("401 No", "", [`WWW-Authenticate: ${'"\\'.repeat(8_000)}`]))),
    exit: 6,
  },
];

/** Runs in process and measures the time: the deadline cannot end a loop that never yields. */
const quick: Runner = async (args, given) => {
  const { value, milliseconds } = await processorTime(() => runInProcess(args, given));
  expect(milliseconds).toBeLessThan(5_000);
  return value;
};

testFaults("hostile text", faults, { inProcess: quick });
