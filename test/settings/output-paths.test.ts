import { linkSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rcOf } from "../e2e/profiles.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

// test/system/file-writing.test.ts has which paths are one file.

const { token } = planted;
const content = "an input";

/** What a run is given besides its outputs. */
interface Inputs {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly rc?: object | string;
}

/**
 * A folder with a file `input` and links to it, and what runs `test` there: its standard input is `input`, and its standard output
 * `printed`. `{}` in a text is the folder.
 */
async function place({ args = [], environment = {}, rc }: Inputs) {
  const api = await emulate();
  const own = rc ?? rcOf(api.url, { only: { token } });
  const folder = folderWith({ input: content, ".referralrc": own, other: "old" });
  symlinkSync(".", join(folder, "folder"));
  symlinkSync("input", join(folder, "link"));
  linkSync(join(folder, "input"), join(folder, "hard"));
  const filled = (text: string): string => text.replaceAll("{}", folder);
  const run = (more: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const redirected = new Map([
      ["/dev/stdin", join(folder, "input")],
      ["/dev/stdout", join(folder, "printed")],
    ]);
    const all = Object.entries({ ...environment, ...variables }).map(([name, text]) => [name, filled(text)]);
    return runInProcess(["test", ...args, ...more].map(filled), {
      workingFolder: folder,
      homeFolder: folder,
      environment: Object.fromEntries(all),
      stdin: token,
      broken: ({ fileKey }) => ({ fileKey: (path) => fileKey(redirected.get(path) ?? path) }),
    });
  };
  return { api, run, read: (name: string) => readFileSync(join(folder, name), "utf8") };
}

const job = { GITHUB_ACTIONS: "true" };
const noRc = "{}";
const [junit, metrics, summary] = ["--junit", "--metrics", "GITHUB_STEP_SUMMARY"] as const;

/** Every way to name a file that a run reads, its name in the error, and an output that names the same file. */
const inputs: ReadonlyArray<readonly [name: string, Inputs, output: string, path: string]> = [
  ["--accounts", { args: ["--accounts", "input"], rc: noRc }, junit, "./input"],
  ["--token-file", { args: ["--token-file", "input"], rc: noRc }, metrics, "folder/input"],
  ["--secret-file", { args: ["--secret-file", "input"], rc: noRc }, junit, "link"],
  ["--accounts", { args: ["--accounts", "-"], rc: noRc }, junit, "input"],
  ["--secret-file", { args: ["--secret-file", "-"], rc: noRc }, metrics, "input"],
  ["--ca-cert", { args: ["--ca-cert", "input"], rc: noRc }, metrics, "hard"],
  ["REFERRAL_TOKEN_FILE", { environment: { REFERRAL_TOKEN_FILE: "input" }, rc: noRc }, summary, "{}/input"],
  ["REFERRAL_SECRET_FILE", { environment: { REFERRAL_SECRET_FILE: "input" }, rc: noRc }, junit, "{}/input"],
  ["REFERRAL_CA_CERT", { environment: { REFERRAL_CA_CERT: "input" }, rc: noRc }, summary, "{}/link"],
  ["NODE_EXTRA_CA_CERTS", { environment: { NODE_EXTRA_CA_CERTS: "{}/input" } }, metrics, "input"],
  ["SSL_CERT_FILE", { environment: { SSL_CERT_FILE: "{}/input" } }, summary, "{}/hard"],
  ["The rc file", { args: ["--config", "input"] }, junit, "folder/input"],
  ["The rc file", { environment: { REFERRAL_CONFIG: "input" } }, summary, "{}/input"],
  ["The rc file", { rc: { token: content } }, junit, "folder/.referralrc"],
  ["The rc file", { rc: "{ broken" }, metrics, "./.referralrc"],
  ["tokenFile at .referralrc:1", { rc: { tokenFile: "input" } }, metrics, "link"],
  ["caCert at .referralrc:1", { rc: { caCert: "input" } }, junit, "hard"],
  // It does not count, and its file is worth as much.
  [
    "secretFile at .referralrc:1",
    { args: ["--token", token], rc: { profiles: { p: { secretFile: "input" } } } },
    metrics,
    "input",
  ],
];

test.each(inputs)("no output replaces an input, and nothing is sent: %s, %j, %s %s", async (...row) => {
  const [name, given, output, path] = row;
  const { api, run, read } = await place(given);
  const before = read(".referralrc");
  const { exitCode, stdout, stderr } = await (output === summary
    ? run([], { ...job, [summary]: path })
    : run([output, path]));
  expect([exitCode, stdout]).toEqual([2, ""]);
  const found = stderr.replace(/\/\S*(?=\/\.referralrc)/, "{}");
  expect(found).toContain(`Error: ${name} and ${output} are the same file\n`);
  expect([api.log, read("input"), read(".referralrc")]).toEqual([[], content, before]);
});

// In a job of GitHub, what is printed can be appended to the summary, too.
test.each<[args: readonly string[], problem: string | null, variables?: Readonly<Record<string, string>>]>([
  [[junit, "link", metrics, "input"], "--junit and --metrics"],
  [[metrics, "folder/new", junit, "new"], "--junit and --metrics"],
  [[junit, "a/b"], "--junit and GITHUB_STEP_SUMMARY", { ...job, [summary]: "{}/a/b" }],
  [["--ndjson", junit, "printed"], "--junit and standard output"],
  [[junit, "/dev/stdout", metrics, "/dev/stdout"], "--junit and --metrics"],
  [["--quiet", junit, "printed"], null],
  [[], null, { ...job, [summary]: "{}/printed" }],
])(
  "no two outputs are one file, standard output among them where something is printed: %j, %s",
  async (...row) => {
    const [args, problem, variables] = row;
    const { api, run } = await place({});
    const { exitCode, stderr } = await run(["--all", ...args], variables);
    expect([exitCode, api.log.length]).toEqual(problem === null ? [0, 1] : [2, 0]);
    expect(stderr).toMatch(problem === null ? /^$/ : new RegExp(`^Error: ${problem} are the same file\\n`));
  },
);

test("no report stands inside JSON that is printed, also through a pipe; alone it may", async () => {
  const api = await emulate();
  const own = ["test", "--no-config", "--base-url", api.url, "--token-file", "-"];
  // A pipe has no key; a report that is begun goes to /dev/null, not to the output of this test.
  const printed = (args: readonly string[]) =>
    runInProcess([...own, ...args], {
      workingFolder: folderWith({}),
      stdin: token,
      broken: ({ fileKey, openTarget }) => ({
        fileKey: (path) => (path === "/dev/stdout" ? null : fileKey(path)),
        openTarget: (path, isSummary) => openTarget(path === "/dev/stdout" ? "/dev/null" : path, isSummary),
      }),
    });
  for (const format of ["--json", "--ndjson"])
    for (const report of [junit, metrics]) {
      const { exitCode, stderr } = await printed([format, report, "/dev/stdout"]);
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining(`Error: ${report} and standard output are the same file\n`),
      ]);
    }
  expect(api.log).toEqual([]);
  expect((await printed(["--json", junit, "/dev/null"])).exitCode).toBe(0);
  expect((await printed(["--quiet", junit, "/dev/stdout"])).exitCode).toBe(0);
});

test("other files are written, beside inputs too, and one device takes two reports", async () => {
  const { api, run, read } = await place({});
  const variables = { ...job, [summary]: "{}/other", REFERRAL_CA_CERT: "" };
  const { exitCode, stderr } = await run(["--all", junit, "input.xml", metrics, "new"], variables);
  expect([exitCode, stderr, api.log.length]).toEqual([0, "", 1]);
  expect((await run(["--all", "--token-file", "-", junit, "./-"])).exitCode).toBe(0);
  expect([read("other").slice(0, 6), read("input.xml").slice(0, 5)]).toEqual(["old###", "<?xml"]);
  expect(await run(["--all", junit, "/dev/null", metrics, "/dev/null"])).toMatchObject({ exitCode: 0 });
});
