import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { logOf, variableLines } from "../../src/emulator/session.ts";
import { Interrupted, OutputError } from "../../src/errors.ts";
import { FileProblem } from "../../src/system/file-reading.ts";
import { folderWith } from "../support/folder.ts";
import { freePort } from "../support/port.ts";
import { listening, now, send, startRun, startTestEmulator, until, wsse } from "./support.ts";

const line = "2026-11-21T03:31:00Z GET /test-authentication";
const closed = { isTerminal: false, write: () => Promise.reject(new OutputError("closed")) };

test("prints how to reach it, answers and logs requests, and ends when it is interrupted", async () => {
  const { variables, url, stdout, stop } = await listening(["--port", `${await freePort()}`]);
  const { REFERRAL_TOKEN: token, REFERRAL_USERNAME: username = "", REFERRAL_SECRET: secret = "" } = variables;
  expect(stdout().replaceAll(/'.*'/g, "")).toBe(
    "export REFERRAL_BASE_URL=\nexport REFERRAL_TOKEN=\nexport REFERRAL_USERNAME=\nexport REFERRAL_SECRET=\n",
  );
  expect((await send(url, { headers: { "X-Auth-Token": token } })).status).toBe(200);
  expect((await send(url, { headers: { "X-WSSE": wsse({ username, secret }) } })).status).toBe(200);
  expect((await send(url)).status).toBe(401);
  expect(await stop("SIGTERM")).toEqual([
    `${line} 200 accepted: X-Auth-Token`,
    `${line} 200 accepted: X-WSSE`,
    `${line} 401 missing: neither X-WSSE nor X-Auth-Token was sent`,
  ]);
  await expect(send(url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("uses the given credentials, port and behaviour", async () => {
  const port = await freePort();
  const own = { username: "a@b.cd", secret: "s p", digest: "hex-digest", hash: "sha256" } as const;
  const flags = { port, token: "it's", ...own, "clock-offset": -400 };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { stdout, stop } = await listening([...args, "--explain", "--strict"]);
  expect(stdout()).toContain("export REFERRAL_TOKEN='it'\\''s'\n");

  const url = `http://127.0.0.1:${port}`;
  const right = await send(url, { headers: { "X-WSSE": wsse({ ...own, now: now - 400_000 }) } });
  const early = await send(url, { headers: { "X-WSSE": wsse(own) } });
  const unusual = wsse({ ...own, now: now - 400_000 }).replace('Username="', 'Username= "');
  const strict = await send(url, { headers: { "X-WSSE": unusual } });
  expect(right).toMatchObject({ status: 200, headers: { date: "Sat, 21 Nov 2026 03:24:20 GMT" } });
  const stale = "stale: Created is 400 s ahead of this server";
  expect(early.body).toContain(stale);
  expect(strict.body).toContain("malformed: X-WSSE does not have the form ");
  // The log has the real time.
  const reasons = ["200 accepted: X-WSSE", `401 ${stale}`, "401 malformed: "];
  expect(await stop()).toEqual(reasons.map((reason) => expect.stringContaining(`${line} ${reason}`)));
});

test.each([[["--quiet"]], [["--quiet", "--json"]]])("%j writes no log", async (args) => {
  const { url, stdout, stop } = await listening(args);
  const before = stdout();
  expect((await send(url)).status).toBe(401);
  expect([await stop(), stdout()]).toEqual([[], before]);
});

test("a log drops lines while 10,000 wait for a reader, and its end waits for one who reads", async () => {
  const texts: string[] = [];
  const log = logOf((text) => setTimeout(20).then(() => void texts.push(text)));
  for (let count = 0; count < 10_005; count += 1) log.add("early", {});
  await log.end();
  expect(texts).toHaveLength(10_000);
  log.add("late", {});
  await log.end();
  expect(texts.at(-1)).toBe("late");
  const unread = logOf(() => new Promise(() => {}));
  unread.add("", {});
  await unread.end();
});

test("its log is whole when it ends", async () => {
  const texts: string[] = [];
  const write = (text: string): Promise<void> => setTimeout(20).then(() => void texts.push(text));
  const { url, stop } = await listening([], { stderr: { isTerminal: false, write } });
  await send(url);
  await stop();
  expect(texts).toEqual([expect.stringContaining(" 401 missing")]);
});

test("says on a terminal what to do with the lines", async () => {
  const texts: string[] = [];
  const write = async (text: string): Promise<void> => void texts.push(text);
  const stderr = { isTerminal: true, write };
  for (const args of [[], ["--json"]]) await (await listening(args, { stderr })).stop();
  expect(texts).toEqual(["Paste these lines into a second terminal; Ctrl-C stops the emulator:\n"]);
});

test.each<[string, () => Promise<void>, readonly string[], number]>([
  ["ends", async () => {}, [], 1],
  ["can no longer be read", () => Promise.reject(new FileProblem("EIO")), [], 1],
  ["ends", async () => {}, ["--quiet"], 0],
])("--end-with-stdin ends it with code 0 when standard input %s: %#", async (_, ending, more, lines) => {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  async function* chunks() {
    yield Buffer.from("nothing that is read");
    await ended;
    await ending();
  }
  const stream = { mode: null, owner: null, size: null, chunks: chunks(), close: () => {} };
  const run = await listening(["--json", "--end-with-stdin", ...more], { openStream: async () => stream });
  expect((await send(run.url)).status).toBe(401);
  end();
  expect(await run.ended).toEqual([0]);
  expect(run.stderr().split("\n")).toHaveLength(lines + 1);
  await expect(send(run.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

const machines = /^Warning: every machine that reaches this one can use port \d+ and its accounts \(/;
const pages = /^Warning: web pages of api, api:80 can reach this server \(/;

test.each([
  [["--host", "0.0.0.0"], [expect.stringMatching(machines)]],
  [["--allow-host", "api", "--allow-host", "API:80"], [expect.stringMatching(pages)]],
  [["--host", "127.0.0.2"], []],
])("%j warns of those who can reach it", async (args, warnings) => {
  expect(await (await listening(args)).stop()).toEqual(warnings);
});

test("ends when it is interrupted while it prints, and at once when it was before the start", async () => {
  const controller = new AbortController();
  const write = async (): Promise<void> => controller.abort(new Interrupted("SIGTERM"));
  const printing = startRun([], { interrupted: controller.signal, stdout: { isTerminal: false, write } });
  await expect(printing.ended).rejects.toMatchObject({ signal: "SIGTERM" });
  const run = startRun([], { interrupted: AbortSignal.abort(new Interrupted("SIGINT")) });
  await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
  expect(run.stdout()).toBe("");
});

test("ends if it cannot print, and leaves no server behind", async () => {
  const port = await freePort();
  const run = startRun(["--port", String(port)], { stdout: closed });
  await expect(run.ended).rejects.toBeInstanceOf(OutputError);
  expect((await startTestEmulator({ port })).port).toBe(port);
});

test("answers requests even if it cannot write its log", async () => {
  const { url, stop } = await listening([], { stderr: closed });
  expect([(await send(url)).status, (await send(url)).status]).toEqual([401, 401]);
  await stop();
});

test.skipIf(process.platform === "win32")("a shell reads every secret back unchanged", () => {
  const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("");
  const secrets = ["'", "''", "$(id)`id`\\'\"!", printable, " a  b ", "-n", "\\n'\\''"];
  const script = secrets.map(
    (one) => `${variableLines({ REFERRAL_SECRET: one }, false)}printf '%s\\n' "$REFERRAL_SECRET"\n`,
  );
  const read = execFileSync("/bin/sh", ["-c", script.join("")], { encoding: "utf8" });
  expect(read).toBe(`${secrets.join("\n")}\n`);
});

test("on Windows the variables are for PowerShell, in which five characters are single quotes", async () => {
  expect(variableLines({ REFERRAL_SECRET: "a'b\u2019c$d`e\"" }, true)).toBe(
    "$env:REFERRAL_SECRET = 'a''b\u2019\u2019c$d`e\"'\n",
  );
  const run = startRun([], { userId: null });
  await until(() => run.stdout() !== "");
  expect(run.stdout()).toMatch(
    /^\$env:REFERRAL_BASE_URL = 'http:\/\/127\.0\.0\.1:\d+'\n\$env:REFERRAL_TOKEN = '/,
  );
  run.interrupt("SIGINT");
  await expect(run.ended).rejects.toMatchObject({ name: "Interrupted" });
});

test("a terminal gets each reason on a line below the request, and what to change behind it", async () => {
  const texts: string[] = [];
  const write = async (more: string): Promise<void> => void texts.push(more);
  const stderr = { isTerminal: true, columns: 60, write };
  const own = ["--token", "T0ken", "--username", "me@example.com", "--secret", "S3cret"];
  const { url, stop } = await listening(own, { stderr, environment: { TERM: "xterm" } });
  await send(url, { headers: { "X-Auth-Token": "T0ken" } });
  await send(url, {
    headers: { "X-WSSE": wsse({ secret: "S3cret", digest: "hex-digest", now: now - 8 * 3_600_000 }) },
  });
  await send(url, { path: "/x", headers: { "X-Auth-Token": "T0ken" } });
  await stop();
  const plain = stripVTControlCharacters(texts.join(""));
  expect(plain).not.toBe(texts.join(""));
  expect(plain).toMatchInlineSnapshot(`
    "Paste these lines into a second terminal; Ctrl-C stops the emulator:
    03:31:00Z GET /test-authentication 200 accepted: X-Auth-Token
    03:31:00Z GET /test-authentication 401
      digest: the client writes the hash in hexadecimal, then in
      base64 (hex-digest with sha1); this server expects the
      hash in base64 (text-nonce with sha1)
        to change: write the bytes of the hash in base64:
        base64_encode(sha1($text, true)) in PHP; .digest(), not
        .hexdigest(), in Python; .digest("base64") in Node.js;
        Convert.ToBase64String(hash) in C#;
        Base64.getEncoder().encodeToString(hash) in Java; if
        your API expects what the client does, start the
        emulator with --digest hex-digest
      stale: Created is 28800 s behind this server (8 hours:
      local time that is marked as UTC): it says
      2026-11-20T19:31:00+00:00, this server
      2026-11-21T03:31:00+00:00; 300 s are allowed
        to change: write it in UTC: gmdate('Y-m-d\\TH:i:sP') in
        PHP,
        datetime.now(timezone.utc).isoformat(timespec="seconds")
        in Python, new Date().toISOString() in Node.js,
        Instant.now() in Java, DateTime.UtcNow.ToString("s") +
        "Z" in C#, date -u +%Y-%m-%dT%H:%M:%SZ in a shell
    03:31:00Z GET /x 404
      path: only /test-authentication exists
        to change: compare the path above: the client adds it to
        the base URL, which needs no path here (--base-path
        gives it one)
    "
  `);
});

test.each([
  ["a file", "S3cret-of-a-file\n"],
  ["a file of Windows", "S3cret-of-a-file\r\n"],
  ["a file without a line end", "S3cret-of-a-file"],
])("--token-file and --secret-file read %s as test does", async (_title, content) => {
  const folder = folderWith({ secret: content, token: "T0ken-of-a-file\n" });
  const own = ["--token-file", join(folder, "token"), "--secret-file", join(folder, "secret"), "--json"];
  const { document, stop } = await listening(own);
  expect(document.accounts).toMatchObject([{ token: "T0ken-of-a-file", secret: "S3cret-of-a-file" }]);
  await stop();
});

test("--secret-file - reads standard input, and its mistakes are told without the value", async () => {
  const readStdin = async () => Buffer.from("S3cret-piped\n");
  const { document, stop } = await listening(["--secret-file", "-", "--json"], { readStdin });
  expect(document.accounts).toMatchObject([{ secret: "S3cret-piped" }]);
  await stop();
  const file = join(folderWith({ secret: " S3cret\n" }), "secret");
  for (const [args, problem] of [
    [["--secret-file", file], "has a space (U+0020) as its first character"],
    [["--secret-file", `${file}-none`], "names a file that does not exist"],
    [["--secret-file", file, "--secret", "x"], "set the same thing"],
    [["--secret-file", file, "--ready-file", file], "--secret-file"],
    [["--token-file", file, "--accounts", file], "--accounts"],
  ] as const) {
    const ended = startRun(args).ended;
    await expect(ended, problem).rejects.toThrow(problem);
    await expect(ended).rejects.not.toThrow("S3cret");
  }
});
