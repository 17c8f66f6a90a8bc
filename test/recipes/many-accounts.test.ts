import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { stringify } from "yaml";
import { linesOf } from "../e2e/accounts.ts";
import { plain, rcOf } from "../e2e/profiles.ts";
import { freePort } from "../interop/program.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { bash, type Machine, machineWith, start } from "./machine.ts";
import { recipe, recipes } from "./pages.ts";

/** Runs a recipe that checks a stream of accounts. Gives the results that it leaves in the file. */
async function resultsOf(
  machine: Machine,
  given: Readonly<Record<string, string>>,
  script: string,
  exitCode: number,
  stderr: unknown = "",
) {
  const run = await bash(machine, script, given, ["-o", "pipefail"]);
  expect(run, run.stderr).toMatchObject({ exitCode, stdout: "", stderr });
  const text = readFileSync(join(machine.folder, "results.jsonl"), "utf8");
  expect(leaks(run.stderr + text)).toEqual([]);
  return linesOf(text);
}

test("all profiles are checked, and the second of seven machines checks its part", async () => {
  const api = await emulate();
  const machine = machineWith({ ".referralrc": rcOf(api.url, plain(8)) });
  const run = await bash(machine, recipe("docs/many-accounts.md", "Many accounts", "bash"), {}, ["-e"]);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(api.log).toHaveLength(9);
  expect(readFileSync(join(machine.folder, "report.xml"), "utf8")).toContain('tests="8"');
});

const names = ["plain", 'quo"te', "back\\slash", "tab\tand\nline", "é😀"];
const sqlText = (text: string | null): string => (text === null ? "null" : `'${text.replaceAll("'", "''")}'`);

/** A table of these accounts in SQL: one has a token, one another token that is wrong, one WSSE, and the rest both. */
const tableOf = (table: string): string => {
  const { token, username, secret } = planted;
  const columns = [
    [token, null, null],
    ["no", null, null],
    [null, username, secret],
  ];
  const rows = names.map((name, index) => {
    const cells = [name, ...(columns[index] ?? [token, username, secret])];
    return `(${index}, ${cells.map(sqlText).join(", ")})`;
  });
  const types = ["name", "token", "username", "secret"].map((name) => `${name} text`);
  return `create table ${table} (id integer, ${types.join(", ")}); insert into ${table} values ${rows.join(", ")};`;
};

/** A view that fails in the middle: the accounts, and then one whose name cannot be computed. */
const brokenView = (name: string): string =>
  `create view accounts as select ${name} as name, token, username, secret from stored order by id;`;

/** SQLite's database in the machine's folder, filled by this text. */
function sqlite(machine: Machine, sql: string) {
  execFileSync("sqlite3", [join(machine.folder, "accounts.db")], { input: sql });
  return {};
}

/** A PostgreSQL server of the test's own, filled by this text; the variables by which psql finds it. */
async function postgres(machine: Machine, sql: string) {
  const versions = "/usr/lib/postgresql";
  const programs = join(versions, readdirSync(versions).at(-1) ?? "", "bin");
  // The server refuses to run as root.
  const nobody = 65534;
  const folder = folderWith();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, nobody, nobody);
  const as = { cwd: folder, stdio: "ignore", ...(isRoot && { uid: nobody, gid: nobody }) } as const;
  const data = join(folder, "data");
  const user = ["--username=referral", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(programs, "initdb"), [`--pgdata=${data}`, ...user], as);
  const server = spawn(join(programs, "postgres"), ["-D", data, "-k", folder, "-c", "listen_addresses="], as);
  const ended = once(server, "close");
  onTestFinished(async () => {
    server.kill("SIGINT");
    await ended;
  });
  const given = { PGHOST: folder, PGUSER: "referral", PGDATABASE: "postgres" };
  const filled = async () => {
    const run = await start(
      machine,
      "psql",
      ["--no-psqlrc", "--set=ON_ERROR_STOP=1", "--command", sql],
      given,
    );
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  };
  await vi.waitFor(filled, { timeout: 20_000, interval: 200 });
  return given;
}

const databases = [
  ["SQLite", "sqlite3", sqlite, "case id when 3 then json('{') else name end"],
  ["PostgreSQL", "psql", postgres, "case id when 3 then (1 / (id - 3))::text else name end"],
] as const;

describe.each(databases)("%s", (heading, program, fill, failing) => {
  const script = recipe("docs/many-accounts.md", heading, "bash");

  test("its accounts have a token, WSSE or both, and jq lists those that were not accepted", async () => {
    const api = await emulate();
    const machine = machineWith();
    const given = await fill(machine, tableOf("accounts"));
    const lines = await resultsOf(machine, { ...given, REFERRAL_BASE_URL: api.url }, script, 4);

    const checks = names.flatMap((name, index) =>
      (index < 2 ? ["token"] : index === 2 ? ["wsse"] : ["token", "wsse"]).map((method) => [name, method]),
    );
    expect(lines.map(({ profile, method }) => [profile, method]).toSorted()).toEqual(checks.toSorted());
    const listed = await bash(machine, recipe("docs/many-accounts.md", "jq", "bash"));
    expect(listed).toMatchObject({ exitCode: 0, stdout: 'rejected\t2\tquo"te\n' });
  });

  test("an export that fails in the middle is a result that names the program", async () => {
    const api = await emulate();
    const machine = machineWith();
    const given = await fill(
      machine,
      tableOf("stored").replace("'no'", sqlText(planted.token)) + brokenView(failing),
    );
    const environment = { ...given, REFERRAL_BASE_URL: api.url };
    const lines = await resultsOf(
      machine,
      environment,
      script,
      3,
      expect.stringMatching(/JSON|division by zero/),
    );

    expect(lines.length).toBeLessThan(names.length);
    const wrong = lines.filter(({ outcome }) => outcome === "not-checked").map(({ profile }) => profile);
    expect(wrong).toContain(`${program} failed`);
  });
});

/** Results of `--ndjson` with these outcomes, in an order of their own. */
const resultsWith = (outcomes: Readonly<Record<string, string>>): string =>
  Object.entries(outcomes)
    .map(([profile, outcome]) => `${JSON.stringify({ profile, method: "token", outcome })}\n`)
    .join("");

test("comm tells which accounts fail since yesterday, and jq checks the failed ones again", async () => {
  const api = await emulate();
  const [plainName, quote, slash, tab, foreign] = names as [string, string, string, string, string];
  const accountLines = names.map((profile) => `${JSON.stringify({ profile, token: planted.token })}\n`);
  const machine = machineWith({
    "accounts.jsonl": accountLines.join(""),
    "yesterday.jsonl": resultsWith({ [plainName]: "accepted", [quote]: "rejected", [slash]: "accepted" }),
    "results.jsonl": resultsWith({
      [foreign]: "timeout",
      [slash]: "accepted",
      [tab]: "rejected",
      [quote]: "rejected",
    }),
  });

  const failing = await bash(machine, recipe("docs/many-accounts.md", "New failures", "bash"));
  expect(linesOf(failing.stdout)).toEqual([
    [tab, "token", "rejected"],
    [foreign, "token", "timeout"],
  ]);

  const again = recipe("docs/many-accounts.md", "The same accounts again", "bash");
  const run = await bash(machine, again, { REFERRAL_BASE_URL: api.url });
  expect(run, run.stderr).toMatchObject({ exitCode: 0, everything: "" });
  const checked = linesOf(readFileSync(join(machine.folder, "again.jsonl"), "utf8"));
  expect(checked.map(({ profile }) => profile).toSorted()).toEqual([quote, tab, foreign].toSorted());
});

test("sorted, the metrics of two equal nights are equal, and a difference is one account's", async () => {
  const api = await emulate();
  const line = (profile: string, token: string) => `${JSON.stringify({ profile, token })}\n`;
  const accountsWith = (changed: string): string =>
    Array.from({ length: 40 }, (_, index) => line(`a${index}`, index === 7 ? changed : planted.token)).join(
      "",
    );
  const machine = machineWith();
  const night = async (changed: string, file: string) => {
    writeFileSync(join(machine.folder, "accounts.jsonl"), accountsWith(changed), { mode: 0o600 });
    const given = { REFERRAL_BASE_URL: api.url };
    await bash(
      machine,
      "referral-auth test --accounts accounts.jsonl --quiet --metrics referral-auth.prom",
      given,
    );
    const text = readFileSync(join(machine.folder, "referral-auth.prom"), "utf8");
    writeFileSync(join(machine.folder, file), text);
  };
  const compare = () => bash(machine, recipe("docs/many-accounts.md", "Two nights", "bash"));
  await night(planted.token, "yesterday.prom");
  await night(planted.token, "referral-auth.prom");
  expect(await compare()).toMatchObject({ exitCode: 0, everything: "" });

  await night("wrong", "referral-auth.prom");
  const { exitCode, stdout } = await compare();
  expect(exitCode).toBe(1);
  expect(stdout.match(/^[<>].*/gm)).toEqual([
    expect.stringMatching(/^<.*profile="a7".*outcome="accepted"/),
    expect.stringMatching(/^>.*profile="a7".*outcome="rejected"/),
  ]);
});

test.each([",", ";"])("accounts come from a sheet of Excel, saved as CSV with %s", async (comma) => {
  const api = await emulate();
  const cells = (row: readonly string[]): string =>
    row.map((cell) => (/[",;\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(comma);
  const sheet = ["plain", 'quo"te', "com,ma; semicolon", "Süd", "na", "null"];
  const rows = sheet.map((name, index) => [
    name,
    index === 0 ? "0".repeat(40) : planted.token,
    index === 1 ? api.url : "",
  ]);
  const csv = [["profile", "token", "baseUrl"], ...rows].map((row) => `${cells(row)}\r\n`).join("");
  const machine = machineWith({ "accounts.csv": `\ufeff${csv}` });

  const script = recipe("docs/many-accounts.md", "Excel", "bash");
  const lines = await resultsOf(machine, { REFERRAL_BASE_URL: api.url }, script, 4);

  const outcomes = sheet.map((name, index) => [name, index === 0 ? "rejected" : "accepted"]);
  expect(lines.map(({ profile, outcome }) => [profile, outcome]).toSorted()).toEqual(outcomes.toSorted());
});

test("GNU parallel checks each line of a stream once, in several runs", async () => {
  const api = await emulate();
  const line = (index: number): string =>
    JSON.stringify({ profile: `account-${index}-${"x".repeat(200)}`, token: planted.token });
  const accounts = Array.from({ length: 800 }, (_, index) => `${line(index)}\n`);
  const machine = machineWith({ "accounts.jsonl": accounts.join("") });

  const script = recipe("docs/many-accounts.md", "Several machines", "bash");
  const lines = await resultsOf(machine, { REFERRAL_BASE_URL: api.url }, script, 0, expect.any(String));

  expect(new Set(lines.map(({ profile }) => profile)).size).toBe(800);
  expect(lines).toHaveLength(800);
  expect(lines.filter(({ line }) => line === 1).length).toBeGreaterThan(1);
});

test("promtool finds nothing wrong with the metrics, and node_exporter serves every sample of the file", async () => {
  const api = await emulate();
  const folder = folderWith();
  const wrong = { token: "not-the-token" };
  const profiles = { good: {}, 'we"ird\\': wrong, "two\nlines": wrong, broken: { baseUrl: "ftp://x" } };
  const homeFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const file = join(folder, "referral-auth.prom");
  await runInProcess(["test", "--all", "--quiet", "--metrics", file], { homeFolder });
  const text = readFileSync(file, "utf8");

  // Throws where promtool has anything to say.
  expect(execFileSync("promtool", ["check", "metrics"], { input: text }).toString()).toBe("");

  const address = `127.0.0.1:${await freePort()}`;
  const collector = ["--collector.disable-defaults", "--collector.textfile"];
  const options = [`--collector.textfile.directory=${folder}`, `--web.listen-address=${address}`];
  const exporter = spawn("prometheus-node-exporter", [...collector, ...options], { stdio: "ignore" });
  onTestFinished(() => void exporter.kill());
  const scrape = async () => (await fetch(`http://${address}/metrics`)).text();
  const scraped = await vi.waitFor(scrape, { timeout: 10_000, interval: 100 });

  expect(scraped).toContain("node_textfile_scrape_error 0\n");
  const namesOf = (metrics: string): readonly string[] =>
    metrics.split("\n").flatMap((line) => /^referral_auth_\w+/.exec(line) ?? []);
  expect(namesOf(scraped).toSorted()).toEqual(namesOf(text).toSorted());
  expect(scraped).toContain('referral_auth_accepted{method="token",profile="good"} 1\n');
});

const outcome = (name: string) => ({
  series: `referral_auth_outcome{profile="acme",method="token",outcome="${name}"}`,
  values: "1x3000",
});
const refusedAlert = {
  exp_labels: { profile: "acme", method: "token", outcome: "rejected" },
  exp_annotations: { summary: "The API refused the credential of acme." },
};
const lateAlert = { exp_annotations: { summary: "The credentials were not checked for a day and a half." } };

test("the alerts are raised by a refused credential and by runs that stopped, and by nothing else", () => {
  const run = { series: "referral_auth_run_timestamp_seconds", values: "0x3000" };
  const refused = { alertname: "ReferralCredentialRefused", eval_time: "1h" };
  const checked = { alertname: "ReferralCredentialsNotChecked" };
  const alerts = [
    { ...refused, exp_alerts: [refusedAlert] },
    { ...checked, eval_time: "35h", exp_alerts: [] },
    { ...checked, eval_time: "37h", exp_alerts: [lateAlert] },
  ];
  const tests = [
    { interval: "1m", input_series: [outcome("rejected"), run], alert_rule_test: alerts },
    {
      interval: "1m",
      input_series: [outcome("accepted")],
      alert_rule_test: [{ ...refused, exp_alerts: [] }],
    },
  ];
  const folder = folderWith({
    "rules.yaml": recipe("docs/many-accounts.md", "Metrics", "yaml"),
    "tests.yaml": stringify({ rule_files: ["rules.yaml"], evaluation_interval: "1m", tests }),
  });
  const said = execFileSync("promtool", ["test", "rules", "tests.yaml"], { cwd: folder }).toString();
  expect(said).toContain("SUCCESS");
});

test("systemd takes the service and its timer, whose command writes the metrics", async () => {
  const [service = "", timer = ""] = recipes("docs/many-accounts.md", "Metrics", "ini");
  const folder = folderWith({ "referral-auth.service": service, "referral-auth.timer": timer });
  const units = ["referral-auth.service", "referral-auth.timer"].map((name) => join(folder, name));
  execFileSync("systemd-analyze", ["verify", "--man=no", ...units], { stdio: "pipe" });

  const api = await emulate();
  const machine = machineWith({ "rc.yaml": rcOf(api.url, { good: {} }) });
  const script = /^ExecStart=(.*)$/m
    .exec(service)?.[1]
    ?.replace("/etc/referral/referralrc.yaml", "rc.yaml")
    .replace("/var/lib/prometheus/node-exporter/", "");
  expect(await bash(machine, `${script}\n`)).toMatchObject({ exitCode: 0, everything: "" });
  expect(readFileSync(join(machine.folder, "referral-auth.prom"), "utf8")).toContain('profile="good"');
});
