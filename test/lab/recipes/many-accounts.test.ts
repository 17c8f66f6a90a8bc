import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { plain, rcOf } from "../../e2e/profiles.ts";
import { emulate, hangs } from "../../support/emulate.ts";
import { checksIn } from "../../support/every-run.ts";
import { recipe, textOf } from "../../support/pages.ts";
import { leaks, planted } from "../../support/planted.ts";
import { bash, machineWith, start } from "./machine.ts";

test("all profiles are checked", async () => {
  const api = await emulate();
  const machine = machineWith({ ".referralrc": rcOf(api.url, plain(8)) });
  const run = await bash(machine, recipe("docs/many-accounts.md", "Profiles", "bash"), {}, ["-e"]);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(api.log).toHaveLength(8);
  expect(readFileSync(join(machine.folder, "report.xml"), "utf8")).toContain('tests="8"');
});

/** A table as a spreadsheet saves it: "CSV UTF-8". */
function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `\ufeff${rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
}

/** A result of a row with this outcome, as `--ndjson` writes it. */
const resultOf = (line: number, profile: string | null, outcome: string, method = "token") => ({
  line,
  profile,
  method,
  outcome,
  findings: outcome === "accepted" ? [] : [{ message: `it was ${outcome}` }],
});
const jsonLines = (results: readonly object[]): string =>
  results.map((result) => `${JSON.stringify(result)}\n`).join("");

const checkAgain = recipe("docs/many-accounts.md", "The same accounts again", "bash");
// Two accounts have no name, and the last row has nothing but separators.
const sheetNames = ["plain", 'quo"te', "com,ma", "", "left", ""];
const sheetRows = [["profile", "token"], ...sheetNames.map((profile) => [profile, planted.token]), ["", ""]];

test.each<[title: string, outcomes: readonly string[], again: readonly number[]]>([
  [
    "what was not accepted, or has no result",
    ["accepted", "rejected", "accepted", "timeout"],
    [3, 4, 5, 6, 7],
  ],
  ["nothing, with code 0 and no request", Array(6).fill("accepted"), []],
])("accounts again, under their rows' numbers: %s", async (_, outcomes, again) => {
  const api = await emulate();
  const results = outcomes.map((outcome, index) => resultOf(index + 2, null, outcome));
  // The token of row 4 was accepted, and its username was not.
  if (again.length > 0) results.push(resultOf(4, null, "rejected", "wsse"));
  const machine = machineWith({ "accounts.csv": csvOf(sheetRows), "results.jsonl": jsonLines(results) });
  const run = await bash(machine, checkAgain, { REFERRAL_BASE_URL: api.url });
  expect(run, run.stderr).toMatchObject({ exitCode: 0, everything: "" });
  expect(api.log).toHaveLength(again.length);
  if (again.length === 0) return;
  const checked = checksIn(readFileSync(join(machine.folder, "again.jsonl"), "utf8"));
  expect(checked.map(({ line }) => line).toSorted()).toEqual(again);
});

test("accounts again keep the code of what is refused again, and nothing is sent without the results", async () => {
  const api = await emulate();
  const rows = [...sheetRows, ["south", "not-the-token"]];
  const machine = machineWith({ "accounts.csv": csvOf(rows), "results.jsonl": "" });
  expect((await bash(machine, checkAgain, { REFERRAL_BASE_URL: api.url })).exitCode).toBe(4);
  const { length } = api.log;
  rmSync(join(machine.folder, "results.jsonl"));
  expect((await bash(machine, checkAgain, { REFERRAL_BASE_URL: api.url })).exitCode).not.toBe(0);
  expect(api.log).toHaveLength(length);
});

test("what is new since yesterday is what changed, whatever its row, and what failed at once", async () => {
  const night = (...outcomes: readonly (readonly [string | null, string])[]) =>
    jsonLines(outcomes.map(([name, outcome], index) => resultOf(index + 2, name, outcome)));
  const machine = machineWith({
    "yesterday.jsonl": night(["a", "accepted"], ["b", "rejected"], ["c", "rejected"], [null, "timeout"]),
    "results.jsonl": night(
      ["new and good", "accepted"],
      ["b", "rejected"],
      ["a", "rejected"],
      [null, "timeout"],
      ["c", "accepted"],
      ["new", "unexpected"],
    ),
  });
  const run = await bash(machine, recipe("docs/many-accounts.md", "What is new since yesterday", "bash"));
  expect(run.everything).toBe(
    "rejected\t4\ta\tit was rejected\naccepted\t6\tc\t\nunexpected\t7\tnew\tit was unexpected\n",
  );
});

const oneLine = recipe("docs/many-accounts.md", "Many accounts", "bash");
const oneRow = recipe("docs/many-accounts.md", "Diagnose one row alone", "bash").replace("1p;42p", "1p;44p");
const sheet = [
  "plain",
  'quo"te',
  "com,ma; semicolon",
  "Süd",
  "é😀",
  ...Array.from({ length: 295 }, (_, index) => `n${index}`),
];

/** A workbook of these accounts that Gnumeric wrote, saved by it as CSV with this separator. */
async function savedByGnumeric(separator: string) {
  const rows = sheet.map((name, index) => [
    name,
    index === 1 ? "0".repeat(39).concat("x") : planted.token,
    index === 2 ? "called,\ntwice" : "",
    index === 3 ? "2.5" : "",
  ]);
  const machine = machineWith({ "sheet.csv": csvOf([["Name", "Token", "Notes", "Timeout"], ...rows]) });
  const options = ["--export-type=Gnumeric_stf:stf_assistant", "-O", `separator='${separator}'`];
  for (const args of [
    ["sheet.csv", "sheet.xlsx"],
    [...options, "sheet.xlsx", "saved.txt"],
  ]) {
    const run = await start(machine, "ssconvert", args);
    expect(run.exitCode, run.everything).toBe(0);
  }
  const file = join(machine.folder, "accounts.csv");
  renameSync(join(machine.folder, "saved.txt"), file);
  chmodSync(file, 0o600);
  return machine;
}

test("the emulator accepts the rows in a rehearsal, and one command writes every report", async () => {
  const machine = machineWith({ "accounts.csv": csvOf(sheetRows) });
  const rehearsed = await bash(machine, recipe("docs/many-accounts.md", "Rehearse", "bash"));
  expect(rehearsed.stdout, rehearsed.stderr).toMatch(/^6 accepted/m);

  const api = await emulate();
  const command = recipe("docs/many-accounts.md", "Results", "bash");
  const run = await bash(machine, command, { REFERRAL_BASE_URL: api.url });
  expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: "" });
  const report = (name: string) => readFileSync(join(machine.folder, name), "utf8");
  expect(report("report.txt")).toMatch(/^6 accepted/);
  expect(report("report.xml")).toContain('tests="6"');
  expect(report("night.prom")).toContain('referral_auth_run_exit_code{report="night"} 0');
});

test("the one line of the page checks a workbook that Gnumeric saved with semicolons", async () => {
  const api = await emulate();
  const machine = await savedByGnumeric(";");
  const run = await bash(machine, oneLine.replace("https://api.example.com/v1", api.url));
  expect(run.stderr).toBe('Warning: columns of accounts.csv that are not known are ignored: "Notes"\n');
  expect(run.stdout).toMatch(/^REJECTED .*row 3 \(quo"te\)|^REJECTED .*quo"te/m);
  expect(run.stdout).toMatch(/^299 accepted, 1 rejected/m);
  expect(run.exitCode).toBe(4);

  const row = await bash(machine, oneRow, { REFERRAL_BASE_URL: api.url });
  expect(row).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^accepted +n36 /) });
});

const shown = textOf("examples/night/referral-night");
const installed = "/usr/local/bin/referral-night";

/** A machine with the script of the page and these accounts of a server. Its `mail` writes a file, or fails. */
function nightMachine(
  url: string,
  rows: readonly (readonly string[])[],
  mail = 'cat > mail; echo "$@" >> mail',
) {
  const files = { "accounts.csv": csvOf([["profile", "token"], ...rows]) };
  const { folder, environment } = machineWith(files, { mail: `#!/bin/sh\n${mail}\n` });
  const [programs = ""] = environment.PATH?.split(":") ?? [];
  const script = shown
    .replace("/usr/local/bin:", `${programs}:/usr/local/bin:`)
    .replace("https://api.example.com/v1", url)
    .replace("/etc/referral", folder)
    .replace("/var/lib/prometheus/node-exporter", folder);
  const file = join(folder, "referral-night");
  writeFileSync(file, script, { mode: 0o755 });
  return { folder, file };
}

type Night = ReturnType<typeof nightMachine>;

/** What cron does with its line: /bin/sh runs it with few variables. */
function byCron({ folder, file }: Night) {
  const [, line = ""] = /cron \(`(.*?)`\)/.exec(textOf("docs/many-accounts.md")) ?? [];
  const environment = { HOME: folder, LOGNAME: "me", SHELL: "/bin/sh", PATH: "/usr/bin:/bin" };
  const command = line.replace(installed, file).split(" ").slice(5).join(" ");
  return start({ folder, environment }, "/bin/sh", ["-c", `umask 077; ${command}`]);
}

const units = ["service", "timer"].map((kind) => textOf(`examples/night/referral-night.${kind}`));

/** The service and the timer of the page, for the script of this machine. */
function unitsFor({ folder, file }: Night, change: (text: string) => string = (text) => text) {
  const names = ["referral-night.service", "referral-night.timer"].map((name) => join(folder, name));
  for (const [index, name] of names.entries())
    writeFileSync(name, change((units[index] ?? "").replace(installed, file)));
  return names;
}

/** What the timer does: it runs what ExecStart names, without a shell and with systemd's variables. */
function bySystemd(night: Night) {
  const [service = ""] = unitsFor(night);
  const command = /^ExecStart=(\S+)$/m.exec(readFileSync(service, "utf8"))?.[1] ?? "";
  const environment = {
    LANG: "C.UTF-8",
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin",
    USER: "referral",
  };
  return start({ folder: night.folder, environment }, command, []);
}

const good = ["north", planted.token];
const readIn = ({ folder }: Night, name: string): string => readFileSync(join(folder, name), "utf8");

describe.each([
  ["cron", byCron],
  ["the timer", bySystemd],
])("a night by %s", (_, run) => {
  test("is silent if all is well; node_exporter can read the metrics", async () => {
    const night = nightMachine((await emulate()).url, [good, ["south", planted.token]]);
    expect(await run(night)).toMatchObject({ exitCode: 0, everything: "" });
    expect(readdirSync(night.folder)).not.toContain("mail");
    expect(statSync(join(night.folder, "referral-auth.prom")).mode & 0o777).toBe(0o644);
  });

  test("mails the whole report of what failed, and keeps the exit code", async () => {
    const night = nightMachine((await emulate()).url, [good, ["south", "not-the-token"]]);
    expect(await run(night)).toMatchObject({ exitCode: 4, everything: "" });
    const mail = readIn(night, "mail");
    expect(mail).toMatch(/^REJECTED +south/);
    expect(mail).toMatch(/1 accepted, 1 rejected.*\n-s referral-auth: exit code 4 ops@example.com\n$/);
    expect(leaks(mail)).toEqual([]);
    expect(readIn(night, "referral-auth.prom")).toContain(
      'referral_auth_run_exit_code{report="referral-auth"} 4\n',
    );
  });

  test("prints what cannot be mailed", async () => {
    const night = nightMachine("http://127.0.0.1:1", [good], "exit 1");
    rmSync(join(night.folder, "accounts.csv"));
    const ended = await run(night);
    expect(ended).toMatchObject({ exitCode: 3, stderr: "" });
    expect(ended.stdout).toMatch(/^Error: --accounts /);
  });
});

test("what a signal interrupts is mailed too", async () => {
  const api = await emulate({ answers: [hangs] });
  const night = nightMachine(api.url, [good]);
  const child = spawn(night.file, { detached: true, stdio: "ignore", cwd: night.folder });
  const ended = once(child, "close");
  await vi.waitFor(() => expect(api.log).toHaveLength(1), { timeout: 20_000 });
  // As systemd does: to every process of the service.
  process.kill(-(child.pid ?? 0), "SIGTERM");
  expect(await ended).toEqual([143, null]);
  expect(readIn(night, "mail")).toMatch(/^interrupted: .*1 not checked/m);
});

test("systemd finds nothing wrong with the units of the page, and would tell", async () => {
  const night = nightMachine("http://127.0.0.1:1", [good]);
  const verify = (change?: (text: string) => string) =>
    start({ folder: night.folder, environment: { PATH: "/usr/bin:/bin" } }, "systemd-analyze", [
      "verify",
      ...unitsFor(night, change),
    ]);
  expect(await verify()).toMatchObject({ exitCode: 0, everything: "" });
  expect((await verify((text) => text.replace("Persistent", "Persistant"))).stderr).toContain("Persistant");
  expect((await verify((text) => text.replace("Type", "Tipe"))).stderr).toContain("Tipe");
  expect(await verify((text) => text.replace("05:17", "25:17"))).toMatchObject({ exitCode: 1 });
});
