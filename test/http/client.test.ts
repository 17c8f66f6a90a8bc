import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Arrived, clientFor } from "../../src/http/client.ts";
import { serveAlways } from "../support/serve.ts";

test("a second request on the client of a connection fails, and nothing of it is sent", async () => {
  const api = await serveAlways();
  const socket = connect(Number(new URL(api.url).port), "127.0.0.1");
  await once(socket, "connect");
  const client = clientFor(socket, api.url);
  const request = () =>
    client.request({ method: "GET", path: "/" }).then(
      ({ body }) => body.dump().then(() => "answered"),
      (error) => error.message,
    );

  const endings = [await request(), await request()];

  expect(endings).toEqual(["answered", "the connection is closed"]);
  expect([api.requests.length, api.connections()]).toEqual([1, 1]);
  await client.destroy();
});

const proceed = "HTTP/1.1 100 Continue\r\nx: HTTP/1.1 100\r\n\r\n";
const early = "HTTP/1.1 103 Early Hints\r\n\r\n";
const final = "HTTP/1.1 200 OK\r\nx: HTTP/1.1 100\r\n\r\nHTTP/1.1 100 a\r\n\r\nHTTP/1.1 100 b";
const passed = proceed.replace("100", "102");

test.each([
  ["a final response", final, final],
  ["one", proceed + final, passed + final],
  ["two around a 103", proceed + early + proceed + final, passed + early + passed + final],
  ["101", "HTTP/1.1 101 a\r\n\r\n", "HTTP/1.1 101 a\r\n\r\n"],
  ["another protocol", "SSH-2.0-HTTP/1.1 100", "SSH-2.0-HTTP/1.1 100"],
])("100 is read past wherever a packet ends: %s", (_, sent, read) => {
  const cuts = [[...sent], ...[...sent].map((_, at) => [sent.slice(0, at), sent.slice(at)])];
  for (const pieces of cuts) {
    const stream = new PassThrough();
    const arrived = new Arrived(stream as unknown as Socket);
    const got = pieces.map((piece) => {
      stream.write(piece, "latin1");
      return String(stream.read() ?? "");
    });
    expect(got.join("")).toBe(read);
    // Of interim responses nothing is kept.
    expect(sent.endsWith(String(arrived.broken("").bytes))).toBe(true);
    if (sent.endsWith(final))
      expect([arrived.reason, String(arrived.broken("").bytes)]).toEqual(["OK", final]);
  }
});
