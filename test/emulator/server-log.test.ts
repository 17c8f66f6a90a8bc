import { describe, expect, test } from "vitest";
import { credentials, get, raw, send, startTestEmulator } from "./support.ts";

describe("the log", () => {
  test("has one printable line for each request, whatever it holds", async () => {
    const emulator = await startTestEmulator();
    const { port } = emulator;
    const host = Buffer.from(`GET /\x9b31m HTTP/1.1\r\nHost: a\x9b2J\x80\t::error::\r\n\r\n`, "latin1");
    await raw(port, Buffer.concat([host, Buffer.from("x")]));
    await raw(
      port,
      Buffer.from(
        `GET /test-authentication HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n` +
          'X-WSSE: UsernameToken Username="\x9b2J::error::", PasswordDigest="x", ' +
          `Nonce="${"0".repeat(40)}", Created="2026-11-21T03:31:00Z"\r\n\r\n`,
        "latin1",
      ),
    );
    const text = emulator.log.join("\n");
    expect(text).toContain("unknown user");
    expect(text).not.toMatch(/[^\x20-\x7e\n]/);
    expect(text).not.toContain("::error");
  });

  test("shows a path with invalid percent-encoding as it was sent", async () => {
    const emulator = await startTestEmulator();
    await send(emulator.url, { path: "/%zz%" });
    expect(emulator.log).toEqual([expect.stringContaining("GET /%zz% 404 ")]);
  });

  test("that fails closes the connection and is logged, and the server continues", async () => {
    const log: string[] = [];
    let calls = 0;
    const { url } = await startTestEmulator({
      log: (line) => {
        calls += 1;
        if (calls === 1) throw new RangeError("no room");
        log.push(line);
      },
    });
    await expect(send(url)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await send(url)).toMatchObject({ status: 401 });
    expect(log[0]).toContain("failure inside the emulator: RangeError");
    expect(log).toHaveLength(2);
  });

  test("holds no credential, wherever a client sends it", async () => {
    const emulator = await startTestEmulator({ explain: true });
    const answers: string[] = [];
    for (const secret of [credentials.token, credentials.secret]) {
      for (const lines of [
        [`Host: ${secret}`],
        ["Host: 127.0.0.1:PORT", `Origin: http://${secret}`],
        ["Host: 127.0.0.1:PORT", `X-Auth-Token: ${secret}`],
        ["Host: 127.0.0.1:PORT", `X-WSSE: UsernameToken ${secret}="x"`],
      ]) {
        answers.push(await raw(emulator.port, get(emulator.port, lines)));
      }
      const encoded = `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`;
      for (const path of [`/${secret}`, `/${encoded}`, `/?token=${secret}`]) {
        answers.push((await send(emulator.url, { path })).body);
      }
    }
    const text = [...emulator.log, ...answers].join("\n");
    expect(emulator.log).toHaveLength(14);
    for (const secret of [credentials.token, credentials.secret]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(secret.slice(1));
    }
  });
});
