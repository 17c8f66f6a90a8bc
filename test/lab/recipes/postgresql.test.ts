import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { emulate } from "../../support/emulate.ts";
import { checksIn } from "../../support/every-run.ts";
import { folderWith } from "../../support/folder.ts";
import { recipe } from "../../support/pages.ts";
import { leaks, planted } from "../../support/planted.ts";
import { bash, type Machine, machineWith, start } from "./machine.ts";

const names = ["plain", 'quo"te', "back\\slash", "tab\tand space", "é😀"];
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

const script = recipe("docs/many-accounts.md", "PostgreSQL", "bash");

describe("accounts from PostgreSQL", () => {
  test("have a token, WSSE or both, and jq lists those that were not accepted", async () => {
    const api = await emulate();
    const machine = machineWith();
    const given = await postgres(machine, tableOf("accounts"));
    const run = await bash(machine, script, { ...given, REFERRAL_BASE_URL: api.url }, ["-o", "pipefail"]);
    expect(run, run.stderr).toMatchObject({ exitCode: 4, stdout: "", stderr: "" });
    const text = readFileSync(join(machine.folder, "results.jsonl"), "utf8");
    expect(leaks(run.stderr + text)).toEqual([]);
    const lines = checksIn(text);

    const checks = names.flatMap((name, index) =>
      (index < 2 ? ["token"] : index === 2 ? ["wsse"] : ["token", "wsse"]).map((method) => [name, method]),
    );
    expect(lines.map(({ profile, method }) => [profile, method]).toSorted()).toEqual(checks.toSorted());
    const listed = await bash(machine, recipe("docs/many-accounts.md", "What was not accepted", "bash"));
    expect(listed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^rejected\t3\tquo"te\t\S.*\n$/),
    });
  });
});
