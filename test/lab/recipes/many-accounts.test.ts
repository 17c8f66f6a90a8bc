import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plain, rcOf } from "../../e2e/profiles.ts";
import { emulate } from "../../support/emulate.ts";
import { checksIn } from "../../support/every-run.ts";
import { recipe } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { bash, machineWith, resultsOf, start } from "./machine.ts";

test("all profiles are checked, and the second of seven machines checks its part", async () => {
  const api = await emulate();
  const machine = machineWith({ ".referralrc": rcOf(api.url, plain(8)) });
  const run = await bash(machine, recipe("docs/many-accounts.md", "Many accounts", "bash"), {}, ["-e"]);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(api.log).toHaveLength(9);
  expect(readFileSync(join(machine.folder, "report.xml"), "utf8")).toContain('tests="8"');
});

const names = ["plain", 'quo"te', "back\\slash", "tab\tand\nline", "é😀"];
/** Results of `--ndjson` with these outcomes, in an order of their own. */
const resultsWith = (outcomes: Readonly<Record<string, string>>): string =>
  Object.entries(outcomes)
    .map(([profile, outcome]) => `${JSON.stringify({ profile, method: "token", outcome })}\n`)
    .join("");

test("jq checks those accounts again that failed or have no result", async () => {
  const api = await emulate();
  const [plainName, quote, slash, tab, foreign] = names as [string, string, string, string, string];
  const accountLines = names.map((profile) => `${JSON.stringify({ profile, token: planted.token })}\n`);
  const machine = machineWith({
    "accounts.jsonl": accountLines.join(""),
    "results.jsonl": resultsWith({
      [foreign]: "timeout",
      [slash]: "accepted",
      [tab]: "rejected",
      [quote]: "rejected",
    }),
  });

  const again = recipe("docs/many-accounts.md", "The same accounts again", "bash");
  const run = await bash(machine, again, { REFERRAL_BASE_URL: api.url });
  expect(run, run.stderr).toMatchObject({ exitCode: 0, everything: "" });
  const checked = checksIn(readFileSync(join(machine.folder, "again.jsonl"), "utf8"));
  expect(checked.map(({ profile }) => profile).toSorted()).toEqual(
    [plainName, quote, tab, foreign].toSorted(),
  );
});

/** A table as a spreadsheet saves it: "CSV UTF-8", with this character between the cells. */
function csvOf(rows: readonly (readonly string[])[], separator: string): string {
  const cell = (text: string): string => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `\ufeff${rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join("")}`;
}

const csvLines = recipe("docs/many-accounts.md", "CSV", "python");

test.each([",", ";"])("accounts come from a sheet, saved as CSV with %s", async (separator) => {
  const api = await emulate();
  const sheet = ["plain", 'quo"te', "com,ma; semicolon", "two\nlines", "Süd", "na", "null", "1e5"];
  const rows = sheet.map((name, index) => [
    name,
    index === 0 ? "0".repeat(40) : planted.token,
    index === 1 ? api.url : "",
  ]);
  const csv = csvOf([["profile", "token", "baseUrl"], ...rows], separator);
  const machine = machineWith({ "accounts.csv": csv, "csv-lines.py": csvLines });

  const script = recipe("docs/many-accounts.md", "CSV", "bash");
  const lines = await resultsOf(machine, { REFERRAL_BASE_URL: api.url }, script, 4);

  const outcomes = sheet.map((name, index) => [name, index === 0 ? "rejected" : "accepted"]);
  expect(lines.map(({ profile, outcome }) => [profile, outcome]).toSorted()).toEqual(outcomes.toSorted());
});

test("a CSV file that ends in the middle of a character is a result that says so", async () => {
  const api = await emulate();
  const good = Buffer.from(csvOf([["profile", "token"], ...Array(9).fill(["acme", planted.token])], ","));
  const machine = machineWith({ "csv-lines.py": csvLines });
  writeFileSync(join(machine.folder, "accounts.csv"), Buffer.concat([good, Buffer.from([0xc3])]));
  const script = recipe("docs/many-accounts.md", "CSV", "bash");
  const given = { REFERRAL_BASE_URL: api.url };
  const lines = await resultsOf(machine, given, script, 3, expect.stringContaining("UnicodeDecodeError"));
  const said = { profile: "the CSV file failed", outcome: "not-checked" };
  expect(lines).toContainEqual(expect.objectContaining(said));
});

/** Runs the script of the page as cron does: by /bin/sh, with few variables. Gives what cron would mail. */
async function cronMail(url: string, rows: readonly (readonly string[])[]) {
  const files = { "accounts.csv": csvOf([["profile", "token"], ...rows], ","), "csv-lines.py": csvLines };
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
