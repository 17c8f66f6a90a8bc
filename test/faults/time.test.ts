import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect } from "vitest";
import { runInProcess } from "../support/run.ts";
import { head, successText } from "./answers.ts";
import { check, type Fault, type Runner, testFaults } from "./faults.ts";
import { absent, accepting, answering, drips, type Peer, sends, silence } from "./peers.ts";
import { behind, connected } from "./tunnels.ts";

const deadline = 400;
const mostOverrun = 250;

const length = "Content-Length: 1000";
const chunked = "Transfer-Encoding: chunked";
const noAnswer = "the server did not answer in time";
const noEnd = "the response did not end";
const noHandshake = "the TLS handshake did not finish";
const noProxy = "the proxy did not open the connection";

type Row = readonly [title: string, says: string, serve: () => Promise<Peer>, requests?: number];

const rows: readonly Row[] = [
  ["no answer", noAnswer, () => answering(silence)],
  ["a status line that drips", noAnswer, () => answering(drips("HTTP/1.1 200 ", "O"))],
  ["headers that drip", noAnswer, () => answering(drips("HTTP/1.1 200 OK\r\nX-Note: ", "a"))],
  ["interim answers for ever", noAnswer, () => answering(drips("", head("HTTP/1.1 103 Early Hints")))],
  ["no body", noEnd, () => answering(sends(head("HTTP/1.1 200 OK", length)))],
  [
    "a body that drips one byte at a time",
    noEnd,
    () => answering(drips(head("HTTP/1.1 200 OK", length), " ")),
  ],
  ["chunks that drip", noEnd, () => answering(drips(head("HTTP/1.1 200 OK", chunked), "1\r\n \r\n"))],
  [
    "a success whose connection stays open without a length",
    noEnd,
    () => answering(sends(head("HTTP/1.1 200 OK"), successText)),
  ],
  ["a TLS handshake that never comes", noHandshake, () => accepting("https", silence), 0],
  [
    "a TLS handshake that drips",
    noHandshake,
    // The head of a handshake record of 16 KiB (RFC 8446, section 5.1), then its bytes.
    () => accepting("https", drips("\x16\x03\x03\x40\x00\x02", "\x00")),
    0,
  ],
  ["a proxy that accepts and is silent", noProxy, () => behind(answering(silence))],
  ["a proxy whose answer drips", noProxy, () => behind(answering(drips("HTTP/1.1 200 OK\r\nX-Note: ", "a")))],
  ["a proxy that connects and is silent then", noHandshake, () => behind(answering(sends(connected)))],
];

const alsoAsChild = new Set([
  "no answer",
  "headers that drip",
  "a body that drips one byte at a time",
  "a TLS handshake that never comes",
  "a proxy that accepts and is silent",
]);

const faults = rows.map(([title, says, serve, requests = 1]): Fault => {
  const slow = async (): Promise<Peer> => {
    const { args = [], ...peer } = await serve();
    return { ...peer, args: ["--timeout", String(deadline / 1000), ...args] };
  };
  return { title, serve: slow, exit: 8, says, requests, asChild: alsoAsChild.has(title) };
});

/** The delay of the machine itself: that of a timer of the same length, beside the run. */
async function lateness(): Promise<number> {
  const began = performance.now();
  await wait(deadline);
  return performance.now() - began - deadline;
}

/** Runs in process and compares the time of the whole run with the deadline. */
const timed: Runner = async (args, given) => {
  const late = lateness();
  const began = performance.now();
  const result = await runInProcess(args, given);
  const overrun = performance.now() - began - deadline;
  expect(overrun).toBeGreaterThan(-5);
  expect(overrun - (await late)).toBeLessThanOrEqual(mostOverrun);
  return result;
};

// The modules that a run loads are loaded by vitest here, which takes its own time.
beforeAll(async () => {
  await check(await absent("https://127.0.0.1:1"), "wsse", runInProcess);
});

// A machine that pauses makes one run late. A program that is late is late every time.
testFaults("time", faults, { inProcess: timed, retry: 2 });
