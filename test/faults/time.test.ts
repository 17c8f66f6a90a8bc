import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect } from "vitest";
import { runInProcess } from "../support/run.ts";
import { head } from "./answers.ts";
import { check, type Fault, type Runner, testFaults } from "./faults.ts";
import { absent, accepting, answering, drips, type Peer, sends, silence } from "./peers.ts";
import { behind, connected } from "./tunnels.ts";

const deadline = 400;
const mostOverrun = 250;

/** The peer, with the deadline that all of these pass. */
async function slow(peer: Promise<Peer>, args: readonly string[] = []): Promise<Peer> {
  return { ...(await peer), args: ["--timeout", String(deadline / 1000), ...args] };
}

/** An https base URL behind this proxy, with the deadline. */
async function slowlyBehind(proxy: Promise<Peer>): Promise<Peer> {
  const peer = await behind(proxy);
  return slow(Promise.resolve(peer), peer.args);
}

const length = "Content-Length: 1000";
const chunked = "Transfer-Encoding: chunked";

const faults: readonly Fault[] = [
  {
    title: "no answer",
    serve: () => slow(answering(silence)),
    exit: 8,
    says: "the server did not answer in time",
    asChild: true,
  },
  {
    title: "a status line that drips",
    serve: () => slow(answering(drips("HTTP/1.1 200 ", "O"))),
    exit: 8,
    says: "the server did not answer in time",
  },
  {
    title: "headers that drip",
    serve: () => slow(answering(drips("HTTP/1.1 200 OK\r\nX-Note: ", "a"))),
    exit: 8,
    says: "the server did not answer in time",
    asChild: true,
  },
  {
    title: "interim answers for ever",
    serve: () => slow(answering(drips("", head("HTTP/1.1 103 Early Hints")))),
    exit: 8,
    says: "the server did not answer in time",
  },
  {
    title: "no body",
    serve: () => slow(answering(sends(head("HTTP/1.1 200 OK", length)))),
    exit: 8,
    says: "the response did not end",
  },
  {
    title: "a body that drips one byte at a time",
    serve: () => slow(answering(drips(head("HTTP/1.1 200 OK", length), " "))),
    exit: 8,
    says: "the response did not end",
    asChild: true,
  },
  {
    title: "chunks that drip",
    serve: () => slow(answering(drips(head("HTTP/1.1 200 OK", chunked), "1\r\n \r\n"))),
    exit: 8,
    says: "the response did not end",
  },
  {
    title: "a success whose connection stays open without a length",
    serve: () => slow(answering(sends(head("HTTP/1.1 200 OK"), '{"code":200,"message":"Hello"}'))),
    exit: 8,
    says: "the response did not end",
  },
  {
    title: "a TLS handshake that never comes",
    serve: () => slow(accepting("https", silence)),
    exit: 8,
    says: "the TLS handshake did not finish",
    requests: 0,
    asChild: true,
  },
  {
    title: "a TLS handshake that drips",
    // The head of a handshake record of 16 KiB (RFC 8446, section 5.1), then its bytes.
    serve: () => slow(accepting("https", drips("\x16\x03\x03\x40\x00\x02", "\x00"))),
    exit: 8,
    says: "the TLS handshake did not finish",
    requests: 0,
  },
  {
    title: "a proxy that accepts and is silent",
    serve: () => slowlyBehind(answering(silence)),
    exit: 8,
    says: "the proxy did not open the connection",
    asChild: true,
  },
  {
    title: "a proxy whose answer drips",
    serve: () => slowlyBehind(answering(drips("HTTP/1.1 200 OK\r\nX-Note: ", "a"))),
    exit: 8,
    says: "the proxy did not open the connection",
  },
  {
    title: "a proxy that connects and is silent then",
    serve: () => slowlyBehind(answering(sends(connected))),
    exit: 8,
    says: "the TLS handshake did not finish",
  },
];

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
