import { setDefaultAutoSelectFamily } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConnectionFailed, codeOf, hostAndPort, openTcp, shownHost } from "../../src/http/connect.ts";
import type { HostAndPort } from "../../src/http/exchange.ts";
import { type Lookup, systemLookup } from "../../src/http/lookup.ts";
import { answering, silence } from "../faults/peers.ts";

test.each([
  ["https://a.example", "a.example", 443],
  ["http://a.example", "a.example", 80],
  ["https://a.example:80", "a.example", 80],
  ["http://[::1]:8080", "::1", 8080],
])("%s leads to %s, port %i", (url, host, port) => {
  expect(hostAndPort(new URL(url))).toEqual({ host, port });
});

test("an IPv6 address is shown in brackets, and any other host as it is", () => {
  expect(["::1", "127.0.0.1", "a.example"].map(shownHost)).toEqual(["[::1]", "127.0.0.1", "a.example"]);
});

test("an error without a code is UNKNOWN", () => {
  expect(
    [new Error("no code"), Object.assign(new Error("broken"), { code: "EPIPE" }), null].map(codeOf),
  ).toEqual(["UNKNOWN", "EPIPE", "UNKNOWN"]);
});

describe("a TCP connection", () => {
  /** Opens a connection. Resolves with how that ended and with the steps, of which `>` begins those that are entered. */
  async function opened(host: string, port: number, lookup: Lookup = systemLookup) {
    const steps: string[] = [];
    const progress = {
      enter: (step: string) => void steps.push(`>${step}`),
      reached: (what: string, peer?: HostAndPort) =>
        void steps.push(`${what} ${peer?.host ?? ""} ${peer?.port ?? ""}`.trim()),
      opened: () => void steps.push("opened"),
    };
    const end = await openTcp({ host, port }, lookup, progress).then(
      (socket) => void socket.destroy(),
      (error: unknown) => error,
    );
    return { end, steps };
  }

  const loopback = ["::1", "127.0.0.1"].map((address, index) => ({ address, family: index === 0 ? 6 : 4 }));

  test("to an address enters one step, and tells when it is reached", async () => {
    const port = Number(new URL((await answering(silence)).url).port);
    const { end, steps } = await opened("127.0.0.1", port);
    expect(end).toBeUndefined();
    expect(steps).toEqual([">connect", "opened", `connect 127.0.0.1 ${port}`]);
  });

  test("to a name looks it up first, and tries each of its addresses", async () => {
    const port = Number(new URL((await answering(silence)).url).port);
    const { steps } = await opened("localhost", port, async () => loopback);
    expect(new Set(steps)).toEqual(
      new Set([">lookup", "opened", "lookup", ">connect", `connect 127.0.0.1 ${port}`]),
    );
  });

  test("tries each address of a name, even where Node's own default is to try the first alone", async () => {
    const port = Number(new URL((await answering(silence)).url).port);
    setDefaultAutoSelectFamily(false);
    onTestFinished(() => setDefaultAutoSelectFamily(true));
    for (const host of ["localhost", "a.example"])
      expect((await opened(host, port, async () => loopback)).end).toBeUndefined();
  });

  test("that is refused after the name was looked up fails at the step after it", async () => {
    const { end } = await opened("localhost", 1, async () => loopback);
    expect(end).toMatchObject({
      failure: { step: "connect", host: "localhost", port: 1, code: "ECONNREFUSED" },
    });
  });

  test("that is refused fails, with host and port as they were given", async () => {
    const { end } = await opened("127.0.0.1", 1);
    expect(end).toBeInstanceOf(ConnectionFailed);
    expect(end).toMatchObject({
      name: "ConnectionFailed",
      message: "connect",
      failure: { step: "connect", host: "127.0.0.1", port: 1, code: "ECONNREFUSED" },
      again: false,
    });
  });

  test.each(["ENOTFOUND", "EAI_AGAIN", "NOT_LOOPBACK"])(
    "to a name that has no address (%s) fails at that step",
    async (code) => {
      const { end, steps } = await opened("localhost", 1, async () => {
        if (code === "NOT_LOOPBACK") return [{ address: "192.0.2.1", family: 4 }];
        throw Object.assign(new Error("no"), { code });
      });
      expect(end).toMatchObject({ message: "lookup", failure: { step: "lookup", host: "localhost", code } });
      expect(steps).toEqual([">lookup", "opened"]);
    },
  );
});
