import { Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openTcp } from "../../src/http/connect.ts";
import type { Lookup } from "../../src/http/lookup.ts";
import { ConnectionRecorder } from "../../src/http/record.ts";
import { hostAndPort } from "../../src/system/addresses.ts";
import { answering, silence } from "../faults/peers.ts";

test.each([
  ["https://a.example", "a.example", 443],
  ["http://a.example", "a.example", 80],
  ["https://a.example:80", "a.example", 80],
  ["http://[::1]:8080", "::1", 8080],
])("%s leads to %s, port %i", (url, host, port) => {
  expect(hostAndPort(new URL(url))).toEqual({ host, port });
});

describe("a TCP connection", () => {
  /** Opens a connection. Resolves with how that ended and with its record. */
  async function opened(host: string, port: number, lookup: Lookup) {
    const baseUrl = new URL(`http://${host}:${port}`);
    const record = new ConnectionRecorder({ baseUrl, proxy: null });
    const opening = { record, lookup, opened: () => {}, isOver: () => false };
    const end = await openTcp({ host, port }, opening).then(
      (socket) => void socket.destroy(),
      (error: unknown) => error,
    );
    return { end, ...record.end().connection };
  }

  const families = (addresses: readonly string[]) =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

  test("to a name looks it up first, and tries each of its addresses", async () => {
    const port = Number(new URL((await answering(silence)).url).port);
    const record = await opened("localhost", port, async () => families(["::1", "127.0.0.1"]));
    expect(record).toMatchObject({ address: "127.0.0.1" });
    expect(record.tried).toEqual([{ address: "::1", code: expect.any(String), ms: expect.any(Number) }]);
    expect(record.steps).toMatchObject({ lookup: expect.any(Number), connect: expect.any(Number) });
  });

  // Nothing listens at port 1, so the attempts fail in their order.
  test.each([
    [
      ["::1", "::ffff:127.0.0.3", "127.0.0.1", "127.0.0.2"],
      ["::1", "127.0.0.1", "::ffff:127.0.0.3", "127.0.0.2"],
    ],
    [
      ["127.0.0.1", "127.0.0.2", "127.0.0.3", "::1"],
      ["127.0.0.1", "::1", "127.0.0.2", "127.0.0.3"],
    ],
  ])("tries addresses of both families in turn: %j", async (found, order) => {
    const { tried, end } = await opened("a.example", 1, async () => families(found));
    expect(tried.map(({ address }) => address)).toEqual(order);
    expect(end).toMatchObject({
      failure: { step: "connect", at: "api", peer: { host: "a.example", port: 1 } },
    });
  });

  test("fails with the code of an address that answered, wherever it stands among those without a way", async () => {
    const noWay = "255.255.255.255";
    for (const found of [
      ["127.0.0.1", noWay],
      [noWay, "127.0.0.1"],
    ]) {
      const { end, tried } = await opened("a.example", 1, async () => families(found));
      expect(tried.map(({ code }) => code).toSorted()).toEqual(["ECONNREFUSED", "ENETUNREACH"]);
      expect(end).toMatchObject({ failure: { code: "ECONNREFUSED" } });
    }
  });

  test.each([
    [
      Object.assign(new Error("No network in tests"), { code: "EBLOCKED" }),
      "EBLOCKED",
      "No network in tests",
    ],
    [new Error("No network"), "UNKNOWN", "No network"],
    ["no network", "UNKNOWN", "no network"],
    [Object.assign(new Error(""), { code: 7 }), "UNKNOWN", ""],
    [null, "UNKNOWN", ""],
  ])("that throws %j fails with its code as a text, and its message", async (thrown, code, reason) => {
    vi.spyOn(Socket.prototype, "connect").mockImplementation(() => {
      throw thrown;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { end, tried } = await opened("a.example", 1, async () => families(["127.0.0.1", "::1"]));
    expect(end).toMatchObject({ failure: { step: "connect", code, reason } });
    expect(tried.map((one) => one.code)).toEqual([code, code]);
  });

  test("to a name whose address is refused fails at that step, and nothing is tried", async () => {
    const lookup = async () => families(["192.0.2.1"]);
    const { end, steps, tried } = await opened("localhost", 1, lookup);
    expect(end).toMatchObject({ failure: { step: "lookup", code: "NOT_LOOPBACK" } });
    expect([tried, steps.connect]).toEqual([[], null]);
  });
});
