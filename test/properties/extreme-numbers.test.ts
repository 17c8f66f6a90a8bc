import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answering } from "../faults/peers.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { numRuns } from "./runs.ts";

const words = (text: string): fc.Arbitrary<string> => fc.constantFrom(...text.split(" "));

const digits = fc.oneof(
  words("0 00 1 -1 -0 0.0 +1 1e999 -1e999 1e308 Infinity NaN 0x10 9007199254740993 2147483648"),
  fc.constantFrom("", "9".repeat(400)),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.double().map(String),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[^ -~]/g, "?")),
);

const now = Date.parse("2026-11-21T12:00:00Z");
const dateOf = (milliseconds: number | Date): string => new Date(milliseconds).toUTCString();
const years = words("-9999 0000 0001 0099 1601 1969 1970 1999 2016 2026 2036 2038 2106 9999");
const date = fc.oneof(
  years.map((year) => dateOf(now).replace("2026", year)),
  fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }).map(dateOf),
  fc.integer({ min: -200_000, max: 200_000 }).map((seconds) => dateOf(now + seconds * 1000)),
  fc.constantFrom("Sun, 99 Nov 2026 99:99:99 GMT", "Sun, 31 Feb 2026 24:00:00 GMT", "yesterday", ""),
  digits,
);

// Mostly such as are diagnosed, and in one part.
const status = fc.oneof(
  { weight: 4, arbitrary: words("401 403") },
  { weight: 2, arbitrary: words("200 429 503") },
  { weight: 1, arbitrary: words("000 099 100 199 204 304 599 600 999 1000 1e2 -1 99999999999999") },
);
const code = fc.oneof(
  words("200 401"),
  words('1e308 -1e308 1e999 -1e999 -0 9007199254740993 0.1 "200" null'),
  fc.constantFrom("9".repeat(400), `0.${"0".repeat(400)}1`),
  fc.maxSafeInteger().map(String),
);
const optional = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.array(
    value.map((text) => `${name}: ${text}`),
    { maxLength: 2 },
  );
const fields = fc.tuple(
  optional("Date", date),
  fc.oneof(fc.constantFrom([], ["Age: 0"]), optional("Age", digits)),
  optional("Retry-After", fc.oneof(digits, date)),
);
const length = fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: digits });

const answer = fc.tuple(status, code, fields, length).map(([status, code, fields, length]) => {
  const body = `{"code":${code},"message":"No"}`;
  const own = ["Content-Type: application/json", `Content-Length: ${length ?? body.length}`];
  return [`HTTP/1.1 ${status} What`, ...own, ...fields.flat(), "", body].join("\r\n");
});

const runs = Math.ceil(numRuns / 20);

test("whatever numbers a server sends, every report is complete, and no header is signed for a time far away", {
  timeout: 60_000 + runs * 400,
}, async () => {
  let bytes = "";
  const peer = await answering((socket) => socket.end(bytes, "latin1"));
  const account = { username: planted.username, secret: planted.secret };
  const profiles = { one: { token: planted.token }, two: account };
  const folder = folderWith({ ".referralrc": { baseUrl: peer.url, timeout: 2, profiles } });
  const given = { homeFolder: folder, workingFolder: folder, now };
  const signed = /Created="([^"]*)"/g;

  await fc.assert(
    fc.asyncProperty(answer, async (text) => {
      bytes = text;
      const before = peer.received().length;

      // The document is held against the shipped schema by runInProcess.
      const full = ["test", "--diagnose", "--all", "--junit", "report.xml", "--json"];
      const run = await runInProcess(full, given);
      const plain = await runInProcess(["test", "--all"], given);

      const { checks } = JSON.parse(run.stdout);
      expect(checks.map(({ profile }: { profile: string }) => profile)).toEqual(["one", "two"]);
      expect(checks.map(({ outcome }: { outcome: string }) => outcome)).not.toContain("failed");
      expect([0, 4, 5, 6, 7, 8]).toContain(run.exitCode);
      // This server accepts a request without credentials too, which --diagnose finds out.
      expect(run.exitCode).toBe(plain.exitCode === 0 ? 6 : plain.exitCode);
      const xml = readFileSync(join(folder, "report.xml"), "utf8");
      expect(xml.match(/<testcase /g)).toHaveLength(2);
      // The Age of a cache is shown as it came.
      for (const shown of [run.everything, plain.everything, xml])
        expect(shown.replace(/Age: .*/g, "")).not.toMatch(/Infinity|NaN|Invalid Date|undefined/);
      for (const [, created = ""] of peer.received().slice(before).matchAll(signed))
        expect(Math.abs(Date.parse(created) - now)).toBeLessThanOrEqual((48 * 3600 + 4) * 1000);
    }),
    { numRuns: runs },
  );
});
