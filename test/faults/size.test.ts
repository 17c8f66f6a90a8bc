import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { folderWith } from "../support/folder.ts";
import { runAsChild, runInProcess } from "../support/run.ts";
import { answer, head } from "./answers.ts";
import { type Fault, type Runner, testFaults } from "./faults.ts";
import { answering, floods, sends } from "./peers.ts";

const most = 120 * 1024;
const ok = "HTTP/1.1 200 OK";
const chunked = head(ok, "Transfer-Encoding: chunked");
const block = "a".repeat(64 * 1024);
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, "{"));
const gzip = ["Content-Type: application/json", "Content-Encoding: gzip"];
const tenGigabytes = "Content-Length: 10000000000";

/** Answers that are larger than anything a program should hold. */
const faults: readonly Fault[] = [
  { title: "an endless body", serve: () => answering(floods(head(ok), block)), exit: 6 },
  {
    title: "an endless body in chunks",
    serve: () => answering(floods(chunked, `10000\r\n${block}\r\n`)),
    exit: 6,
  },
  {
    title: "an endless body in chunks of one byte",
    serve: () => answering(floods(chunked, "1\r\na\r\n".repeat(10_000))),
    exit: 6,
  },
  {
    title: "an endless chunk extension",
    serve: () => answering(floods(`${chunked}1;`, block)),
    exit: 6,
  },
  { title: "10 GB announced, then stalled", serve: () => answering(sends(head(ok, tenGigabytes))), exit: 6 },
  {
    title: "10 GB announced and sent",
    serve: () => answering(floods(head(ok, tenGigabytes), block)),
    exit: 6,
  },
  { title: "a gzip bomb", serve: () => answering(sends(answer("200 OK", bomb, gzip))), exit: 6 },
  {
    title: "a gzip bomb in chunks",
    serve: () =>
      answering(
        sends(
          head(ok, ...gzip, "Transfer-Encoding: chunked"),
          `${bomb.length.toString(16)}\r\n`,
          bomb,
          "\r\n0\r\n\r\n",
        ),
      ),
    exit: 6,
  },
  { title: "an endless header", serve: () => answering(floods(`${ok}\r\nX-Note: `, block)), exit: 6 },
  {
    title: "endless headers",
    serve: () => answering(floods(`${ok}\r\n`, "a:b\r\n".repeat(10_000))),
    exit: 6,
  },
  {
    title: "more header fields than an answer can need",
    serve: () => answering(sends(head(ok, ..."a:b,".repeat(1_001).split(",").slice(0, -1)))),
    exit: 6,
    says: "Too many header fields",
  },
  {
    title: "endless white space before a header's value",
    serve: () => answering(floods(`${ok}\r\nX-Note: `, " ".repeat(64 * 1024))),
    exit: 6,
  },
  { title: "an endless status line", serve: () => answering(floods("HTTP/1.1 200 ", block)), exit: 6 },
  { title: "endless empty lines", serve: () => answering(floods("", "\r\n".repeat(10_000))), exit: 6 },
  {
    title: "endless interim answers",
    serve: () => answering(floods("", head("HTTP/1.1 103 Early Hints").repeat(1_000))),
    exit: 6,
  },
  {
    title: "endless trailers",
    serve: () => answering(floods(`${chunked}2\r\n{}\r\n0\r\n`, "a:b\r\n".repeat(10_000))),
    exit: 6,
  },
];

/** Runs a child that reports its peak of memory, and compares that with the limit. */
const measured: Runner = async (args, given) => {
  const file = join(folderWith(), "peak");
  const preload = JSON.stringify(fileURLToPath(new URL("peak-memory.cjs", import.meta.url)));
  const environment = {
    ...given.environment,
    NODE_OPTIONS: `--require ${preload}`,
    PEAK_MEMORY_FILE: file,
  };
  const result = await runAsChild(args, { ...given, environment });
  const peak = Number(readFileSync(file, "latin1"));
  expect(peak).toBeGreaterThan(10 * 1024);
  expect(peak).toBeLessThan(most);
  return result;
};

testFaults(
  "size",
  faults.map((fault) => ({ ...fault, asChild: true })),
  { inProcess: runInProcess, asChild: measured },
);
