import { describe, expect, test } from "vitest";
import { answering, sends } from "../faults/peers.ts";
import { processorTime } from "../support/processor-time.ts";
import { runInProcess } from "../support/run.ts";

/** Makes the checks of lines with these tokens at a server that answers everything with this body, in this time. */
async function answered(
  status: string,
  body: string,
  tokens: readonly string[],
  args: readonly string[] = [],
) {
  const fields = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  const { url } = await answering(sends(`HTTP/1.1 ${status}\r\n${fields}\r\n${body}`));
  const stdin = tokens.map((token) => `${JSON.stringify({ token })}\n`).join("");
  const environment = { REFERRAL_BASE_URL: url };
  return processorTime(() =>
    runInProcess(["test", "--accounts", "-", "--concurrency", "1", ...args], { environment, stdin }),
  );
}

const refusal = (message: string): string => JSON.stringify({ code: 401, message });
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const keys = (count: number): string =>
  Array.from({ length: count }, (_, at) => `"${at * 7_919}":1`).join(",");
const short = ["Zq8XvK2m", "Zq8XvK2n"];
/** Far more than each takes, and far less than a pattern that is not linear; in milliseconds. */
const enough = 3_000;

describe("two accounts and a server that answers with", () => {
  test.each<[string, string, string, readonly string[], readonly string[], number]>([
    ["a long word", "401 No", refusal("a".repeat(100_000)), short, [], 4],
    ["a long word, as JSON", "401 No", refusal("a".repeat(900_000)), short, ["--json"], 4],
    [
      "a long beginning of a long token",
      "401 No",
      refusal("a".repeat(900_000)),
      [`${"a".repeat(18_000)}b${"a".repeat(18_000)}`, "abcd"],
      [],
      4,
    ],
    ["arrays in arrays", "401 No", `{"code":401,"message":${nested(100_000)}}`, short, ["--diagnose"], 4],
    ["nothing but arrays in arrays", "200 OK", nested(100_000), short, [], 6],
    ["many keys", "401 No", `{"code":401,${keys(70_000)}}`, short, ["--diagnose"], 4],
    ["a long page", "404 No", `<!doctype html><title>${"<!--".repeat(200_000)}`, short, ["--verbose"], 6],
  ])("%s is soon finished, and shows little of it", async (_, status, body, tokens, args, exitCode) => {
    const { value, milliseconds } = await answered(status, body, tokens, args);
    expect(value.exitCode).toBe(exitCode);
    expect(value.everything.length).toBeLessThan(20_000);
    expect(value.everything).not.toMatch(/a{501}/);
    expect(milliseconds).toBeLessThan(enough);
  });
});
