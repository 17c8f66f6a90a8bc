import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { startEmulator } from "../../src/library/emulator.ts";
import { startTestEmulator } from "./support.ts";

describe("a port", () => {
  test("in use is an error in the settings, with a hint; it is free again once the emulator is closed", async () => {
    const first = await startTestEmulator();
    const { port } = first;
    const error = await startEmulator({ port }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({
      kind: "settings",
      message: `Port ${port} of 127.0.0.1 is in use by another program`,
      hint: expect.stringContaining("another port"),
    });
    await first.close();
    await first.close();
    expect((await startTestEmulator({ port })).port).toBe(port);
  });

  test("is open on 127.0.0.1 and on no other address", async () => {
    const { port } = await startTestEmulator();
    // All of 127.0.0.0/8 leads to this machine, so a server on 0.0.0.0 would answer here.
    const socket = connect(port, "127.0.0.2");
    const [error] = await once(socket, "error");
    expect(error.code).toBe("ECONNREFUSED");
  });
});

const request = "GET /test-authentication HTTP/1.1\r\nHost: HOST\r\n\r\n";

test.each([
  ["an idle connection", {}, ""],
  ["half a request", {}, "GET /test-authentication HTTP/1.1\r\nHost:"],
  ["an answer that waits", { latencyMs: 60_000 }, request],
  ["an answer that never ends", { answer: "slow" }, request],
  ["a kept connection", {}, request],
] as const)("closing ends %s at once", async (_title, options, bytes) => {
  const emulator = await startTestEmulator(options);
  const socket = connect(emulator.port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  socket.resume().write(bytes.replace("HOST", `127.0.0.1:${emulator.port}`));
  await new Promise((resolve) => setTimeout(resolve, 50));

  const closed = once(socket, "close");
  const before = performance.now();
  await emulator.close();
  await closed;

  // Node alone would wait longer: five seconds for a kept connection, sixty for half a request.
  expect(performance.now() - before).toBeLessThan(4_000);
  expect(emulator.log.filter((line) => line.includes("failure"))).toEqual([]);
});
