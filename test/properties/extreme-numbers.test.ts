import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { numRuns } from "./runs.ts";

const words = (text: string): fc.Arbitrary<string> => fc.constantFrom(...text.split(" "));

const digits = fc.oneof(
  words(
    "0 00 1 -1 -0 0.0 +1 1e999 -1e999 1e308 Infinity NaN 0x10 9007199254740993 99999999999999 2147483648",
  ),
  fc.constantFrom("", "9".repeat(400)),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.double().map(String),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[^ -~]/g, "?")),
);

const now = Date.parse("2026-11-21T12:00:00Z");
const years = [-9999, 0, 1, 99, 1601, 1969, 1970, 1999, 2016, 2026, 2036, 2038, 2106, 9999];
const date = fc.oneof(
  fc.constantFrom(...years).map((year) => {
    const text = new Date(now).toUTCString();
    return text.replace("2026", String(year).padStart(4, "0"));
  }),
  fc
    .date({ min: new Date(0), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
    .map((at) => at.toUTCString()),
  fc.integer({ min: -200_000, max: 200_000 }).map((seconds) => new Date(now + seconds * 1000).toUTCString()),
  fc.constantFrom("Sun, 99 Nov 2026 99:99:99 GMT", "Sun, 31 Feb 2026 24:00:00 GMT", "yesterday", ""),
  digits,
);

// Mostly such as are diagnosed, and in one part.
const status = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("401", "403") },
  { weight: 2, arbitrary: fc.constantFrom("200", "429", "503") },
  {
    weight: 1,
    arbitrary: words("000 099 100 199 204 304 599 600 999 1000 1e2 -1 99999999999999"),
  },
);
const code = fc.oneof(
  fc.constantFrom("200", "401"),
  words('1e308 -1e308 1e999 -1e999 -0 9007199254740993 0.1 "200" null'),
  fc.constantFrom("9".repeat(400), `0.${"0".repeat(400)}1`),
  fc.maxSafeInteger().map(String),
);

const optional = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.array(
    value.map((text) => `${name}: ${text}`),
    { maxLength: 2 },
  );

const answer = fc
  .record({
    status,
    code,
    fields: fc.tuple(
      optional("Date", date),
      fc.oneof(fc.constantFrom([], ["Age: 0"]), optional("Age", digits)),
      optional("Retry-After", fc.oneof(digits, date)),
    ),
    length: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: digits }),
  })
  .map(({ status, code, fields, length }) => {
    const body = `{"code":${code},"message":"No"}`;
    const lengths = `Content-Length: ${length ?? body.length}`;
    return [
      `HTTP/1.1 ${status} What`,
      "Content-Type: application/json",
      ...fields.flat(),
      lengths,
      "",
      body,
    ].join("\r\n");
  });

/** Answers each request with the same bytes, which the test sets, and ends the connection. */
async function scripted(): Promise<{ readonly url: string; bytes: string; readonly signed: string[] }> {
  const peer = { url: "", bytes: "", signed: [] as string[] };
  const server = createServer((socket: Socket) => {
    socket.on("error", () => {});
    socket.once("data", (chunk) => {
      const created = /Created="([^"]*)"/.exec(chunk.toString("latin1"))?.[1];
      if (created !== undefined) peer.signed.push(created);
      socket.end(Buffer.from(peer.bytes, "latin1"));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  peer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return peer;
}

const runs = Math.ceil(numRuns / 20);

test("whatever numbers a server sends, every report is complete, and no header is signed for a time far away", {
  timeout: 60_000 + runs * 400,
}, async () => {
  const peer = await scripted();
  const account = { username: planted.username, secret: planted.secret };
  const profiles = { one: { token: planted.token }, two: account };
  const folder = folderWith({ ".referralrc": { baseUrl: peer.url, timeout: 2, profiles } });

  await fc.assert(
    fc.asyncProperty(answer, async (bytes) => {
      peer.bytes = bytes;
      peer.signed.length = 0;
      const given = { homeFolder: folder, workingFolder: folder, now };

      // The document is held against the shipped schema by runInProcess.
      const run = await runInProcess(
        ["test", "--diagnose", "--all", "--junit", "report.xml", "--json"],
        given,
      );
      const text = await runInProcess(["test", "--all"], given);

      const document = JSON.parse(run.stdout);
      expect(document.checks.map(({ profile }: { profile: string }) => profile)).toEqual(["one", "two"]);
      expect(document.checks.map(({ outcome }: { outcome: string }) => outcome)).not.toContain("failed");
      expect([0, 4, 5, 6, 7, 8]).toContain(run.exitCode);
      // This server accepts a request without credentials too, which --diagnose finds out.
      expect(run.exitCode).toBe(text.exitCode === 0 ? 6 : text.exitCode);
      const xml = readFileSync(join(folder, "report.xml"), "utf8");
      expect(xml.match(/<testcase /g)).toHaveLength(2);
      for (const shown of [run.everything, text.everything, xml]) {
        // The Age of a cache is shown as it came.
        expect(shown.replace(/Age: .*/g, "")).not.toMatch(/Infinity|NaN|Invalid Date|undefined/);
        expect(leaks(shown)).toEqual([]);
      }
      for (const created of peer.signed) {
        expect(Math.abs(Date.parse(created) - now)).toBeLessThanOrEqual((48 * 3600 + 4) * 1000);
      }
    }),
    { numRuns: runs },
  );
});
