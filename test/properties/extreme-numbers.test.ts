import { expect, test } from "vitest";
import { answering } from "../faults/peers.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const dateIn = (year: string): string => `Date: ${new Date(now).toUTCString().replace("2026", year)}`;
const large = ["9007199254740993", "2147483648", "9".repeat(400)];
const numbers = [..."-0 1e999 -1e999 0x10 Infinity NaN".split(" "), ...large];
const codes = ["1e308", "1e999", "-0", "9007199254740993", "0.1", '"200"', "null", `0.${"0".repeat(400)}1`];

/** Answers with one extreme number: the status, the number in the body, and more fields. */
const answers: ReadonlyArray<readonly [status: string, code: string, ...fields: string[]]> = [
  ...["000", "099", "199", "204", "600", "999", "1000", "1e2", "-1"].map(
    (status) => [status, "401"] as const,
  ),
  ...codes.map((code) => ["200", code] as const),
  ...numbers.map((age) => ["401", "401", `Age: ${age}`, dateIn("2036")] as const),
  ...numbers.map((pause) => ["503", "503", `Retry-After: ${pause}`] as const),
  ...["-9999", "0000", "0001", "0099", "1601", "1970", "2016", "2036", "2106", "9999"].map(
    (year) => ["401", "401", dateIn(year)] as const,
  ),
  ["401", "401", "Date: Sun, 99 Nov 2026 99:99:99 GMT"],
  ["503", "503", `Retry-After${dateIn("9999").slice(4)}`],
];

test("whatever numbers are sent, every report is complete, and no header is signed for a time far away", async () => {
  // The path of the request that came last tells its answer.
  const peer = await answering((socket) => {
    const [, at = ""] = /^.*GET \/(\d+)\//s.exec(peer.received()) ?? [];
    const [status, code, ...fields] = answers[Number(at)] ?? [];
    const body = `{"code":${code},"message":"No"}`;
    const type = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    socket.end([`HTTP/1.1 ${status} What`, ...type, ...fields, "", body].join("\r\n"), "latin1");
  });
  const { token, username, secret } = planted;
  const accounts = answers.flatMap((_, at) =>
    [{ token }, { username, secret }].map((own) => [
      `${at} ${Object.keys(own)[0]}`,
      { ...own, baseUrl: `${peer.url}/${at}` },
    ]),
  );
  const workingFolder = folderWith({ rc: { timeout: 20, profiles: Object.fromEntries(accounts) } });

  // The document is held against the shipped schema by runInProcess.
  const args = ["test", "--config", "rc", "--all", "--concurrency", "1"];
  const given = { workingFolder, now };
  const run = await runInProcess([...args, "--diagnose", "--junit", "report.xml", "--json"], given);
  const plain = await runInProcess(args, given);

  expect(run.checks.map(({ profile }) => profile)).toEqual(accounts.map(([name]) => name));
  for (const { profile, outcome } of run.checks)
    expect(["rejected", "unavailable", "unexpected"], `${profile}`).toContain(outcome);
  expect([run.exitCode, plain.exitCode, plain.stderr]).toEqual([4, 4, ""]);
  const xml = run.file("report.xml") ?? "";
  expect(xml.match(/<testcase /g)).toHaveLength(accounts.length);
  // The Age of a cache is shown as it came.
  for (const shown of [run.everything, plain.everything, xml])
    expect(shown.replace(/Age: .*/g, "")).not.toMatch(/Infinity|NaN|Invalid Date|undefined/);
  for (const [, created = ""] of peer.received().matchAll(/Created="([^"]*)"/g))
    expect(Math.abs(Date.parse(created) - now)).toBeLessThanOrEqual((48 * 3600 + 4) * 1000);
});
