import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { folderWith } from "../support/folder.ts";
import { runAsChild } from "../support/run.ts";
import { answer, head } from "./answers.ts";
import { type Fault, type Runner, testFaults } from "./faults.ts";
import { type Act, answering, floods, sends } from "./peers.ts";

const most = 120 * 1024;
const ok = "HTTP/1.1 200 OK";
const chunked = head(ok, "Transfer-Encoding: chunked");
const block = "a".repeat(64 * 1024);
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, "{"));
const tenGigabytes = head(ok, "Content-Length: 10000000000");

/** Answers that are larger than anything a program should hold. */
const answers: ReadonlyArray<readonly [title: string, act: Act]> = [
  ["an endless body", floods(head(ok), block)],
  ["an endless body in chunks", floods(chunked, `10000\r\n${block}\r\n`)],
  ["an endless body in chunks of one byte", floods(chunked, "1\r\na\r\n".repeat(10_000))],
  ["an endless chunk extension", floods(`${chunked}1;`, block)],
  ["10 GB announced, then stalled", sends(tenGigabytes)],
  ["10 GB announced and sent", floods(tenGigabytes, block)],
  ["a gzip bomb", sends(answer("200 OK", bomb, ["Content-Encoding: gzip"]))],
  ["an endless header", floods(`${ok}\r\nX-Note: `, block)],
  ["endless headers", floods(`${ok}\r\n`, "a:b\r\n".repeat(10_000))],
  ["20,000 headers", sends(head(ok, ...Array<string>(20_000).fill("X-Note: a")))],
  ["endless white space before a header's value", floods(`${ok}\r\nX-Note: `, " ".repeat(64 * 1024))],
  ["an endless status line", floods("HTTP/1.1 200 ", block)],
  ["endless empty lines", floods("", "\r\n".repeat(10_000))],
  ["endless interim answers", floods("", head("HTTP/1.1 103 Early Hints").repeat(1_000))],
  ["endless trailers", floods(`${chunked}2\r\n{}\r\n0\r\n`, "a:b\r\n".repeat(10_000))],
];

/** Runs a child that reports its peak of memory, and compares that with the limit. */
const measured: Runner = async (args, given) => {
  const file = join(folderWith(), "peak");
  const preload = JSON.stringify(fileURLToPath(new URL("peak-memory.cjs", import.meta.url)));
  const more = { NODE_OPTIONS: `--require ${preload}`, PEAK_MEMORY_FILE: file };
  const result = await runAsChild(args, { ...given, environment: { ...given.environment, ...more } });
  const peak = Number(readFileSync(file, "latin1"));
  expect(peak).toBeGreaterThan(10 * 1024);
  expect(peak).toBeLessThan(most);
  return result;
};

const faults = answers.map(([title, act]): Fault => [title, 6, "", () => answering(act), { asChild: true }]);

testFaults("size", faults, measured);
