import { expect, test } from "vitest";
import { credentials, get, raw, send, startTestEmulator } from "./support.ts";

test("has one printable line for each request, whatever it holds", async () => {
  const { port, log } = await startTestEmulator();
  const username =
    'X-WSSE: UsernameToken Username="\x9b2J::error::", PasswordDigest="x", Nonce="0", Created="0"';
  for (const request of [
    "GET /\x9b31m HTTP/1.1\r\nHost: a\x9b2J\x80\t::error::\r\n\r\nx",
    get(port, ["Host: 127.0.0.1:PORT", username]).replace(/X-Auth-Token.*\r\n/, ""),
  ])
    await raw(port, Buffer.from(request, "latin1"));
  const text = log.join("\n");
  expect(text).toContain("unknown user");
  expect(text).not.toMatch(/[^\x20-\x7e\n]|::error/);
});

test("shows a path with invalid percent-encoding as it was sent", async () => {
  const { url, log } = await startTestEmulator();
  await send(url, { path: "/%zz%" });
  expect(log).toEqual([expect.stringContaining("GET /%zz% 404 ")]);
});

test("that fails closes the connection and is logged, and the server continues", async () => {
  const lines: string[] = [];
  const { url, requests } = await startTestEmulator({
    log: (line) => {
      lines.push(line);
      if (lines.length === 1) throw new RangeError("no room");
    },
  });
  await expect(send(url)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(await send(url)).toMatchObject({ status: 401 });
  expect(lines[1]).toContain("failure inside the emulator: RangeError");
  expect(requests.map(({ status }) => status)).toEqual([401, null, 401]);
});

test("holds no credential, wherever a client sends it", async () => {
  const { port, url, log } = await startTestEmulator({ explain: true });
  const answers: string[] = [];
  for (const secret of [credentials.token, credentials.secret]) {
    for (const lines of [
      [`Host: ${secret}`],
      ["Host: 127.0.0.1:PORT", `Origin: http://${secret}`],
      ["Host: 127.0.0.1:PORT", `X-Auth-Token: ${secret}`],
      ["Host: 127.0.0.1:PORT", `X-WSSE: UsernameToken ${secret}="x"`],
    ])
      answers.push(await raw(port, get(port, lines)));
    const encoded = `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`;
    for (const path of [`/${secret}`, `/${encoded}`, `/?token=${secret}`])
      answers.push((await send(url, { path })).body);
  }
  const text = [...log, ...answers].join("\n");
  expect(log).toHaveLength(14);
  for (const secret of [credentials.token, credentials.secret]) expect(text).not.toContain(secret.slice(1));
});
