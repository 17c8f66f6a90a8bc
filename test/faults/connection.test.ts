import { head, successText } from "./answers.ts";
import { type Fault, testFaults } from "./faults.ts";
import { absent, accepting, answering, sendsThenEnds, sendsThenResets } from "./peers.ts";

const length = `Content-Length: ${successText.length}`;
const half = successText.slice(0, 20);

const before = "ended before the response";
const within = "ended in the middle of the response";
const ok = "HTTP/1.1 200 OK";
const chunks = (...lines: readonly string[]): string => head(ok, "Transfer-Encoding: chunked", ...lines);

/** Responses that stop too early, each with the part that is sent. */
const beginnings: ReadonlyArray<readonly [where: string, text: string, says: string]> = [
  ["before headers", "", before],
  ["inside the status line", "HTTP/1.1 2", before],
  ["inside headers", `${ok}\r\n${length}\r\nConte`, before],
  ["after an interim answer", head("HTTP/1.1 103 Early Hints"), before],
  ["before the body", head(ok, length), within],
  ["mid-body", head(ok, length) + half, within],
  ["mid-body of a connection that is to close", head(ok, length, "Connection: close") + half, within],
  ["mid-chunk", `${chunks()}40\r\n${half}`, within],
  ["mid-chunk of a connection that is to close", `${chunks("Connection: close")}40\r\n${half}`, within],
  [
    "before the last chunk",
    `${chunks("Connection: close")}${successText.length.toString(16)}\r\n${successText}\r\n`,
    within,
  ],
];

const cut: readonly Fault[] = beginnings.flatMap(([where, text, says]) => [
  {
    title: `an end (FIN) ${where}`,
    serve: () => answering(sendsThenEnds(text)),
    exit: 7,
    says: `${says} (EOF)`,
    asChild: where === "mid-body",
  },
  {
    title: `a reset (RST) ${where}`,
    serve: () => answering(sendsThenResets(text)),
    exit: 7,
    says: `${says} (ECONNRESET)`,
    asChild: where === "mid-chunk",
  },
]);

testFaults("name and TCP", [
  {
    title: "a name that does not exist",
    // A machine without a network may be slow to say so.
    serve: () => absent("https://x.invalid", ["--timeout", "25"]),
    exit: 7,
    says: "x.invalid",
    connections: 0,
    requests: 0,
    asChild: true,
  },
  {
    title: "a closed port",
    serve: () => absent("http://127.0.0.1:1"),
    exit: 7,
    says: "nothing listens at 127.0.0.1 port 1 (ECONNREFUSED)",
    connections: 0,
    requests: 0,
    asChild: true,
  },
  {
    title: "a closed port at an IPv6 address",
    serve: () => absent("http://[::1]:1"),
    exit: 7,
    says: "nothing listens at [::1] port 1 (ECONNREFUSED)",
    connections: 0,
    requests: 0,
  },
  ...(["end", "resetAndDestroy"] as const).map(
    (how): Fault => ({
      title: `a connection that is over as soon as it is there (${how})`,
      serve: () => accepting("http", (socket) => socket[how]()),
      exit: 7,
      requests: 0,
    }),
  ),
  ...cut,
  {
    title: "a reset in a body that the connection's end delimits",
    serve: () => answering(sendsThenResets(head("HTTP/1.1 200 OK") + half)),
    exit: 7,
    says: "ended in the middle of the response (ECONNRESET)",
  },
]);
