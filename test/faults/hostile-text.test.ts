import { expect } from "vitest";
import { processorTime } from "../support/processor-time.ts";
import { runInProcess } from "../support/run.ts";
import { answer } from "./answers.ts";
import { type Fault, type Runner, testFaults } from "./faults.ts";
import { answering, sends } from "./peers.ts";

/** Responses on which a backtracking regular expression would be slow. The challenge is just under the bound of header fields. */
const answers: ReadonlyArray<readonly [title: string, bytes: Uint8Array]> = [
  ["a page of comments", answer("200 OK", `${"<!---->".repeat(29)}x`)],
  ["a page of titles that never end", answer("200 OK", `<html>${"<title".repeat(40_000)}`)],
  [
    "a challenge of quotes that never end",
    answer("401 No", "", [`WWW-Authenticate: ${'"\\'.repeat(8_000)}`]),
  ],
];

/** Runs in process and measures the time: the deadline cannot end a loop that never yields. */
const quick: Runner = async (args, given) => {
  const { value, milliseconds } = await processorTime(() => runInProcess(args, given));
  expect(milliseconds).toBeLessThan(5_000);
  return value;
};

const faults = answers.map(
  ([title, bytes]): Fault => ({ title, serve: () => answering(sends(bytes)), exit: 6 }),
);

testFaults("hostile text", faults, { inProcess: quick });
