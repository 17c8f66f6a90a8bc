import { expect, test } from "vitest";
import { built, runInProcess } from "../support/run.ts";
import { head, successText } from "./answers.ts";
import { check, type Fault, meet, testFaults } from "./faults.ts";
import { type Act, accepting, answering, drips, type Peer, sends, silence } from "./peers.ts";
import { behind, connected } from "./tunnels.ts";

const deadline = 1_000;

const ok = "HTTP/1.1 200 OK";
const noAnswer = /the request was sent, but 127\.0\.0\.1 port \d+ did not answer in time/;
const noHead =
  /the request was sent, and 127\.0\.0\.1 port \d+ began to answer, but the head of its response did not end/;
const noEnd = /the response of 127\.0\.0\.1 port \d+ did not end/;
const noHandshake = /127\.0\.0\.1 port \d+ accepted the connection and sent nothing in the TLS handshake/;
const halfHandshake = /the TLS handshake with 127\.0\.0\.1 port \d+ did not finish: only a part/;
const noProxy = /the proxy 127\.0\.0\.1:\d+ \(set by --proxy\) did not answer CONNECT/;
const halfProxy =
  /the proxy 127\.0\.0\.1:\d+ \(set by --proxy\) began to answer CONNECT, but its answer did not end/;
const noTunnel = /the proxy 127\.0\.0\.1:\d+ \(set by --proxy\) opened the way to .*, and nothing came/;

const api = (act: Act) => () => answering(act);
const secure = (act: Act) => () => accepting("https", act);
const proxy = (act: Act) => () => behind(answering(act));
const asChild = true;

// test/http has the step that each deadline names. What drips shows that the deadline is one for the whole exchange.
const rows: readonly Fault[] = [
  ["no answer", 8, noAnswer, api(silence), { asChild }],
  ["a status line that drips", 8, noHead, api(drips("HTTP/1.1 200 ", "O"))],
  ["headers that drip", 8, noHead, api(drips(`${ok}\r\nX-Note: `, "a")), { asChild }],
  ["interim answers for ever", 8, noHead, api(drips("", head("HTTP/1.1 103 Early Hints")))],
  ["a body that drips", 8, noEnd, api(drips(head(ok, "Content-Length: 1000"), " ")), { asChild }],
  ["chunks that drip", 8, noEnd, api(drips(head(ok, "Transfer-Encoding: chunked"), "1\r\n \r\n"))],
  ["a success without a length that stays open", 8, noEnd, api(sends(head(ok), successText))],
  ["no handshake", 8, noHandshake, secure(silence), { requests: 0, asChild }],
  // The head of a handshake record of 16 KiB (RFC 8446, section 5.1), then its bytes.
  [
    "a handshake that drips",
    8,
    halfHandshake,
    secure(drips("\x16\x03\x03\x40\x00\x02", "\x00")),
    { requests: 0 },
  ],
  ["a proxy that is silent", 8, noProxy, proxy(silence), { asChild }],
  ["a proxy whose answer drips", 8, halfProxy, proxy(drips(`${ok}\r\nX-Note: `, "a"))],
  ["a proxy that connects and is silent then", 8, noTunnel, proxy(sends(connected))],
];

const faults = rows.map(([title, exit, says, serve, special]): Fault => {
  const slow = async (): Promise<Peer> => {
    const { args = [], ...peer } = await serve();
    return { ...peer, args: ["--timeout", String(deadline / 1000), ...args] };
  };
  return [title, exit, says, slow, special];
});

if (built) testFaults("time", faults);
else {
  test("each of these, in process and at once, exits 8 at its deadline", async () => {
    await Promise.all(faults.map((fault) => meet(fault, runInProcess)));
  });

  // The timers of one process end in their order, on a slow machine too.
  test.each([
    [deadline / 2, 0],
    [deadline * 1.5, 8],
  ] as const)("an answer after %i of 1,000 ms exits %i", async (pause, exitCode) => {
    const act = sends(head(ok, `Content-Length: ${successText.length}`) + successText);
    const peer = await answering((socket) => setTimeout(act, pause, socket));
    const args = ["--timeout", String(deadline / 1000)];
    expect(await check({ ...peer, args }, runInProcess)).toMatchObject({ exitCode });
  });
}
