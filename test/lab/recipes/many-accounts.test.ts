import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plain, rcOf } from "../../e2e/profiles.ts";
import { emulate } from "../../support/emulate.ts";
import { checksIn } from "../../support/every-run.ts";
import { recipe } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { bash, machineWith, start } from "./machine.ts";

test("all profiles are checked, and the second of seven machines checks its part", async () => {
  const api = await emulate();
  const machine = machineWith({ ".referralrc": rcOf(api.url, plain(8)) });
  const run = await bash(machine, recipe("docs/many-accounts.md", "Profiles", "bash"), {}, ["-e"]);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(api.log).toHaveLength(9);
  expect(readFileSync(join(machine.folder, "report.xml"), "utf8")).toContain('tests="8"');
});

/** A table as a spreadsheet saves it: "CSV UTF-8". */
function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `\ufeff${rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
}

test("what was not accepted, or has no result, is checked again", async () => {
  const api = await emulate();
  const names = ["plain", 'quo"te', "com,ma", "timeout", "left"];
  const outcomes = ["accepted", "rejected", "accepted", "timeout"];
  const results = outcomes.map((outcome, index) =>
    JSON.stringify({ line: index + 2, method: "token", outcome }),
  );
  // The token of row 4 was accepted, and its username was not.
  results.push(JSON.stringify({ line: 4, method: "wsse", outcome: "rejected" }));
  const rows = names.map((profile) => [profile, planted.token]);
  const machine = machineWith({
    "accounts.csv": csvOf([["profile", "token"], ...rows]),
    "results.jsonl": `${results.join("\n")}\n`,
  });
  const again = recipe("docs/many-accounts.md", "The same accounts again", "bash");
  const run = await bash(machine, again, { REFERRAL_BASE_URL: api.url });
  expect(run, run.stderr).toMatchObject({ exitCode: 0, everything: "" });
  const checked = checksIn(readFileSync(join(machine.folder, "again.jsonl"), "utf8"));
  expect(checked.map(({ profile }) => profile).toSorted()).toEqual(names.slice(1).toSorted());
});

const oneLine = recipe("docs/many-accounts.md", "Many accounts", "bash");
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

test.each([",", ";", "\t"])(
  "the one line of the page checks a workbook that Gnumeric saved with %j",
  async (separator) => {
    const api = await emulate();
    const machine = await savedByGnumeric(separator);
    const run = await bash(machine, oneLine, { REFERRAL_BASE_URL: api.url });
    expect(run.stderr).toBe('Warning: columns of accounts.csv that are not known are ignored: "Notes"\n');
    expect(run.stdout).toMatch(/^REJECTED .*row 3 \(quo"te\)|^REJECTED .*quo"te/m);
    expect(run.stdout).toMatch(/^299 accepted, 1 rejected/m);
    expect(run.exitCode).toBe(4);
  },
);

/** Runs the script of the page as cron does: by /bin/sh, with few variables. Gives what cron would mail. */
async function cronMail(url: string, rows: readonly (readonly string[])[]) {
  const files = { "accounts.csv": csvOf([["profile", "token"], ...rows]) };
  const { folder, environment } = machineWith(files);
  const [programs = ""] = environment.PATH?.split(":") ?? [];
  const script = recipe("docs/many-accounts.md", "Cron", "bash")
    .replace("/usr/local/bin:", `${programs}:/usr/local/bin:`)
    .replace("https://api.example.com/v1", url)
    .replace("/etc/referral", folder)
    .replace("/var/lib/prometheus/node-exporter", folder);
  const file = join(folder, "referral-night");
  writeFileSync(file, script, { mode: 0o755 });
  const cron = { HOME: folder, LOGNAME: "me", SHELL: "/bin/sh", PATH: "/usr/bin:/bin" };
  const run = await start({ folder, environment: cron }, "/bin/sh", ["-c", `umask 077; ${file}`]);
  const metrics = join(folder, "referral-auth.prom");
  return {
    mail: run.everything,
    metrics: readFileSync(metrics, "utf8"),
    mode: statSync(metrics).mode & 0o777,
  };
}

test("cron mails nothing if all is well, and else the whole report; node_exporter can read the metrics", async () => {
  const api = await emulate();
  const good = ["north", planted.token];
  const quiet = await cronMail(api.url, [good, ["south", planted.token]]);
  expect(quiet).toMatchObject({ mail: "", mode: 0o644 });

  const failed = await cronMail(api.url, [good, ["south", "not-the-token"]]);
  expect(failed.mail).toContain("REJECTED");
  expect(failed.mail).toMatch(/1 accepted, 1 rejected/);
  expect(failed.metrics).toContain('referral_auth_run_exit_code{report="referral-auth"} 4\n');
});
